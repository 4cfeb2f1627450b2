// A seat's own tiles, told by the player and shown to nobody else.

import { el, redraw } from "../parts/dom.js";
import { drawTile } from "../parts/tile.js";
import { say } from "../parts/words.js";

/** Draws the hand of the seat whose page this is; `tell` sends the tiles it holds, and gives a sentence where they are not taken. */
export function createHand(place, { tell, play, changed }) {
  let adding = false;
  let told = null; // the tiles that were told last, until the table shows them: fingers are quicker than it
  let sent = Promise.resolve();
  let drawn = null; // the version that is shown

  /** Tells these tiles, after those that were told before; of several that wait the last. */
  function hold(tiles) {
    const mine = (told = { tiles, shown: null });
    changed();
    sent = sent.then(async () => {
      if (told !== mine) return;
      const problem = await tell(tiles);
      if (told !== mine) return;
      told = problem ? null : { ...mine, shown: drawn };
      changed();
    });
  }

  return {
    draw(table) {
      const me = table.you === null || table.players[table.you].count === null ? null : table.players[table.you]; // no hands in games for one
      place.hidden = me === null;
      if (me === null) return;
      drawn = table.version;
      if (told?.shown && told.shown !== drawn) told = null;
      const held = told?.tiles ?? me.hand;
      const playable = table.turn === table.you ? table.tiles.map(String) : [];
      const set = (open) => {
        adding = open;
        changed();
      };
      redraw(
        place,
        el("h2", {}, say("Your tiles")),
        el("p", { class: "quiet" }, say("Only this phone shows them.")),
        el(
          "div",
          { class: "tile-picker" },
          ...held.map((tile, at) =>
            el("span", { class: "held", "data-key": `held-${tile.join("-")}-${at}` },
              el("button", { class: `tile-choice ${playable.includes(String(tile)) ? "fits" : ""}`, type: "button", "aria-label": playable.includes(String(tile)) ? say("{tile}, fits", { tile: tile.join("|") }) : tile.join("|"), "data-key": `hand-${tile.join("-")}`, onclick: () => (adding ? hold(held.filter((_, other) => other !== at)) : play(tile)) }, drawTile(tile)),
            ),
          ),
        ),
        adding ? picker(held, table.game.highest, hold) : null,
        el("button", { class: adding || !held.length ? "button" : "link", type: "button", "data-key": "hand-change", onclick: () => set(!adding) }, adding ? say("That is my hand") : held.length ? say("Change my tiles") : say("Tell which tiles I hold")),
      );
    },
  };
}

function picker(hand, highest, tell) {
  const held = hand.map(String);
  const tiles = [];
  for (let high = 0; high <= highest; high += 1) for (let low = 0; low <= high; low += 1) tiles.push([low, high]);
  return el(
    "div",
    { class: "tile-picker", role: "group", "aria-label": say("All tiles") },
    ...tiles.map((tile) => el("button", { class: "tile-choice small", type: "button", "aria-pressed": String(held.includes(String(tile))), "aria-label": tile.join("|"), "data-key": `pick-${tile.join("-")}`, onclick: () => tell(held.includes(String(tile)) ? hand.filter((one) => String(one) !== String(tile)) : [...hand, tile]) }, drawTile(tile))),
  );
}
