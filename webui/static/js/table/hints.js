// Hints for the seat whose page this is: asked for with a tap, gone when something is entered.

import { announce } from "../parts/announce.js";
import { el, redraw } from "../parts/dom.js";
import { drawTile } from "../parts/tile.js";
import { count, say } from "../parts/words.js";

const BETTER_EVERY_MS = 500;
const QUESTIONS = { best: say("What would you play?"), nudge: say("Give me a nudge"), legal: say("What may I play?") };

/** Draws the hints of a seat; `url` gives them, `changed` asks to draw again. */
export function createHints(place, { url, changed }) {
  let asked = null; // what it was asked about
  let told = null;
  let shown = null; // the action that is drawn on the table

  async function ask(about) {
    asked = about;
    told = shown = null;
    changed();
    await listen(about);
    if (asked === about && told?.hints?.length) announce(say("Hint: {deed}. {reason}", { deed: told.hints[0].words, reason: told.hints[0].reasons[0] ?? "" }));
    while (asked === about && told?.hints && !told.settled) {
      await new Promise((done) => setTimeout(done, BETTER_EVERY_MS));
      if (asked === about) await listen(about);
    }
  }

  /** What is known by now; better hints come while Kibitz thinks. */
  async function listen(about) {
    let answer;
    try {
      const response = await fetch(url, { headers: { Accept: "application/json" } });
      answer = await response.json();
    } catch {
      answer = told?.hints ? told : { error: say("Kibitz cannot be reached.") }; // what is known stays
    }
    if (asked !== about) return;
    told = answer;
    changed();
  }

  function pick(action) {
    shown = action;
    changed();
  }

  function item(hint, at, common) {
    const reasons = hint.reasons.filter((reason) => !common.includes(reason));
    return el(
      "li",
      { "data-key": `hint-${hint.action}` },
      hint.action === "" ? el("p", {}, el("b", {}, hint.words), ":") : el(
        "button",
        { class: "hint-head", type: "button", "data-key": `show-${hint.action}`, "aria-pressed": String(at === drawn()), disabled: !hint.mark, onclick: () => pick(hint.action) },
        hint.tile ? el("span", { class: "hint-tile" }, drawTile(hint.tile)) : null,
        el("b", {}, hint.words),
      ),
      hint.gain ? el("p", { class: "hint-worth" }, el("b", {}, gained(hint.gain)), hint.chance ? ` \u00b7 ${say("{chance} % to win", { chance: hint.chance[0] })}` : null) : null,
      reasons.length ? el("p", {}, reasons.join(" ")) : null,
      hint.mind ? el("p", { class: "quiet" }, hint.mind) : null,
    );
  }

  /** Which hint is drawn on the table: the one that was tapped, else the best. */
  function drawn() {
    const hints = told?.hints ?? [];
    return Math.max(0, hints.findIndex((hint) => hint.action === shown));
  }

  /** What is legal: every tile once, whose places are drawn when it is tapped, and whatever else may be done. */
  function legal(hints) {
    const tiles = new Map(hints.filter((hint) => hint.tile).map((hint) => [hint.tile.join("-"), hint]));
    return [
      tiles.size ? el("div", { class: "tile-picker" }, ...[...tiles].map(([key, hint]) => el("button", { class: "tile-choice", type: "button", "aria-label": hint.tile.join("|"), "aria-pressed": String(hint.tile.join() === hints[drawn()].tile?.join()), "data-key": `legal-${key}`, onclick: () => pick(hint.action) }, drawTile(hint.tile)))) : null,
      el("ul", {}, ...hints.filter((hint) => !hint.tile).map((hint) => el("li", {}, hint.words))),
    ];
  }

  return {
    /** Where the tiles of the hint that is shown would lie; of what is legal all places of one tile. */
    marks(table) {
      if (asked !== subject(table) || !told?.hints?.length) return [];
      const one = told.hints[drawn()];
      const shown = table.hints === "legal" ? told.hints.filter((hint) => hint.tile && hint.tile.join() === one.tile?.join()) : [one];
      return shown.map((hint) => hint.mark).filter(Boolean);
    },
    draw(table) {
      const alone = table.players.length === 1;
      const mine = table.plays && table.turn !== null && (table.you === table.turn || (alone && table.host));
      place.hidden = !mine;
      if (!mine) return;
      if (asked !== subject(table)) asked = told = null;
      const hints = told?.hints ?? [];
      const common = hints.length > 1 ? hints[0].reasons.filter((reason) => hints.every((hint) => hint.reasons.includes(reason))) : [];
      redraw(
        place,
        el("h2", {}, say("Hints")),
        asked === null || told?.error ? el("button", { class: "button", type: "button", "data-key": "hint", onclick: () => ask(subject(table)) }, QUESTIONS[table.hints]) : null,
        told?.error ? el("p", { class: "quiet" }, told.error) : null,
        common.length ? el("p", { class: "quiet" }, say("For each of them: {reasons}", { reasons: common.join(" ") })) : null,
        hints.length ? (table.hints === "legal" ? legal(hints) : el("ol", { class: "hint-list" }, ...hints.map((hint, at) => item(hint, at, common)))) : null,
        hints.some((hint) => hint.gain) ? el("p", { class: "quiet" }, table.players.length > 1 ? say("Points are what you gain on the best other player until the round ends, on average.") : say("Points are what you gain until the end, on average.")) : null,
        asked !== null && !told?.error && !told?.settled ? el("p", { class: "quiet", role: "status" }, told ? say("Still thinking\u2026") : say("Thinking\u2026")) : null,
      );
    },
  };
}

/** What a hint is about: all that was entered, and the hand that was told. */
function subject(table) {
  return `${table.deeds}: ${table.players[table.you]?.hand}`;
}

/** Points that are gained on the best other player until the round ends, and how far that may be off. */
function gained([mean, around]) {
  return `${mean < 0 ? "\u2212" : "+"}${count(Math.abs(mean), "{number} point", "{number} points")}${around ? ` \u00b1 ${around}` : ""}`;
}
