// Tiles to choose from.

import { el } from "../parts/dom.js";
import { drawTile } from "../parts/tile.js";
import { say } from "../parts/words.js";

export function same(tile, other) {
  return tile !== null && other !== null && tile[0] === other[0] && tile[1] === other[1];
}

export function alike(tile, other) {
  return same(tile, other) || same([tile[1], tile[0]], other);
}

export function name(tile) {
  return `${tile[0]}|${tile[1]}`;
}

export function tilePicker(tiles, chosen, onchoose) {
  return el(
    "div",
    { class: "tile-picker", role: "group", "aria-label": say("Tiles") },
    ...tiles.map((tile) => el("button", { class: "tile-choice", type: "button", "aria-label": name(tile), "aria-pressed": String(chosen(tile)), "data-key": `tile-${tile.join("-")}`, onclick: () => onchoose(tile) }, drawTile(tile))),
  );
}
