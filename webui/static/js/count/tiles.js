// The list of tiles: each as it looks in the photo above, as it was read below, so that one glance compares the two.

import { count, el } from "../parts/dom.js";
import { drawTile } from "../parts/tile.js";
import { pips, tileName, tileWords } from "./hand.js";

/** A list item per tile; `cropOf(tile)` gives its canvas or null, `acts.open(tile)` starts changing it. */
export function tileItems(tiles, chosen, marked, cropOf, acts) {
  return tiles.map((tile) => {
    const open = tile.unsure && !tile.checked;
    const note = open ? "check" : marked.has(tile.id) ? "too many" : tile.by === "you" ? "by you" : "";
    return el("li", { "data-key": `item-${tile.id}` },
      el("button", {
        type: "button",
        class: `tile${open ? " unsure" : ""}${marked.has(tile.id) ? " odd" : ""}`,
        "data-key": `tile-${tile.id}`,
        "aria-expanded": String(tile.id === chosen),
        "aria-label": `${tileWords(tile.ends)}, ${count(pips(tile), "pip")}${open ? ", please check" : note ? `, ${note}` : ""}. Change`,
        onclick: () => acts.open(tile),
      },
      cropOf(tile),
      drawTile(tile.ends),
      el("span", { class: "tile-line" },
        el("span", { class: "tile-name" }, tileName(tile.ends)),
        note && el("span", { class: "tile-note" }, open ? el("span", { class: "ask" }, "?") : null, note))));
  });
}
