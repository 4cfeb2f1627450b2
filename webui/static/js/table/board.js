// The table itself: one drawing of it all, or one per seat, with the places for a tile that is being entered.

import { comfort } from "../parts/comfort.js";
import { el, redraw, svg } from "../parts/dom.js";
import { say } from "../parts/words.js";
import { allowedPlace, badTile, drawing, drawnPart, openEnd, openPlace, placedTile, turnedBox } from "./drawing.js";
import { seatSign } from "./seats.js";

const MOST_HEIGHT = 0.62; // of the window
const FINGER = 44; // pixels, for half a tile

/** Draws the table into `place`; `entry` is what is being entered (see enter.js), `marked` a column someone asked about. */
export function drawBoard(place, table, entry, marked) {
  const scene = table.scene;
  const boards = scene.kind === "line" ? [lineBoard(place, table, entry)] : gridBoards(place, table, entry, marked);
  redraw(place, ...boards, inWords(table));
  place.dataset.kind = scene.kind;
  if (scene.kind === "grids") place.dataset.seats = table.players.length;
}

function looks(table, key) {
  return table.news === key ? "new" : "";
}

function lineBoard(place, table, entry) {
  const shape = largest(table.scene.shapes, place.clientWidth, window.innerHeight * MOST_HEIGHT);
  const drawn = table.scene.shapes[shape];
  const parts = [...drawn.under.map((one) => drawnPart(one, table.players)), ...drawn.tiles.map((tile) => placedTile(tile, `${looks(table, tile.key)} ${tile.look ?? ""}`)), ...drawn.over.map((one) => drawnPart(one, table.players))];
  const spots = entry.spots(shape);
  if (spots.length === 0 && drawn.tiles.length) parts.push(...drawn.ends.map(openEnd));
  if (table.provisional?.shapes) parts.push(placedTile({ ...table.provisional.shapes[shape], key: "provisional" }, "ghost"));
  parts.push(...(table.hinted ?? []).filter((mark) => mark.shapes).map((mark, at) => placedTile({ ...mark.shapes[shape], key: `hinted-${at}` }, "hinted")));
  if (table.fault?.mark?.shapes) parts.push(badTile(table.fault.mark.shapes[shape]));
  if (table.fault) parts.push(...allowedPlaces(table.fault, (mark) => mark.shapes?.[shape]).map(allowedPlace));
  parts.push(...spotParts(spots, entry));
  if (!parts.length) parts.push(nothing(drawn.box));
  return el("div", { class: "board line-board", "data-key": "line" }, drawing(drawn.box, table.scene.words[0].words, Number(comfort.turned), ...parts));
}

/** What is said in the middle of an empty table. */
function nothing([x, y, width, height]) {
  return svg("text", { class: "nothing", x: x + width / 2, y: y + height / 2, "text-anchor": "middle", "font-size": width / 20, "aria-hidden": "true" }, say("No tile is laid yet"));
}

/** What lies there, for who hears the page. */
function inWords({ scene, players }) {
  const lines = scene.words.map(({ seat, words }) => (seat === null ? words : say("{name}: {words}", { name: players[seat].name, words })));
  return lines.length ? el("ul", { class: "only-heard", "data-key": "in-words", "aria-label": say("The table in words") }, ...lines.map((line) => el("li", {}, line))) : null;
}

/** Where a tile would be allowed instead of there: places that the wrong tile covers are left out. */
export function allowedPlaces(fault, placed = (mark) => (mark.shapes ? Object.values(mark.shapes)[0] : mark)) {
  const bad = fault.mark ? placed(fault.mark) : null;
  const free = fault.allowed.map(placed).filter((place) => place && !(bad && Math.hypot(place.x - bad.x, place.y - bad.y) < 0.6));
  return [...new Map(free.map((place) => [`${place.x} ${place.y} ${place.turn % 180}`, place])).values()];
}

