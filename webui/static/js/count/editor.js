// The strip in which one tile is changed, checked, removed or added. It lies beside the picture, never over the flow.

import { el } from "../parts/dom.js";
import { drawHalf, drawTile } from "../parts/tile.js";
import { say } from "../parts/words.js";
import { tileName, tileWords } from "./hand.js";

export const HIGHEST = 15;
const MANY_CANDIDATES = 3;
const END_WORDS = [say("left end"), say("right end")];

/**
 * The contents of the strip.
 * `subject`: { ends, tile or null (a new one), end: 0 or 1 chosen, crop: canvas or null, onPhoto: whether a spot was tapped }.
 * `scene`: { highest (null: any), left: how many other tiles are still to check, undoWords or null }.
 * `acts`: choose(end), pick(number), confirm(), next(), remove(), again(), undo(), close().
 */
export function editorContents(subject, scene, acts) {
  return [
    heading(subject, acts),
    el("div", { class: "compare" }, subject.crop, ends(subject, acts)),
    candidates(subject, acts),
    numbers(subject, scene, acts),
    actions(subject, scene, acts),
  ];
}

function heading({ tile, ends: shown, onPhoto }, acts) {
  const title = tile ? say("Tile {tile}", { tile: tileName(shown) }) : say("Add a tile");
  const hint = tile ? hintFor(tile) : onPhoto ? say("at the marked place") : say("Tap the picture where it lies, or just give its numbers.");
  return el("div", { class: "dock-head" },
    el("h2", { tabindex: "-1", "data-key": "dock-title" }, title),
    hint && el("p", { class: "quiet" }, hint),
    el("button", { type: "button", class: "close", "data-key": "dock-close", onclick: acts.close }, say("Done")));
}

function hintFor(tile) {
  if (tile.unsure && !tile.checked) return say("Kibitz is only {score} % sure.", { score: Math.floor(100 * tile.score) });
  return tile.by === "you" ? say("as you said") : "";
}

/** The two halves of the drawn tile, to choose which one is changed. */
function ends({ ends: shown, end: chosen }, acts) {
  const button = (end) =>
    el("button", {
      type: "button", class: "end", "data-key": `end-${end}`, "aria-pressed": String(end === chosen),
      "aria-label": say("Change the {end}: {pips}", { end: END_WORDS[end], pips: shown[end] ?? say("not given yet") }), onclick: () => acts.choose(end),
    });
  return el("div", { class: "ends", role: "group", "aria-label": say("Which end") }, drawTile(shown), button(0), button(1));
}

function candidates({ tile, end, ends: shown }, acts) {
  const likely = (tile?.candidates[end] ?? []).slice(0, MANY_CANDIDATES);
  if (!likely.length) return null;
  return el("div", { class: "candidates", role: "group", "aria-label": say("Likely numbers for the {end}", { end: END_WORDS[end] }) },
    likely.map((number) =>
      el("button", {
        type: "button", class: "candidate", "data-key": `candidate-${number}`, "aria-label": String(number),
        "aria-pressed": String(shown[end] === number), onclick: () => acts.pick(number),
      }, drawHalf(number), el("span", {}, String(number)))));
}

function numbers({ end, ends: shown }, { highest }, acts) {
  const top = Math.max(highest ?? HIGHEST, shown[0] ?? 0, shown[1] ?? 0);
  return el("div", { class: "numbers", role: "group", "aria-label": say("Any number for the {end}", { end: END_WORDS[end] }) },
    Array.from({ length: top + 1 }, (_, number) =>
      el("button", {
        type: "button", class: "number", "data-key": `number-${number}`,
        "aria-pressed": String(shown[end] === number), onclick: () => acts.pick(number),
      }, String(number))));
}

function actions({ tile, ends: shown }, { left, undoWords }, acts) {
  if (!tile) return null;
  const open = tile.unsure && !tile.checked;
  return el("div", { class: "dock-actions" },
    el("button", { type: "button", class: "button small", "data-key": "dock-remove", onclick: acts.remove }, say("Remove")),
    undoWords && el("button", { type: "button", class: "button small", "data-key": "dock-undo", "aria-label": say("Undo: {words}", { words: undoWords }), onclick: acts.undo }, say("Undo")),
    tile.by === "you" && !tile.corners && el("button", { type: "button", class: "button small", "data-key": "dock-again", onclick: acts.again }, say("Add another")),
    open && el("button", { type: "button", class: "button small primary", "data-key": "dock-confirm", "aria-label": say("Yes, it is {tile}", { tile: tileWords(shown) }), onclick: acts.confirm },
      say("Yes, {tile}", { tile: tileName(shown) })),
    !open && left > 0 && el("button", { type: "button", class: "button small primary", "data-key": "dock-next", onclick: acts.next }, say("Next to check ({left})", { left })));
}

const DIGIT_PAUSE = 1500; // milliseconds in which a second digit belongs to the first

/**
 * Keys in the strip: digits give the number of the chosen end ("1" then "2" is 12), arrows choose the end, Escape is Done.
 * `highest()` is the largest number an end may have.
 */
export function editorKeys(acts, highest, clock = () => performance.now()) {
  let typed = { text: "", time: -Infinity };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") acts.close();
    else if (event.key === "ArrowLeft") acts.choose(0);
    else if (event.key === "ArrowRight") acts.choose(1);
    else if (/^[0-9]$/.test(event.key)) {
      const now = clock();
      const joined = now - typed.time < DIGIT_PAUSE ? typed.text + event.key : event.key;
      const text = Number(joined) <= highest() ? joined : event.key;
      typed = { text, time: now };
      if (Number(text) <= highest()) acts.type(Number(text));
    } else return;
    event.preventDefault();
  };
}
