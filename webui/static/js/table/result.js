// What a round or the game came to: how it ended, the points of every round, and who leads or has won.

import { announce } from "../parts/announce.js";
import { count, el, redraw } from "../parts/dom.js";
import { SHARE_WORDS, shareText } from "../parts/share.js";
import { seatSign } from "./seats.js";

/** Draws the result where a round is over; `next` begins the next one, `setup` is where the host sets up another game. */
export function drawResult(place, table, { next, setup }) {
  const { result, players } = table;
  place.hidden = !result;
  if (!result) return;
  const best = table.outcome ? table.outcome.winners : table.leaders;
  const order = [...players].sort((one, other) => best.includes(other.seat) - best.includes(one.seat));
  const row = (label, cell) => el("tr", {}, el("th", { scope: "row" }, label), ...order.map((player) => el("td", { class: best.includes(player.seat) ? "best" : "" }, cell(player.seat))));
  const total = (seat) => String(players[seat].score);
  const rounds = result.rounds.length > 1 || !result.over ? result.rounds : [];
  redraw(
    place,
    el("h2", { id: "result-title" }, ...(result.over ? table.outcome.winners.map(seatSign) : []), result.title),
    result.added.length ? el("p", { class: "result-added" }, result.added.map((seat) => `${players[seat].name} gets ${count(result.rounds.at(-1)[seat], "point")}.`).join(" ")) : null,
    el(
      "div",
      { class: "result-scores" },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, el("td", {}), ...order.map((player) => el("th", { scope: "col" }, seatSign(player.seat), el("span", {}, player.name), best.includes(player.seat) ? el("span", { class: "turn-mark" }, result.over ? "wins" : "leads") : null)))),
        el("tbody", {}, ...rounds.map((points, at) => row(`Round ${at + 1}`, (seat) => String(points[seat]))), players.some((player) => player.kept) ? row("Kept", (seat) => players[seat].kept) : null),
        result.tally || result.over ? el("tfoot", {}, row(result.tally ? "Score" : "Last round", total)) : null,
      ),
    ),
    el("p", { class: "quiet" }, table.aim),
    el(
      "div",
      { class: "row" },
      !result.over && table.plays ? el("button", { class: "button primary", type: "button", "data-key": "next-round", onclick: next }, "Deal the next round") : null,
      result.over && setup ? el("a", { class: "button primary", href: setup }, "Another game") : null,
      result.over ? el("button", { class: "button", type: "button", "data-key": "share-result", onclick: () => share(table) }, SHARE_WORDS) : null,
    ),
  );
}

async function share(table) {
  const scores = table.players.map((player) => `${player.name} ${player.score}`).join(", ");
  const done = await shareText(`${table.game.title}: ${table.result.title} ${scores}. ${table.aim}`);
  announce({ shared: "Shared.", copied: "Copied.", failed: "It could not be copied." }[done]);
}
