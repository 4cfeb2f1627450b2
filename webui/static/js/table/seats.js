// How seats are told apart: by name, by shape, and by colour beside.

import { svg } from "../parts/dom.js";

const SHAPES = [
  () => svg("circle", { cx: 8, cy: 8, r: 6.2 }),
  () => svg("rect", { x: 2.3, y: 2.3, width: 11.4, height: 11.4, rx: 1.4 }),
  () => svg("path", { d: "M8 1.4 15 14H1Z" }),
  () => svg("path", { d: "M8 .8 15.2 8 8 15.2.8 8Z" }),
  () => svg("path", { d: "M8 .8 10.1 5.6 15.3 6.1 11.4 9.5 12.5 14.6 8 11.9 3.5 14.6 4.6 9.5.7 6.1 5.9 5.6Z" }),
  () => svg("path", { d: "M4.4 1.8H11.6L15.2 8 11.6 14.2H4.4L.8 8Z" }),
  () => svg("path", { d: "M5.6 1.4H10.4V5.6H14.6V10.4H10.4V14.6H5.6V10.4H1.4V5.6H5.6Z" }),
  () => svg("path", { d: "M8 .8C11 4.6 13.4 6.8 13.4 9.7A5.4 5.4 0 0 1 2.6 9.7C2.6 6.8 5 4.6 8 .8Z" }),
];
const SHAPE_NAMES = ["circle", "square", "triangle", "diamond", "star", "hexagon", "cross", "drop"];

/** The sign of a seat. */
export function seatSign(seat) {
  return svg("svg", { class: `sign seat-${seat}`, viewBox: "0 0 16 16", "aria-hidden": "true" }, SHAPES[seat % SHAPES.length]());
}

/** The name of a seat's sign, for a legend. */
export function signName(seat) {
  return SHAPE_NAMES[seat % SHAPES.length];
}
