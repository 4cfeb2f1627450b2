// Draws what lies on the table: tiles at their places, and the places where one may go.

import { svg } from "../parts/dom.js";
import { backParts, tileParts } from "../parts/tile.js";

function at({ x, y, turn }) {
  return `translate(${x} ${y}) rotate(${turn}) translate(-1 -0.5)`;
}

/** A tile at its place; `looks` are classes, as `new`, `ghost` or `bad`. */
export function placedTile(tile, looks = "") {
  const lying = tile.turn % 180 === 0;
  const corner = `translate(${tile.x + (lying ? 0.94 : 0.44)} ${tile.y - (lying ? 0.44 : 0.94)})`; // beside the pips
  const level = tile.level > 1
    ? svg("g", { class: "level", transform: corner }, svg("circle", { r: 0.23 }), svg("text", { y: 0.12, "text-anchor": "middle", "font-size": 0.34 }, tile.level))
    : null;
  return svg(
    "g",
    { class: `laid ${looks} ${tile.level > 1 ? "stacked" : ""}`, "data-key": tile.key },
    svg("g", { transform: at(tile) }, ...(tile.ends ? tileParts(tile.ends) : backParts())),
    level,
    tile.touch === undefined ? null : touchMark(tile),
  );
}

/** The tile that is touched next, and the number to say. */
function touchMark({ x, y, touch }) {
  return svg(
    "g",
    { class: "touch" },
    svg("rect", { x: x - 0.58, y: y - 1.08, width: 1.16, height: 2.16, rx: 0.24 }),
    svg("circle", { cx: x + 0.52, cy: y - 1.02, r: 0.36 }),
    svg("text", { x: x + 0.52, y: y - 0.85, "text-anchor": "middle", "font-size": 0.48 }, touch),
  );
}

const LONGEST_NAME = 9;

/** Simple shapes around a middle, as the scene has them: a coin, a marker, a player's name. */
export function drawnPart({ key, look, x, y, shapes }, players) {
  const said = ({ words, seat }) => (seat === undefined ? words : short(players[seat].name));
  return svg("g", { class: look, transform: `translate(${x} ${y})`, "data-key": key }, ...shapes.map((one) => svg(one.tag, one.values, said(one))));
}

function short(name) {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}\u2026` : name;
}

/** A tile that may not lie there: framed, with a cross beside its pips, so that it is seen without colour too. */
export function badTile(tile) {
  const lying = tile.turn % 180 === 0;
  const corner = `translate(${tile.x + (lying ? 1.1 : 0.6)} ${tile.y - (lying ? 0.6 : 1.1)})`;
  return svg(
    "g",
    { class: "bad-tile", "data-key": "bad" },
    placedTile({ ...tile, key: "bad-tile" }),
    svg(
      "g",
      { transform: at(tile) },
      svg("rect", { class: "bad-frame", x: -0.12, y: -0.12, width: 2.24, height: 1.24, rx: 0.22 }),
    ),
    svg("g", { class: "bad-cross", transform: corner }, svg("circle", { r: 0.36 }), svg("path", { d: "M-.14 -.14 .14 .14M.14 -.14-.14 .14" })),
  );
}

/** A place where a tile would be allowed, only shown. */
export function allowedPlace(place) {
  return svg(
    "g",
    { class: "allowed", "data-key": `allowed-${place.x}-${place.y}-${place.turn}` },
    svg("g", { transform: at(place) }, svg("rect", { x: 0.08, y: 0.08, width: 1.84, height: 0.84, rx: 0.14 })),
  );
}

/** An empty place for a tile, as a button; where words beside the drawing name it, its number there. */
export function openPlace(place, label, number, onclick) {
  const press = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onclick(event);
  };
  return svg(
    "g",
    { class: "place", role: "button", tabindex: 0, "aria-label": label, "data-key": `spot-${place.x}-${place.y}-${place.turn % 180}`, onclick, onkeydown: press },
    svg("g", { transform: at(place) }, svg("rect", { x: 0.08, y: 0.08, width: 1.84, height: 0.84, rx: 0.14 })),
    number === null
      ? null
      : svg("g", { transform: `translate(${place.x} ${place.y})`, "aria-hidden": "true" }, svg("circle", { r: 0.34 }), svg("text", { y: 0.17, "text-anchor": "middle", "font-size": 0.47 }, number)), // places beside each other do not touch
  );
}

/** The number that is open at an end of the line. */
export function openEnd(end) {
  const { x, y } = end.single;
  return svg(
    "g",
    { class: "open-end", transform: `translate(${x} ${y})`, "data-key": `end-${end.arm}`, "aria-hidden": "true" },
    svg("circle", { r: 0.42 }),
    svg("text", { y: 0.2, "text-anchor": "middle", "font-size": 0.56 }, end.number),
  );
}

/** A whole drawing; `box` is x, y, width, height; turned: by so many degrees, a quarter at a time, with its words upright. */
export function drawing(box, label, turned, ...parts) {
  return svg("svg", { class: "scene", viewBox: turnedBox(box, turned).join(" "), role: "group", "aria-label": label }, turned ? svg("g", { transform: `rotate(${turned})`, class: "turned" }, ...parts) : parts);
}

/** What a box becomes when the drawing in it is turned about 0, 0. */
export function turnedBox([x, y, width, height], turned) {
  return { 0: [x, y, width, height], 90: [-y - height, x, height, width], 180: [-x - width, -y - height, width, height], 270: [y, -x - width, height, width] }[turned];
}
