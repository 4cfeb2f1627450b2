// The outlines and readings on a photo, and which tile a finger means.

import { svg } from "../parts/dom.js";
import { typicalLength } from "./crop.js";
import { tileName } from "./hand.js";

const NEAR = 24; // CSS pixels around a tile that still count as touching it: a finger needs 44 across
const LABEL = 13; // CSS pixels
const SMALLEST_LABEL = 9;

/** Photo pixels per CSS pixel. */
export function pixelsPerDot(drawing) {
  const [, , width, height] = drawing.getAttribute("viewBox").split(" ").map(Number);
  const room = drawing.getBoundingClientRect();
  return Math.max(width / (room.width || width), height / (room.height || height));
}

/** Draws the outlines and readings of a photo's tiles anew; `scale` is in photo pixels per CSS pixel. */
export function drawMarks(overlay, photo, tiles, chosen, scale) {
  const length = typicalLength(photo, tiles);
  const centres = new Map(tiles.map((tile) => [tile.id, tileCentre(tile)]).filter(([, centre]) => centre));
  const othersThan = (id) => [...centres].filter(([other]) => other !== id).map(([, centre]) => centre);
  const order = [...tiles].sort((one, other) => (one.id === chosen.tile) - (other.id === chosen.tile));
  overlay.replaceChildren(
    ...photo.facedown.map((corners) => svg("polygon", { class: "facedown", points: corners.join(" ") })),
    ...order.filter((tile) => centres.has(tile.id)).map((tile) =>
      drawMark(tile, tile.id === chosen.tile, labelPlace(tile, othersThan(tile.id), length, 0.4 * LABEL * scale), scale, length)),
    ...(chosen.spot ? [drawSpot(chosen.spot, scale)] : []),
  );
}

function drawMark(tile, selected, place, scale, length) {
  const kind = tile.unsure && !tile.checked ? "unsure" : tile.by === "you" ? "yours" : "sure";
  const centre = tileCentre(tile);
  const shape = tile.corners
    ? ["casing", "line"].map((part) => svg("polygon", { class: part, points: tile.corners.join(" ") }))
    : ["casing", "line"].map((part) => svg("circle", { class: part, cx: centre[0], cy: centre[1], r: Math.max(length / 4, 14 * scale) }));
  return svg("g", { class: `mark ${kind}${selected ? " selected" : ""}`, "data-tile": tile.id }, shape, drawLabel(tile, kind, place, scale, length));
}

/** The reading, on the rim of the tile so that its pips stay visible. */
function drawLabel(tile, kind, [x, y], scale, length) {
  const text = tileName(tile.ends) + (kind === "unsure" ? " ?" : "");
  const size = Math.min(LABEL, Math.max(SMALLEST_LABEL, (0.3 * length) / scale)) * scale;
  const [width, height] = [size * (0.58 * text.length + 0.7), size * 1.4];
  return svg("g", { class: "label" },
    svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2.6 }),
    svg("text", { x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle" }, text));
}

/** Beside the long side of a tile that has the most room, the lower of equal ones; `out` is how far it may stand off. */
function labelPlace(tile, others, length, out) {
  if (!tile.corners) return tile.at;
  const [first, second, third, fourth] = tile.corners;
  const [x, y] = tileCentre(tile);
  const sides = [middle(second, third), middle(fourth, first)].map((side) => {
    const beyond = [side[0] + 0.5 * (side[0] - x), side[1] + 0.5 * (side[1] - y)];
    const room = Math.min(length, ...others.map((other) => apart(other, beyond)));
    return { side, room, worth: room / length + 0.1 * Math.sign(side[1] - y) };
  });
  const { side, room } = sides.sort((one, other) => other.worth - one.worth)[0];
  const share = room < 0.6 * length ? 0 : out / (apart(side, [x, y]) || 1);
  return [side[0] + share * (side[0] - x), side[1] + share * (side[1] - y)];
}

function middle(one, other) {
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}

function drawSpot([x, y], scale) {
  return svg("g", { class: "spot" },
    svg("circle", { class: "casing", cx: x, cy: y, r: 20 * scale }),
    svg("circle", { class: "line", cx: x, cy: y, r: 20 * scale }),
    svg("path", { class: "line", d: `M${x - 8 * scale} ${y}h${16 * scale}M${x} ${y - 8 * scale}v${16 * scale}` }));
}

function tileCentre(tile) {
  if (!tile.corners) return tile.at;
  return [0, 1].map((axis) => tile.corners.reduce((sum, corner) => sum + corner[axis], 0) / 4);
}

// A finger on the picture

/** Where in the photo, in its pixels, a finger or mouse came down. */
export function photoPoint(drawing, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  return [point.x, point.y];
}

/** The tile at (or close to) a point and which of its ends is nearer: { tile, end }; null for bare table. */
export function touched(tiles, at, scale) {
  const hits = tiles
    .map((tile) => ({ tile, away: distance(tile, at), centre: tileCentre(tile) }))
    .filter(({ centre, away }) => centre && away <= NEAR * scale)
    .sort((one, other) => one.away - other.away || apart(one.centre, at) - apart(other.centre, at));
  return hits.length ? { tile: hits[0].tile, end: nearerEnd(hits[0].tile, at) } : null;
}

function apart([x, y], [otherX, otherY]) {
  return Math.hypot(x - otherX, y - otherY);
}

/** How far a point lies outside a tile, 0 within it. */
function distance(tile, at) {
  if (!tile.corners) return tile.at ? apart(tile.at, at) : Infinity;
  const sides = tile.corners.map((corner, index) => [corner, tile.corners[(index + 1) % 4]]);
  const inside = sides.every(([[x, y], [toX, toY]]) => (toX - x) * (at[1] - y) - (toY - y) * (at[0] - x) >= 0);
  return inside ? 0 : Math.min(...sides.map(([from, to]) => toSegment(at, from, to)));
}

function toSegment(at, from, to) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const share = Math.min(1, Math.max(0, ((at[0] - from[0]) * dx + (at[1] - from[1]) * dy) / (dx * dx + dy * dy || 1)));
  return apart(at, [from[0] + share * dx, from[1] + share * dy]);
}

function nearerEnd(tile, at) {
  if (!tile.corners) return 0;
  const [first, second, third, fourth] = tile.corners;
  return apart(middle(first, second), at) <= apart(middle(third, fourth), at) ? 0 : 1;
}
