// Draws tiles and halves as they lie on the table, with true pips.

import { svg } from "./dom.js";
import { pipPlaces, pipRadius } from "./pips.js";

function half(pips, left) {
  if (pips === null || pips < 0) {
    return svg("text", { class: "tile-unknown", x: left + 0.5, y: 0.69, "text-anchor": "middle", "font-size": 0.55 }, "?");
  }
  const radius = pipRadius(pips);
  const dots = pipPlaces(pips).map(([along, across]) => svg("circle", { cx: left + along, cy: across, r: radius }));
  return svg("g", { class: "tile-pips" }, dots);
}

/** The parts of a tile that lies left to right with its upper left corner at 0, 0; to be put into a drawing. */
export function tileParts(ends) {
  return [
    svg("rect", { class: "tile-edge", x: 0, y: 0.03, width: 2, height: 1, rx: 0.15 }),
    svg("rect", { class: "tile-face", x: 0, y: 0, width: 2, height: 1, rx: 0.15 }),
    svg("path", { class: "tile-bar", d: "M1 .14V.86" }),
    half(ends[0], 0),
    half(ends[1], 1),
  ];
}

/** The parts of a tile that lies face down. */
export function backParts() {
  return [
    svg("rect", { class: "tile-edge", x: 0, y: 0.03, width: 2, height: 1, rx: 0.15 }),
    svg("rect", { class: "tile-back", x: 0, y: 0, width: 2, height: 1, rx: 0.15 }),
    svg("rect", { class: "tile-back-line", x: 0.14, y: 0.14, width: 1.72, height: 0.72, rx: 0.1 }),
  ];
}

/** A whole tile, first end left; `ends` may hold null for an end that is not known yet. */
export function drawTile(ends) {
  return svg(
    "svg",
    { class: "tile-drawing", viewBox: "-0.03 -0.03 2.06 1.09", "aria-hidden": "true", focusable: "false" },
    ...tileParts(ends),
  );
}

/** A whole tile standing upright, first end above. */
export function drawStandingTile(ends) {
  return svg(
    "svg",
    { class: "tile-drawing standing", viewBox: "-1.06 -0.03 1.09 2.06", "aria-hidden": "true", focusable: "false" },
    svg("g", { transform: "rotate(90)" }, ...tileParts(ends)),
  );
}

/** One half alone, for choosing a number. */
export function drawHalf(pips) {
  return svg(
    "svg",
    { class: "half-drawing", viewBox: "-0.03 -0.03 1.06 1.06", "aria-hidden": "true", focusable: "false" },
    svg("rect", { class: "tile-face", x: 0, y: 0, width: 1, height: 1, rx: 0.15 }),
    half(pips, 0),
  );
}
