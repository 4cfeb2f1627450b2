// A seat's own tiles, told by the player and shown to nobody else.

import { el, redraw } from "../parts/dom.js";
import { drawTile } from "../parts/tile.js";
import { say } from "../parts/words.js";

/** Draws the hand of the seat whose page this is; `tell` sends the tiles it holds. */
export function createHand(place, { tell, play, changed }) {
  let adding = false;
  return {
    draw(table) {
      const me = table.you === null || table.players[table.you].count === null ? null : table.players[table.you]; // no hands in games for one
      place.hidden = me === null;
      if (me === null) return;
      const playable = table.turn === table.you ? table.tiles.map(String) : [];
      const set = (open) => {
        adding = open;
        changed();
      };
      redraw(
        place,
        el("h2", {}, say("Your tiles")),
        el("p", { class: "quiet" }, say("Only this phone shows them.")),
        el(
          "div",
          { class: "tile-picker" },
          ...me.hand.map((tile, at) =>
            el("span", { class: "held", "data-key": `held-${tile.join("-")}-${at}` },
              el("button", { class: `tile-choice ${playable.includes(String(tile)) ? "fits" : ""}`, type: "button", "aria-label": playable.includes(String(tile)) ? say("{tile}, fits", { tile: tile.join("|") }) : tile.join("|"), "data-key": `hand-${tile.join("-")}`, onclick: () => (adding ? tell(me.hand.filter((_, other) => other !== at)) : play(tile)) }, drawTile(tile)),
            ),
          ),
        ),
        adding ? picker(me.hand, table.game.highest, tell) : null,
        el("button", { class: adding || !me.hand.length ? "button" : "link", type: "button", "data-key": "hand-change", onclick: () => set(!adding) }, adding ? say("That is my hand") : me.hand.length ? say("Change my tiles") : say("Tell which tiles I hold")),
      );
    },
  };
}

function picker(hand, highest, tell) {
  const held = hand.map(String);
  const tiles = [];
  for (let high = 0; high <= highest; high += 1) for (let low = 0; low <= high; low += 1) tiles.push([low, high]);
  return el(
    "div",
    { class: "tile-picker", role: "group", "aria-label": say("All tiles") },
    ...tiles.map((tile) => el("button", { class: "tile-choice small", type: "button", "aria-pressed": String(held.includes(String(tile))), "aria-label": tile.join("|"), "data-key": `pick-${tile.join("-")}`, onclick: () => tell(held.includes(String(tile)) ? hand.filter((one) => String(one) !== String(tile)) : [...hand, tile]) }, drawTile(tile))),
  );
}
