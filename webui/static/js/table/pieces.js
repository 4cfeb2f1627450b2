// The board, coins, pawns and dice of Dominoids, drawn in cells; every suit has its own shape, so that no colour is needed.

import { svg } from "../parts/dom.js";

const SUITS = {
  suns: "M0-.3A.3.3 0 1 1 0 .3 .3.3 0 1 1 0-.3ZM0-.46V-.36M0 .36V.46M-.46 0H-.36M.36 0H.46M-.33-.33-.25-.25M.25.25.33.33M.33-.33.25-.25M-.25.25-.33.33",
  moons: "M.14-.4A.42.42 0 1 0 .14 .4 .33.33 0 0 1 .14-.4Z",
  crowns: "M-.4.3V-.22L-.2 0 0-.34 .2 0 .4-.22V.3Z",
  arms: "M-.34-.36H.34V0C.34.24.12.36 0 .44-.12.36-.34.24-.34 0Z",
};
const FACES = ["", "A", "2", "3", "4", "5"];

function suit(name, size) {
  return svg("path", { class: `suit ${name}`, d: SUITS[name], transform: `scale(${size})` });
}

/** The board: squares of two by two cells, and the names of columns and rows. */
export function cells(side) {
  const squares = [];
  for (let x = 0; x < side; x += 2) {
    for (let y = 0; y < side; y += 2) squares.push(svg("rect", { class: (x + y) % 4 ? "square" : "square dark", x: x - 0.5, y: y - 0.5, width: 2, height: 2 }));
  }
  const lines = [];
  for (let at = 1; at < side; at += 1) lines.push(`M-.5 ${at - 0.5}H${side - 0.5}M${at - 0.5}-.5V${side - 0.5}`);
  const names = [];
  for (let at = 0; at < side; at += 1) {
    names.push(svg("text", { class: "cell-name", x: at, y: side - 0.14, "text-anchor": "middle", "font-size": 0.32 }, "abcdefgh"[at]));
    names.push(svg("text", { class: "cell-name", x: -0.78, y: side - 1 - at + 0.12, "text-anchor": "middle", "font-size": 0.32 }, String(at + 1)));
  }
  return svg("g", { class: "cells", "data-key": "cells", "aria-hidden": "true" }, ...squares, svg("path", { class: "cell-lines", d: lines.join("") }), ...names);
}

/** A coin: its suit, and its value once it is turned up. */
export function coin({ suit: name, value, x, y }) {
  return svg(
    "g",
    { class: "coin", transform: `translate(${x} ${y})`, "data-key": `coin-${name}` },
    svg("circle", { r: 0.42 }),
    value === null ? suit(name, 0.6) : svg("text", { y: 0.16, "text-anchor": "middle", "font-size": 0.46 }, FACES[value] || "0"),
  );
}

/** A pawn, by its suit. */
export function pawn({ suit: name, x, y }) {
  return svg(
    "g",
    { class: "pawn", transform: `translate(${x} ${y})`, "data-key": `pawn-${name}` },
    svg("path", { class: "pawn-body", d: "M-.34.42C-.3.1-.12.06-.12-.06A.2.2 0 1 1 .12-.06C.12.06.3.1.34.42Z" }),
    svg("g", { transform: "translate(0 .22)" }, suit(name, 0.32)),
  );
}

/** A die of a suit; whether it is still to be used in this turn, and in the New box. */
export function die({ suit: name, face, new: isNew, left }, x, y) {
  return svg(
    "g",
    { class: `die ${left ? "left" : ""}`, transform: `translate(${x} ${y})`, "data-key": `die-${name}` },
    svg("rect", { x: -0.42, y: -0.42, width: 0.84, height: 0.84, rx: 0.14 }),
    svg("g", { transform: "translate(-.2 -.2)" }, suit(name, 0.34)),
    svg("text", { x: 0.1, y: 0.3, "text-anchor": "middle", "font-size": 0.5 }, FACES[face]),
    svg("text", { class: "die-box", x: 0.54, y: 0.12, "font-size": 0.34 }, isNew ? "new" : "old"),
  );
}
