// What the buttons of the counting view do to the hand, the choice of set and the score sheet.

import { announce } from "../parts/announce.js";
import { focusKey } from "../parts/dom.js";
import { shareText } from "../parts/share.js";
import { say } from "../parts/words.js";
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
    announce(say("{news} All together {total}.", { news, total: hands.total(history.now.tiles) }));
    draw();
  }

  const picture = {
    tapTile: (tile, end) => dock().open(tile, end, `tile-${tile.id}`),
    tapSpot: (photo, at) => dock().add({ photo: photo.id, at }, "add"),
    again: (photo) => album().read([photo]),
    remove: (photo) => step(say("remove {name}", { name: photo.name }), hands.withoutPhoto(history.now, photo.id), say("{name} is removed.", { name: photo.name })),
  };

  const sum = {
    check: () => dock().openNext("check"),
    undo() {
      const words = history.undo();
      tell(words && say("Undone: {words}.", { words }));
    },
    redo() {
      const words = history.redo();
      tell(words && say("Done again: {words}.", { words }));
    },
    add: () => dock().add({ photo: null, at: null }, "add"),
    async share() {
      const done = await shareText(hands.handText(history.now));
      page.shared = { shared: null, copied: say("Copied"), failed: say("Could not copy") }[done];
      announce(page.shared ?? "");
      draw();
      setTimeout(() => {
        page.shared = null;
        draw();
      }, SHARED_FOR);
    },
    clear() {
      dock().close();
      step(say("start the next hand"), hands.EMPTY_HAND, say("Ready for the next hand."));
      focusKey("take-photo") || focusKey("choose-photos");
    },
  };

  const warning = {
    twoSets: () => choose({ copies: 2 }),
    useSet: (value) => choose({ set: value }),
    removeSurplus(tiles) {
      const names = tiles.map((tile) => hands.tileName(tile.ends)).join(", ");
      step(say("remove {names}", { names }), tiles.reduce((hand, tile) => hands.withoutTile(hand, tile.id), history.now), say("Removed: {names}.", { names }));
    },
    readAgain: () => album().read(album().of(history.now)),
  };

  const give = {
    give(player) {
      const points = hands.total(history.now.tiles);
      const round = book.write(player, points);
      page.given = say("{points} written for {name}, round {round}.", { points, name: player.name, round: round + 1 });
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
      announce(say("Taken back: {words}.", { words }));
      draw();
    },
    clear: sum.clear,
  };

  return { picture, sum, warning, give };
}
