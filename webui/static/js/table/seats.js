// How seats are told apart: by name, by shape, and by colour beside.

import { svg } from "../parts/dom.js";

const SHAPES = [
  () => svg("circle", { cx: 8, cy: 8, r: 6.2 }),
  () => svg("rect", { x: 2.3, y: 2.3, width: 11.4, height: 11.4, rx: 1.4 }),
  () => svg("path", { d: "M8 1.4 15 14H1Z" }),
  () => svg("path", { d: "M8 .8 15.2 8 8 15.2.8 8Z" }),
];
const SHAPE_NAMES = ["circle", "square", "triangle", "diamond"];

/** The sign of a seat. */
export function seatSign(seat) {
  return svg("svg", { class: `sign seat-${seat}`, viewBox: "0 0 16 16", "aria-hidden": "true" }, SHAPES[seat % 4]());
}

/** The name of a seat's sign, for a legend. */
export function signName(seat) {
  return SHAPE_NAMES[seat % 4];
}
