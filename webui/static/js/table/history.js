// What has been played, newest first; every entry can be changed.

import { el, redraw } from "../parts/dom.js";
import { language, say } from "../parts/words.js";
import { SMALL, closest, evidencePicture, whole } from "./evidence.js";
import { seatSign } from "./seats.js";
import { wordSign } from "./signs.js";

const SHORT = 8;
const DOUBTED = 0.9;
const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });

/** The last play, with its picture. */
export function drawLast(place, table, evidence) {
  const last = table.last;
  place.hidden = !last;
  if (!last) return;
  redraw(
    place,
    el("h2", {}, say("Last play")),
    evidencePicture(last.pictures, evidence, say("The camera's picture of the last play")),
    el("p", { class: "last-words" }, last.seat === null ? null : seatSign(last.seat), el("span", {}, last.words)),
    el("p", { class: "quiet" }, told(last)),
  );
}

function told(entry) {
  if (entry.action === null && !entry.pictures.length) return say("noticed by Kibitz");
  const sure = entry.sure === null || entry.sure > DOUBTED;
  const by = { camera: sure ? say("seen by the camera") : say("seen by the camera, not quite sure"), host: say("entered by hand"), rules: say("follows from the rules") }[entry.who] ?? say("entered by {who}", { who: entry.who });
  return entry.undone ? say("{by}, taken back", { by }) : by;
}

/** Entries that say the same, one after another, as one row with a count; the newest of them stands for all. */
function counted(history) {
  const rows = [];
  for (const entry of history) {
    const last = rows.at(-1);
    if (last && entry.action && !entry.undone && !last.entry.undone && entry.words === last.entry.words && entry.seat === last.entry.seat) last.times += 1;
    else rows.push({ entry, times: 1 });
  }
  return rows;
}

/** The list of entries; `change` opens one for editing. */
export function drawHistory(place, table, { change, all, showAll, evidence }) {
  const rows = counted(table.history);
  const shown = all ? rows : rows.slice(0, SHORT);
  redraw(
    place,
    el("h2", {}, say("History")),
    table.history.length === 0 ? el("p", { class: "quiet" }, say("Nothing has been played yet.")) : null,
    el(
      "ol",
      { class: "entries" },
      ...shown.map(({ entry, times }) =>
        el(
          "li",
          { class: entry.undone ? "entry undone" : entry.action ? "entry" : "entry broken", "data-key": `entry-${entry.number}` },
          entry.action === null ? wordSign("illegal") : entry.seat === null ? el("span", { class: "sign" }) : seatSign(entry.seat),
          el("span", { class: "entry-words" }, el("span", {}, times > 1 ? say("{words} ({times} times)", { words: entry.words, times }) : entry.words), el("span", { class: "quiet" }, `${clock.format(entry.time * 1000)} \u00b7 ${told(entry)}`)),
          entry.pictures.length ? el("a", { class: "entry-picture", href: whole(entry.pictures, evidence), target: "_blank", "aria-label": say("Picture of: {words}", { words: entry.words }) }, el("img", { src: closest(entry.pictures, evidence, SMALL), alt: "", loading: "lazy" })) : null,
          table.plays && entry.action && !entry.undone ? el("button", { class: "button small", type: "button", "data-key": `change-${entry.number}`, "aria-label": say("Change: {words}", { words: entry.words }), onclick: () => change(entry) }, say("Change")) : null,
        ),
      ),
    ),
    rows.length > SHORT ? el("button", { class: "link", type: "button", "data-key": "all-entries", onclick: showAll }, all ? say("Show fewer") : say("Show all {number}", { number: rows.length })) : null,
  );
}
