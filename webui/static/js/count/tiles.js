// The list of tiles: each as it looks in the photo above, as it was read below, so that one glance compares the two.

import { el } from "../parts/dom.js";
import { drawTile } from "../parts/tile.js";
import { count, say } from "../parts/words.js";
import { pips, tileName, tileWords } from "./hand.js";

/** A list item per tile; `cropOf(tile)` gives its canvas or null, `acts.open(tile)` starts changing it. */
export function tileItems(tiles, chosen, marked, cropOf, acts) {
  return tiles.map((tile) => {
    const open = tile.unsure && !tile.checked;
    const note = open ? say("check") : marked.has(tile.id) ? say("too many") : tile.by === "you" ? say("by you") : "";
    return el("li", { "data-key": `item-${tile.id}` },
      el("button", {
        type: "button",
        class: `tile${open ? " unsure" : ""}${marked.has(tile.id) ? " odd" : ""}`,
        "data-key": `tile-${tile.id}`,
        "aria-expanded": String(tile.id === chosen),
        "aria-label": `${tileWords(tile.ends)}, ${count(pips(tile), "{number} pip", "{number} pips")}${open ? `, ${say("please check")}` : note ? `, ${note}` : ""}. ${say("Change")}`,
        onclick: () => acts.open(tile),
      },
      cropOf(tile),
      drawTile(tile.ends),
      el("span", { class: "tile-line" },
        el("span", { class: "tile-name" }, tileName(tile.ends)),
        note && el("span", { class: "tile-note" }, open ? el("span", { class: "ask" }, "?") : null, note))));
  });
}