/** The shape in which a half is drawn largest in that room. */
function largest(shapes, width, height) {
  const size = ([, drawn]) => {
    const box = turnedBox(drawn.box, Number(comfort.turned));
    return Math.min(width / box[2], height / box[3]);
  };
  return Object.entries(shapes).sort((one, other) => size(other) - size(one))[0][0];
}

/** The drawing so large that a finger hits a place on it; it is then moved about under the finger. */
function zoomed(place, [, , width, height], tapped, scene) {
  const small = Math.min(place.clientWidth / width, (window.innerHeight * MOST_HEIGHT) / height) < FINGER;
  if (!tapped || !small || !matchMedia("(pointer: coarse)").matches) return scene;
  scene.style.width = `${width * FINGER}px`;
  scene.style.height = `${height * FINGER}px`;
  return el("div", { class: "zoomed" }, scene);
}

function gridBoards(place, table, entry, marked) {
  const seats = table.scene.grids.map((_, seat) => seat);
  const order = table.you === null ? seats : [table.you, ...seats.filter((seat) => seat !== table.you)];
  const spots = entry.spots(null);
  const allowed = table.fault?.allowed ?? [];
  const hinted = table.hinted ?? [];
  const needsRoom = spots.length > 0 || hinted.length > 0 || allowed.length > 0 || Boolean(table.fault?.mark); // all at one scale, still
  return order.map((seat) => {
    const grid = table.scene.grids[seat];
    const mine = (marks) => marks.filter((mark) => mark?.seat === seat);
    const parts = grid.tiles.map((tile) => placedTile(tile, looks(table, tile.key)));
    if (marked?.seat === seat && marked.column !== null) parts.push(columnMark(grid, marked.column));
    parts.push(...mine([table.provisional]).map((mark) => placedTile({ ...mark, key: "provisional" }, "ghost")));
    parts.push(...mine(hinted).map((mark, at) => placedTile({ ...mark, key: `hinted-${at}` }, "hinted")));
    parts.push(...mine([table.fault?.mark]).map(badTile), ...spotParts(mine(spots), entry));
    if (table.fault) parts.push(...allowedPlaces(table.fault, (mark) => (mark.seat === seat ? mark : null)).map(allowedPlace));
    const player = table.players[seat];
    const heading = table.scene.what === "line" ? say("{name}'s line", { name: player.name }) : say("{name}'s grid", { name: player.name });
    const label = say("{grid}: {tiles} tiles, {score} points", { grid: heading, tiles: grid.tiles.length, score: player.score });
    return el(
      "section",
      { class: `board grid-board ${table.turn === seat ? "to-move" : ""}`, "data-key": `grid-${seat}`, "aria-label": heading },
      el("h3", { class: "board-name" }, seatSign(seat), el("span", {}, player.name), el("b", { class: "board-score" }, String(player.score))),
      parts.length ? zoomed(place, turnedBox(needsRoom ? grid.room : grid.box, Number(comfort.turned)), mine(spots).length > 0, drawing(needsRoom ? grid.room : grid.box, label, Number(comfort.turned), ...parts)) : el("p", { class: "quiet empty-grid" }, say("No tile yet")),
    );
  });
}

function columnMark(grid, column) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const values = { class: "column-mark", x: column - 0.5, y: grid.box[1], width: 1, height: grid.box[3], rx: 0.2, "data-key": "column" };
  for (const [name, value] of Object.entries(values)) node.setAttribute(name, value);
  return node;
}

/** The place whose middle was tapped most nearly: places lie over each other. */
function meant(event, spot, spots) {
  if (event.type !== "click" || !event.clientX) return spot;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(event.currentTarget.getScreenCTM().inverse());
  const far = (one) => Math.hypot(one.x - x, one.y - y);
  return spots.reduce((best, one) => (far(one) < far(best) ? one : best));
}

function spotParts(spots, entry) {
  const parts = spots.map((spot) => openPlace(spot, spot.words, spot.number, (event) => entry.pick(meant(event, spot, spots))));
  const ghost = entry.ghost(spots);
  if (ghost) parts.push(placedTile({ ...ghost, key: "chosen" }, "chosen"));
  return parts;
}
