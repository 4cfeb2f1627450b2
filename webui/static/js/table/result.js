// What a round or the game came to: how it ended, the points of every round, and who leads or has won.

import { announce } from "../parts/announce.js";
import { el, redraw } from "../parts/dom.js";
import { SHARE_WORDS, shareText } from "../parts/share.js";
import { count, say } from "../parts/words.js";
import { seatSign } from "./seats.js";

const MOST_COLUMNS = 3;
const COLUMN = 4.5; // times the page's letters: what a name and its points need

/** Draws the result where a round is over; `next` begins the next one, `again` the host's same game once more; addresses: the
 * host's set-up, and looking back. headed: whether the page's headline says who has won. */
export function drawResult(place, table, { next, again, setup, review, headed = false }) {
  const { result, players } = table;
  place.hidden = !result;
  if (!result) return;
  const best = table.outcome ? table.outcome.winners : table.leaders;
  const order = [...players].sort((one, other) => best.includes(other.seat) - best.includes(one.seat));
  redraw(
    place,
    headed && result.over
      ? el("h2", { id: "result-title", class: "only-heard" }, say("Final score"))
      : el("h2", { id: "result-title" }, ...(result.over ? table.outcome.winners.map(seatSign) : []), result.title),
    result.added.length && !result.over ? el("p", { class: "result-added" }, result.added.map((seat) => say("{name} gets {points}.", { name: players[seat].name, points: count(result.rounds.at(-1)[seat], "{number} point", "{number} points") })).join(" ")) : null,
    el(
      "div",
      { class: "row" },
      !result.over && table.plays ? el("button", { class: "button primary", type: "button", "data-key": "next-round", onclick: next }, say("Deal the next round")) : null,
      result.over && setup ? el("button", { class: "button primary", type: "button", "data-key": "again", onclick: again }, players.length > 1 ? say("Play again with the same players") : say("Play again")) : null,
      result.over && setup ? el("a", { href: setup, "data-key": "another-game" }, say("Another game")) : null,
      result.over && review ? el("a", { href: review, "data-key": "look-back" }, say("Look back")) : null,
      result.over ? el("button", { class: "link", type: "button", "data-key": "share-result", onclick: () => share(table) }, SHARE_WORDS) : null,
    ),
    el("div", { class: "result-scores" }, order.length > MOST_COLUMNS || place.clientWidth < letters() * COLUMN * (order.length + 1) ? byPlayer(table, order, best) : byRound(table, order, best)),
    el("p", { class: "quiet" }, table.aim),
  );
}

/** How large the letters of the page are, in pixels. */
function letters() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

function heading(player, best, over) {
  const mark = best.includes(player.seat) ? el("span", { class: "turn-mark" }, over ? say("wins") : say("leads")) : null;
  return [seatSign(player.seat), el("span", {}, player.name), mark];
}

/** A column a player, and a row for each round. */
function byRound({ result, players }, order, best) {
  const row = (label, cell) => el("tr", {}, el("th", { scope: "row" }, label), ...order.map((player) => el("td", { class: best.includes(player.seat) ? "best" : "" }, String(cell(player)))));
  const rounds = result.rounds.length > 1 || !result.over ? result.rounds : [];
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, el("td", {}), ...order.map((player) => el("th", { scope: "col" }, ...heading(player, best, result.over))))),
    el("tbody", {}, ...rounds.map((points, at) => row(say("Round {round}", { round: at + 1 }), ({ seat }) => points[seat])), players.some((player) => player.kept) ? row(say("Kept"), ({ kept }) => kept) : null),
    result.tally || result.over ? el("tfoot", {}, row(result.tally ? say("Score") : say("Last round"), ({ score }) => score)) : null,
  );
}

/** A row a player, where there are too many for columns: the last of several rounds, and the score. */
function byPlayer({ result }, order, best) {
  const last = result.rounds.length > 1 ? result.rounds.at(-1) : null;
  const row = (player) => [el("th", { scope: "row" }, ...heading(player, best, result.over)), last ? el("td", {}, String(last[player.seat])) : null, el("td", {}, el("b", {}, player.kept || String(player.score)))];
  return el(
    "table",
    { class: "by-player" },
    el("thead", {}, el("tr", {}, el("td", {}), ...[...(last ? [say("Round {round}", { round: result.rounds.length })] : []), say("Score")].map((words) => el("th", { scope: "col" }, words)))),
    el("tbody", {}, ...order.map((player) => el("tr", { class: best.includes(player.seat) ? "best" : "" }, ...row(player)))),
  );
}

async function share(table) {
  const scores = table.players.map((player) => `${player.name} ${player.kept || player.score}`).join(", ");
  const done = await shareText(`${table.game.title}: ${table.result.title} ${scores}. ${table.aim}`);
  announce({ shared: say("Shared."), copied: say("Copied."), failed: say("It could not be copied.") }[done]);
}
