// The score sheet that this browser keeps: every change is stored at once and can be undone.

import { createHistory } from "../parts/history.js";
import { keep, recall } from "../parts/keep.js";
import { say } from "../parts/words.js";
import * as sheets from "./sheet.js";

const SHEET = "kibitz.sheet";

/** The kept sheet with its past; another tab's changes come in by themselves. */
export function openBook(store) {
  const history = createHistory(recall(store, SHEET, sheets.checkedSheet));
  history.subscribe((sheet) => keep(store, SHEET, sheet));
  window.addEventListener("storage", (event) => {
    if (event.key === SHEET || event.key === null) history.reset(recall(store, SHEET, sheets.checkedSheet));
  });

  return {
    get sheet() {
      return history.now;
    },
    get undoWords() {
      return history.undoWords;
    },
    get redoWords() {
      return history.redoWords;
    },
    subscribe: history.subscribe,
    step: history.step,
    undo: history.undo,
    redo: history.redo,
    nextRound: (id) => sheets.nextRound(history.now, id),
    /** Writes points into the player's next free round; gives that round, counted from 0. */
    write(player, points) {
      const round = sheets.nextRound(history.now, player.id);
      history.step(say("{points} for {name}, round {round}", { points, name: player.name, round: round + 1 }), sheets.withPoints(history.now, round, player.id, points));
      return round;
    },
    /** The player of that name, new where there is none; null where no name is given or the sheet is full. */
    addPlayer(text) {
      const name = sheets.cleanName(text);
      if (!name) return null;
      const same = (player) => player.name.toLowerCase() === name.toLowerCase();
      if (history.now.players.some(same)) return history.now.players.find(same);
      if (history.now.players.length >= sheets.MOST_PLAYERS) return null;
      history.step(say("add {name}", { name }), sheets.withPlayer(history.now, name));
      return history.now.players.at(-1);
    },
  };
}
