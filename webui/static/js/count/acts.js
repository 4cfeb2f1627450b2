// What the buttons of the counting view do to the hand, the choice of set and the score sheet.

import { announce } from "../parts/announce.js";
import { focusKey } from "../parts/dom.js";
import { shareText } from "../parts/share.js";
import * as hands from "./hand.js";

const SHARED_FOR = 2500; // milliseconds in which a button says "Copied"

/**
 * `table`: history of the hand, book (the score sheet), page (what is told at the moment: news, shared, given), dock(),
 * album(), choose(change), draw(). The strip and the album come as functions since they need these acts themselves.
 */
export function createActs({ history, book, page, dock, album, choose, draw }) {
  function step(words, next, news) {
    history.step(words, next);
    tell(news);
  }

  function tell(news) {
    if (!news) return;
    page.news = news;
    announce(`${news} All together ${hands.total(history.now.tiles)}.`);
    draw();
  }

  const picture = {
    tapTile: (tile, end) => dock().open(tile, end, `tile-${tile.id}`),
    tapSpot: (photo, at) => dock().add({ photo: photo.id, at }, "add"),
    again: (photo) => album().read([photo]),
    remove: (photo) => step(`remove ${photo.name}`, hands.withoutPhoto(history.now, photo.id), `${photo.name} is removed.`),
  };

  const sum = {
    check: () => dock().openNext("check"),
    undo() {
      const words = history.undo();
      tell(words && `Undone: ${words}.`);
    },
    redo() {
      const words = history.redo();
      tell(words && `Done again: ${words}.`);
    },
    add: () => dock().add({ photo: null, at: null }, "add"),
    async share() {
      const done = await shareText(hands.handText(history.now));
      page.shared = { shared: null, copied: "Copied", failed: "Could not copy" }[done];
      announce(page.shared ?? "");
      draw();
      setTimeout(() => {
        page.shared = null;
        draw();
      }, SHARED_FOR);
    },
    clear() {
      dock().close();
      step("start the next hand", hands.EMPTY_HAND, "Ready for the next hand.");
      focusKey("take-photo") || focusKey("choose-photos");
    },
  };

  const warning = {
    twoSets: () => choose({ copies: 2 }),
    useSet: (value) => choose({ set: value }),
    removeSurplus(tiles) {
      const names = tiles.map((tile) => hands.tileName(tile.ends)).join(", ");
      step(`remove ${names}`, tiles.reduce((hand, tile) => hands.withoutTile(hand, tile.id), history.now), `Removed: ${names}.`);
    },
    readAgain: () => album().read(album().of(history.now)),
  };

  const give = {
    give(player) {
      const points = hands.total(history.now.tiles);
      const round = book.write(player, points);
      page.given = `${points} written for ${player.name}, round ${round + 1}.`;
      announce(page.given);
      draw();
      focusKey("given");
    },
    name(text) {
      const player = book.addPlayer(text);
      if (player) give.give(player);
      return Boolean(player);
    },
    takeBack() {
      const words = book.undo();
      page.given = null;
      announce(`Taken back: ${words}.`);
      draw();
    },
    clear: sum.clear,
  };

  return { picture, sum, warning, give };
}
