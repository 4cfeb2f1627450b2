// Everybody at the table: scores with their reasons, chips, and how many tiles are left.

import { el, redraw } from "../parts/dom.js";
import { drawTile } from "../parts/tile.js";
import { count, say } from "../parts/words.js";
import { name } from "./picker.js";
import { seatSign } from "./seats.js";

const LONG_NAME = 9; // letters: longer ones have a row of their own

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
            class: "player-head", type: "button", "data-key": `reasons-${player.seat}`, "aria-expanded": String(open), onclick: () => toggle(player.seat),
          },
          el("span", { class: player.name.length > LONG_NAME ? "player-name long" : "player-name" }, seatSign(player.seat), el("span", {}, player.name)),
          el("b", { class: "score" }, String(player.score)),
          heard(count(player.score, "point", "points")),
          el("span", { class: "player-facts" }, ...facts(player, table)),
          heard(say("Why?")),
        ),
        open ? reasons(player, mark, marked) : null,
        player.known.length ? known(player) : null,
      );
    }),
  );
}

/** The tiles that all know to be in a hand. */
function known({ known: tiles }) {
  const words = say("Bought in the open, still in the hand");
  return el("div", { class: "known", role: "img", title: words, "aria-label": `${words}: ${tiles.map(name).join(", ")}` }, ...tiles.map((tile) => drawTile(tile)));
}

/** What is only heard: numbers get their words, since they stand alone where they are seen. */
function heard(words) {
  return el("span", { class: "only-heard" }, ` ${words} `);
}

function facts(player, table) {
  const found = [];
  if (table.turn === player.seat) found.push(el("span", { class: "turn-mark" }, say("to move")));
  if (table.outcome?.winners.includes(player.seat)) found.push(el("span", { class: "turn-mark" }, say("wins")));
  if (!table.outcome && table.leaders.includes(player.seat)) found.push(el("span", {}, table.leaders.length > 1 ? say("leads with others") : say("leads")));
  if (player.kept) found.push(el("span", {}, player.kept));
  if (table.you === player.seat) found.push(el("span", { class: "you" }, say("you")));
  if (player.chips !== null) found.push(chipRow(player.chips));
  if (player.count !== null && table.history.length) found.push(el("span", {}, count(player.count, "{number} tile", "{number} tiles")));
  return found;
}

function chipRow(chips) {
  return el("span", { class: "chips" }, ...Array.from({ length: 4 }, (_, at) => el("i", { class: at < chips ? "chip" : "chip spent" })), el("span", { class: "chip-count" }, String(chips)), heard(count(chips, "chip", "chips")));
}

function reasons(player, mark, marked) {
  const rows = player.parts.map((part) => {
    const here = marked?.seat === player.seat && marked.column === part.column && part.column !== null;
    const label = part.column === null
      ? el("span", {}, part.label)
      : el("button", { class: "link", type: "button", "data-key": `column-${player.seat}-${part.column}`, "aria-pressed": String(here), onclick: () => mark(player.seat, part.column) }, part.label);
    return el("tr", { "data-key": `${player.seat}-${part.label}` }, el("th", { scope: "row" }, label, el("span", { class: "why" }, part.why)), el("td", {}, signed(part.points)));
  });
  return el("table", { class: "reasons" }, el("tbody", {}, ...rows), el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, say("Together")), el("td", {}, String(player.score)))));
}

function signed(points) {
  return points < 0 ? `\u2212${-points}` : String(points);
}
