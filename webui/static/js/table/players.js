// Everybody at the table: scores with their reasons, chips, and how many tiles are left.

import { count, el, redraw } from "../parts/dom.js";
import { drawTile } from "../parts/tile.js";
import { seatSign } from "./seats.js";

/** Draws the players; `shown` is the seat whose reasons are open, `toggle` opens and shuts them, `mark` points at a column. */
export function drawPlayers(place, table, { shown, toggle, mark, marked }) {
  place.dataset.seats = table.players.length;
  redraw(
    place,
    ...table.players.map((player) => {
      const open = shown === player.seat;
      const leads = table.outcome ? table.outcome.winners.includes(player.seat) : null;
      return el(
        "li",
        { class: `player ${table.turn === player.seat ? "to-move" : ""} ${leads ? "wins" : ""}`, "data-key": `player-${player.seat}` },
        el(
          "button",
          {
            class: "player-head", type: "button", "data-key": `reasons-${player.seat}`, "aria-expanded": String(open),
            "aria-label": heading(player, table), onclick: () => toggle(player.seat),
          },
          el("span", { class: "player-name" }, seatSign(player.seat), el("span", {}, player.name)),
          el("b", { class: "score" }, String(player.score)),
          el("span", { class: "player-facts" }, ...facts(player, table)),
        ),
        open ? reasons(player, mark, marked) : null,
        player.known.length ? el("div", { class: "known", title: "Bought in the open, still in the hand" }, ...player.known.map((tile) => drawTile(tile))) : null,
      );
    }),
  );
}

function heading(player, table) {
  const turn = table.turn === player.seat ? ", to move" : "";
  const chips = player.chips === null ? "" : `, ${count(player.chips, "chip")}`;
  const you = table.you === player.seat ? " (you)" : "";
  return `${player.name}${you}: ${player.score} points${chips}${turn}. Why?`;
}

function facts(player, table) {
  const found = [];
  if (table.turn === player.seat) found.push(el("span", { class: "turn-mark" }, "to move"));
  if (table.outcome?.winners.includes(player.seat)) found.push(el("span", { class: "turn-mark" }, "wins"));
  if (!table.outcome && table.leaders.includes(player.seat)) found.push(el("span", {}, table.leaders.length > 1 ? "leads with others" : "leads"));
  if (player.kept) found.push(el("span", {}, player.kept));
  if (table.you === player.seat) found.push(el("span", { class: "you" }, "you"));
  if (player.chips !== null) found.push(chipRow(player.chips));
  if (player.count !== null && table.history.length) found.push(el("span", {}, count(player.count, "tile")));
  return found;
}

function chipRow(chips) {
  return el("span", { class: "chips" }, ...Array.from({ length: 4 }, (_, at) => el("i", { class: at < chips ? "chip" : "chip spent" })), el("span", { class: "chip-count" }, String(chips)));
}

function reasons(player, mark, marked) {
  const rows = player.parts.map((part) => {
    const here = marked?.seat === player.seat && marked.column === part.column && part.column !== null;
    const label = part.column === null
      ? el("span", {}, part.label)
      : el("button", { class: "link", type: "button", "data-key": `column-${player.seat}-${part.column}`, "aria-pressed": String(here), onclick: () => mark(player.seat, part.column) }, part.label);
    return el("tr", { "data-key": `${player.seat}-${part.label}` }, el("th", { scope: "row" }, label, el("span", { class: "why" }, part.why)), el("td", {}, signed(part.points)));
  });
  return el("table", { class: "reasons" }, el("tbody", {}, ...rows), el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "Together"), el("td", {}, String(player.score)))));
}

function signed(points) {
  return points < 0 ? `\u2212${-points}` : String(points);
}
