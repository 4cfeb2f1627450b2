// The market: what each tile costs, and who can pay for it.

import { el, redraw } from "../parts/dom.js";
import { drawStandingTile } from "../parts/tile.js";
import { listed, say } from "../parts/words.js";
import { seatSign } from "./seats.js";

/** Draws the market; while a draw is being entered its tiles are buttons. */
export function drawMarket(place, table, entry) {
  place.hidden = table.market.length === 0 || Boolean(table.outcome); // nothing is sold any more
  if (place.hidden) return;
  redraw(
    place,
    el("h2", {}, say("Market")),
    el("ol", { class: "slots" }, ...table.market.map((slot) => el("li", { "data-key": `slot-${slot.slot}` }, slotCard(slot, table, entry)))),
    el("p", { class: "quiet legend", "aria-hidden": "true" }, say("Under each price: who can pay it.")),
    table.pile ? el("p", { class: "pile" }, el("b", {}, String(table.pile.count)), ` ${table.pile.words}`) : null,
  );
}

function slotCard(slot, table, entry) {
  const payers = slot.afford.map((seat) => table.players[seat].name);
  const told = { tile: slot.tile ? slot.tile.join("|") : say("empty"), price: slot.words, names: listed(payers) };
  const words = payers.length ? say("{tile}, {price}; can pay: {names}", told) : say("{tile}, {price}; nobody can pay", told);
  const inside = [
    slot.tile ? drawStandingTile(slot.tile) : el("span", { class: "no-tile" }, ""),
    el("b", { class: "cost" }, slot.cost === -1 ? "+1" : String(slot.cost)),
    el("span", { class: "payers", "aria-hidden": "true" }, ...(slot.tile ? table.players.map((player) => payer(player.seat, slot.afford.includes(player.seat))) : [])),
  ];
  if (entry.open && slot.action) {
    return el("button", { class: "slot live", type: "button", "data-key": `buy-${slot.slot}`, onclick: () => entry.act(slot.action) }, el("span", { class: "only-heard" }, `${say("Take {words}", { words })} `), ...inside);
  }
  return el("div", { class: "slot", role: "img", "aria-label": words }, ...inside);
}

function payer(seat, can) {
  const sign = seatSign(seat);
  sign.classList.toggle("cannot", !can);
  return sign;
}
