// Draws the counting view: the photos, the total, the notes, the strip, the tiles, the score sheet's buttons, the bar.

import { el, redraw } from "../parts/dom.js";
import { SHARE_WORDS } from "../parts/share.js";
import { say } from "../parts/words.js";
import * as hands from "./hand.js";
import { backContents, giveContents, pipWord, sumContents, waitingContents, warningContents } from "./summary.js";
import { tileItems } from "./tiles.js";

const isPending = (photo) => !["read", "failed"].includes(photo.status);

/** `table`: history, album, dock, book, page, choice, sets, acts. Gives the function that draws everything as it is now. */
export function createScreen(root, { history, album, dock, book, page, choice, sets, acts }) {
  const place = (id) => root.querySelector(`#${id}`);

  function drawPictures(shown, hand) {
    for (const photo of shown) {
      album.picture(photo).update(hand.tiles.filter((tile) => tile.photo === photo.id), dock.chosenIn(photo));
    }
    const wanted = shown.map((photo) => album.picture(photo).element);
    const there = [...place("photos").children];
    const same = wanted.length === there.length && wanted.every((element, index) => element === there[index]);
    if (!same) place("photos").replaceChildren(...wanted);
  }

  function drawSum(hand, shown) {
    const facts = {
      photos: new Set(hand.tiles.map((tile) => tile.photo).filter(Boolean)).size,
      pending: shown.filter(isPending).length,
      facedown: shown.reduce((sum, photo) => sum + photo.facedown.length, 0),
      undoWords: history.undoWords,
      redoWords: history.redoWords,
      news: page.news,
      shared: page.shared ?? SHARE_WORDS,
    };
    const contents = {
      result: () => sumContents(hand, facts, acts.sum),
      busy: () => waitingContents(facts.pending),
      empty: () => backContents(facts, acts.sum),
    };
    redraw(place("sum"), contents[root.dataset.state]());
  }

  function drawTiles(hand) {
    const over = hands.surplus(hand.tiles, choice.copies).flatMap((same) => same.tiles.slice(choice.copies));
    const open = (tile) => dock.open(tile, 0, `tile-${tile.id}`, true);
    const items = tileItems(hand.tiles, dock.tile, new Set(over.map((tile) => tile.id)), album.crop, { open });
    redraw(place("tiles"), hand.tiles.length
      ? [el("h2", { class: "only-heard" }, say("Tiles")), el("ul", { class: "tile-list" }, items)]
      : []);
  }

  /** The bar at the lower edge of a phone; the strip for a tile takes its place. */
  function drawBar(hand) {
    const open = hands.toCheck(hand.tiles).length;
    const total = hands.total(hand.tiles);
    redraw(place("bar"), root.dataset.state === "result" && !dock.isOpen
      ? [
        el("p", { class: "bar-total" }, el("b", {}, String(total)), ` ${pipWord(total)}`),
        open > 0 && el("button", { type: "button", class: "button small check", "data-key": "bar-check", onclick: acts.sum.check },
          el("span", { class: "ask" }, "?"), say("Check {open}", { open })),
        el("button", { type: "button", class: "button small primary", "data-key": "bar-photo", onclick: () => place("take-photo").click() }, say("Add a photo")),
      ]
      : []);
  }

  return () => {
    const hand = history.now;
    const shown = album.of(hand);
    const hasResult = hand.tiles.length > 0 || shown.some((photo) => photo.status === "read") || dock.isOpen;
    root.dataset.state = hasResult ? "result" : shown.length ? "busy" : "empty";
    root.setAttribute("aria-busy", String(shown.some(isPending)));
    drawPictures(shown, hand);
    drawSum(hand, shown);
    redraw(place("warnings"), warningContents(hand, choice, sets, acts.warning));
    dock.draw();
    drawTiles(hand);
    redraw(place("give"), giveContents(hand, book.sheet, book.nextRound, page.given, acts.give));
    place("set").value = choice.set;
    place("copies").value = String(choice.copies);
    drawBar(hand);
  };
}
