// Hints for the seat whose page this is: asked for with a tap, gone when the table changes.

import { announce } from "../parts/announce.js";
import { el, redraw } from "../parts/dom.js";

const BETTER_EVERY_MS = 500;

/** Draws the hints of a seat; `url` gives them, `changed` asks to draw again. */
export function createHints(place, { url, changed }) {
  let asked = null; // the version that was asked about
  let told = null;

  async function ask(version) {
    asked = version;
    told = null;
    changed();
    await listen(version);
    if (asked === version && told?.hints?.length) announce(`Hint: ${told.hints[0].words}. ${told.hints[0].reasons[0] ?? ""}`);
    while (asked === version && told?.hints && !told.settled) {
      await new Promise((done) => setTimeout(done, BETTER_EVERY_MS));
      if (asked === version) await listen(version);
    }
  }

  /** What is known by now; better hints come while Kibitz thinks. */
  async function listen(version) {
    let answer;
    try {
      const response = await fetch(url, { headers: { Accept: "application/json" } });
      answer = await response.json();
    } catch {
      answer = { error: "Kibitz cannot be reached." };
    }
    if (asked !== version) return;
    told = answer;
    changed();
  }

  return {
    draw(table) {
      const alone = table.players.length === 1;
      const mine = table.plays && table.turn !== null && (table.you === table.turn || (alone && table.host));
      place.hidden = !mine;
      if (!mine) return;
      if (asked !== table.version) asked = told = null;
      const common = told?.hints?.length > 1 ? told.hints[0].reasons.filter((reason) => told.hints.every((hint) => hint.reasons.includes(reason))) : [];
      redraw(
        place,
        el("h2", {}, "Hints"),
        asked === null ? el("button", { class: "button", type: "button", "data-key": "hint", onclick: () => ask(table.version) }, "What would you play?") : null,
        asked !== null && told === null ? el("p", { class: "quiet", role: "status" }, "Thinking…") : null,
        told?.error ? el("p", { class: "quiet" }, told.error) : null,
        common.length ? el("p", { class: "quiet" }, `For each of them: ${common.join(" ")}`) : null,
        told?.hints ? el("ol", { class: "hint-list" }, ...told.hints.map((hint) => el("li", { "data-key": `hint-${hint.action}` }, el("b", {}, hint.words), el("span", { class: "quiet" }, hint.reasons.filter((reason) => !common.includes(reason)).join(" "))))) : null,
      );
    },
  };
}
