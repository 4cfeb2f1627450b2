// How long the seat to move has been thinking; off until somebody wants it.

import { comfort } from "../parts/comfort.js";
import { el } from "../parts/dom.js";
import { say } from "../parts/words.js";

const LONGEST_S = 3600; // beyond it nobody is waiting

function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Whole seconds that the turn has lasted and may last; null where no time is taken. */
export function turnTime(table) {
  const allowed = Number(comfort.timer);
  const since = table.history[0]?.time; // by the table's clock, which may be ahead of this one
  if (!allowed || table.turn === null || !since) return null;
  const gone = Math.max(0, Math.floor(Date.now() / 1000 + (table.ahead ?? 0) - since));
  return gone > LONGEST_S ? null : { gone, allowed };
}

/** The same for the page, or null. */
export function timerWords(table) {
  const time = turnTime(table);
  if (!time) return null;
  const over = time.gone > time.allowed;
  return el("p", { class: over ? "timer over" : "timer", "data-key": "timer", role: "timer" }, over ? say("! {time}, over {allowed}", { time: clock(time.gone), allowed: clock(time.allowed) }) : say("{time} of {allowed}", { time: clock(time.gone), allowed: clock(time.allowed) }));
}
