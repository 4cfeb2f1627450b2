// The counting view: takes photos, shows what was read, lets it be corrected, and sums it up.

import { announce } from "../parts/announce.js";

import { createHistory } from "../parts/history.js";
import { forGood, forNow, keep, recall } from "../parts/keep.js";
import { count, say } from "../parts/words.js";
import { createActs } from "./acts.js";
import { createAlbum } from "./album.js";
import { createDock } from "./dock.js";
import * as hands from "./hand.js";
import { wireInputs } from "./inputs.js";
import { createScreen } from "./screen.js";

const HAND = "kibitz.hand";
const CHOICE = "kibitz.set";

/** Brings the counting view to life. `book` is the score sheet that totals are written on. */
export function startCount(root, book) {
  const sets = setsOf(root.querySelector("#set"));
  const choice = recall(forGood, CHOICE, (kept) => checkedChoice(kept, sets));
  const history = createHistory(recall(forNow, HAND, hands.checkedHand));
  const page = { news: null, shared: null, given: null };
  const nextTile = numbered();
  const highest = () => sets.find((one) => one.value === choice.set).highest;
  const draw = () => drawScreen();

  const acts = createActs({ history, book, page, dock: () => dock, album: () => album, choose, draw });
  const server = { url: root.dataset.readUrl, largest: Number(root.dataset.largestUpload) };
  const album = createAlbum(server, history, choice, acts.picture, { changed, read: taken });
  const dock = createDock(root.querySelector("#dock"), { history, highest, nextTile, draw, cropOf: album.crop, tell: announce, undo: acts.sum.undo });
  const drawScreen = createScreen(root, { history, album, dock, book, page, choice, sets, acts });

  function take(files) {
    const list = album.take(files);
    if (!list.length) return;
    history.amend((hand) => list.reduce((sum, photo) => hands.withPhoto(sum, photo.id), hand));
    announce(list.length === 1 ? say("Reading the photo.") : say("Reading {photos} photos.", { photos: list.length }));
    album.read(list);
  }

  /** While a photo is sent only its own progress moves. */
  function changed(photo) {
    if (photo.status === "sending" && photo.sent > 0) album.picture(photo).update([], dock.chosenIn(photo));
    else draw();
  }

  function taken(photo, reading) {
    const tiles = reading.tiles.map((form) => hands.tileFromReading(nextTile(), photo.id, form));
    const again = history.now.tiles.some((tile) => tile.photo === photo.id);
    if (again) history.step(say("read {name} again", { name: photo.name }), hands.withReading(history.now, photo.id, tiles));
    else history.amend((hand) => hands.withReading(hand, photo.id, tiles));
    announce(say("{name}: {found}. All together {total}.", { name: photo.name, found: readingWords(tiles), total: hands.total(history.now.tiles) }));
  }

  function choose(change) {
    Object.assign(choice, change);
    keep(forGood, CHOICE, choice);
    draw();
  }

  history.subscribe((hand) => {
    Object.assign(page, { news: null, given: null });
    keep(forNow, HAND, hands.withoutPictures(hand));
    draw();
  });
  book.subscribe(draw);
  wireInputs(root, { take, choose, byNumbers: acts.sum.add, undo: acts.sum.undo, redo: acts.sum.redo });
  draw();
}

function setsOf(select) {
  return [...select.options].map(({ value, textContent, dataset }) => ({
    value,
    label: textContent,
    highest: dataset.highest === undefined ? null : Number(dataset.highest),
  }));
}

function checkedChoice(kept, sets) {
  return {
    set: sets.some((one) => one.value === kept?.set) ? kept.set : "any",
    copies: kept?.copies === 2 ? 2 : 1,
  };
}

/** Names for new tiles, none twice, not even after a reload. */
function numbered() {
  const start = Date.now();
  let number = 0;
  return () => `${start}-${(number += 1)}`;
}

function readingWords(tiles) {
  const open = hands.toCheck(tiles).length;
  const words = `${count(tiles.length, "{number} tile", "{number} tiles")}, ${count(hands.total(tiles), "{number} pip", "{number} pips")}`;
  return open ? say("{words}, {open} to check", { words, open }) : words;
}
