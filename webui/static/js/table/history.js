// What has been played, newest first; every entry can be changed.

import { el, redraw } from "../parts/dom.js";
import { seatSign } from "./seats.js";

const SHORT = 8;
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** The last play, with its picture. */
export function drawLast(place, table, evidence) {
  const last = table.last;
  place.hidden = !last;
  if (!last) return;
  redraw(
    place,
    el("h2", {}, "Last play"),
    last.picture ? el("figure", { class: "evidence" }, el("img", { src: evidence(last.picture), alt: "The camera's picture of the last play" })) : null,
    el("p", { class: "last-words" }, last.seat === null ? null : seatSign(last.seat), el("span", {}, last.words)),
    el("p", { class: "quiet" }, told(last)),
  );
}

function told(entry) {
  const sure = entry.sure === null ? "" : ` ${(100 * entry.sure).toFixed(entry.sure > 0.99 ? 1 : 0)} %`;
  const by = entry.who === "camera" ? `camera${sure}` : entry.who === "host" ? "by hand" : entry.who === "rules" ? "by the rules" : `by ${entry.who}`;
  return entry.undone ? `${by}, taken back` : by;
}

/** The list of entries; `change` opens one for editing. */
export function drawHistory(place, table, { change, all, showAll, evidence }) {
  const shown = all ? table.history : table.history.slice(0, SHORT);
  redraw(
    place,
    el("h2", {}, "History"),
    table.history.length === 0 ? el("p", { class: "quiet" }, "Nothing has been played yet.") : null,
    el(
      "ol",
      { class: "entries" },
      ...shown.map((entry) =>
        el(
          "li",
          { class: entry.undone ? "entry undone" : "entry", "data-key": `entry-${entry.number}` },
          entry.seat === null ? el("span", { class: "sign" }) : seatSign(entry.seat),
          el("span", { class: "entry-words" }, el("span", {}, entry.words), el("span", { class: "quiet" }, `${clock.format(entry.time * 1000)} \u00b7 ${told(entry)}`)),
          entry.pictures.length ? el("a", { class: "entry-picture", href: evidence(entry.pictures.at(-1)), target: "_blank", "aria-label": `Picture of: ${entry.words}` }, el("img", { src: evidence(entry.pictures.at(-1)), alt: "", loading: "lazy" })) : null,
          table.plays && !entry.undone ? el("button", { class: "button small", type: "button", "data-key": `change-${entry.number}`, "aria-label": `Change: ${entry.words}`, onclick: () => change(entry) }, "Change") : null,
        ),
      ),
    ),
    table.history.length > SHORT ? el("button", { class: "link", type: "button", "data-key": "all-entries", onclick: showAll }, all ? "Show fewer" : `Show all ${table.history.length}`) : null,
  );
}
