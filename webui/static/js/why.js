// Why the referee believes what it does: asks again and again, and shows what was weighed, likeliest first.

import { el, redraw } from "./parts/dom.js";
import { decimal, say } from "./parts/words.js";

const EVERY_MS = 1500;
const FOR = [say("a little for it: "), say("for it: "), say("strongly for it: ")];
const AGAINST = [say("a little against it: "), say("against it: "), say("strongly against it: ")];
const STRONG = [1, 4]; // nats from which on a reason has two signs, and three

const page = document.getElementById("why");
const lost = document.getElementById("why-lost");
const figure = document.getElementById("why-picture");
const game = document.getElementById("why-game");
const tiles = document.getElementById("why-tiles");
const DECISIONS = {
  nothing: say("The table is as the game says."), play: say("A play is believed."), undo: say("A play was taken back."), illegal: say("A rule is broken."),
  unfinished: say("A turn is not finished."), ask: say("It is not sure, and asks."), "out-of-sync": say("Nothing explains the table."),
};

let pictured = null; // the time of the picture that is shown

function percent(share) {
  if (share > 0.9995) return say("over {share} %", { share: decimal(99.9) });
  return share < 0.0005 ? say("under {share} %", { share: decimal(0.1) }) : `${decimal(100 * share)} %`;
}

/** What speaks for something, or against it, with the more signs the stronger it is. */
function reasons(way, told) {
  return told.map(([what, nats]) => {
    const signs = 1 + STRONG.filter((least) => nats >= least).length;
    return el("li", { class: way },
      el("span", { class: "way", "aria-hidden": "true" }, (way === "for" ? "+" : "−").repeat(signs)),
      el("span", { class: "only-heard" }, (way === "for" ? FOR : AGAINST)[signs - 1]), what);
  });
}

function item(title, share, believed, more, key) {
  return el("li", { "data-key": key, class: believed ? "believed" : "" },
    el("p", { class: "why-title" }, el("span", {}, ...title), el("b", { class: "share" }, percent(share))),
    el("meter", { min: 0, max: 1, value: share, "aria-label": say("how likely") }),
    more.length ? el("ul", { class: "why-reasons" }, ...more) : null);
}

function showGame(told) {
  if (!told) return redraw(game, el("li", { class: "quiet" }, say("No game has been looked at yet.")));
  const likeliest = told.explanations.map((each, at) =>
    item([each.words.join(" ")], each.share, at === 0, reasons("against", each.against), `play-${at}`));
  redraw(game, el("li", { class: "quiet", "data-key": "decision" }, DECISIONS[told.decision] ?? ""), ...likeliest);
}

function showTable(told) {
  if (!told) return redraw(tiles, el("li", { class: "quiet" }, say("The first picture is believed as it is read. Changes are weighed.")));
  if (!told.tiles.length) return redraw(tiles, el("li", { class: "quiet" }, say("Nothing is new, gone or in doubt.")));
  redraw(tiles, ...told.tiles.map((tile) =>
    item([el("span", { class: "number" }, String(tile.number)), tile.words], tile.share, tile.believed,
      [...reasons("for", tile.for), ...reasons("against", tile.against)], `tile-${tile.number}`)));
}

function showPicture(told) {
  if (!told || told.time === pictured) return;
  pictured = told.time;
  const image = figure.querySelector("img");
  image.onload = () => { figure.hidden = false; };
  image.src = `${page.dataset.picture}?at=${told.time}`;
  figure.querySelector("figcaption").textContent = say("Blue: believed. Orange and dashed: not.");
}

async function ask() {
  try {
    const answer = await fetch(page.dataset.account, { cache: "no-store", signal: AbortSignal.timeout(4 * EVERY_MS) });
    if (!answer.ok) throw new Error(answer.statusText);
    const told = await answer.json();
    showGame(told.game);
    showTable(told.table);
    showPicture(told.table);
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
  setTimeout(ask, EVERY_MS);
}

ask();
