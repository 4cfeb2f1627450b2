// The counting view: takes photos, shows what was read, lets it be corrected, and sums it up.

import { announce } from "../parts/announce.js";
import { count, el, focusKey, redraw } from "../parts/dom.js";
import { createHistory } from "../parts/history.js";
import { keep, recall } from "../parts/keep.js";
import { shareText } from "../parts/share.js";
import { drawCrop, typicalLength } from "./crop.js";
import { createDock } from "./dock.js";
import * as hands from "./hand.js";
import { createPhotos } from "./photos.js";
import { createPicture } from "./picture.js";
import { backContents, giveContents, sumContents, waitingContents, warningContents } from "./summary.js";
import { tileItems } from "./tiles.js";

const HAND = "kibitz.hand";
const CHOICE = "kibitz.set";

/** Brings the counting view to life. `book` is the score sheet: { sheet, nextRound(id), write(player, points), addPlayer(name) }. */
export function startCount(root, book) {
  const place = (id) => root.querySelector(`#${id}`);
  const sets = [...place("set").options].map((option) => ({
    value: option.value,
    label: option.textContent,
    highest: option.dataset.highest === undefined ? null : Number(option.dataset.highest),
  }));
  const choice = recall(localStorage, CHOICE, (kept) => ({
    set: sets.some((one) => one.value === kept?.set) ? kept.set : "any",
    copies: kept?.copies === 2 ? 2 : 1,
  }));
  const history = createHistory(recall(sessionStorage, HAND, hands.checkedHand));
  const pictures = new Map();
  const crops = new Map();
  const page = { news: null, shared: null, given: null };
  let tileNumber = 0;
  const nextTile = () => `tile-${Date.now()}-${(tileNumber += 1)}`;
  const highest = () => sets.find((one) => one.value === choice.set).highest;

  const photos = createPhotos(root.dataset.readUrl, () => ({ ...choice }), { changed: draw, read: taken });
  const dock = createDock(place("dock"), { history, highest, nextTile, draw, cropOf, say: announce, undo: () => sumActs.undo() });

  function taken(photo, reading) {
    const tiles = reading.tiles.map((form) => hands.tileFromReading(nextTile(), photo.id, form));
    const again = history.now.tiles.some((tile) => tile.photo === photo.id);
    if (again) history.step(`read ${photo.name} again`, hands.withReading(history.now, photo.id, tiles));
    else history.amend((hand) => hands.withReading(hand, photo.id, tiles));
    const open = hands.toCheck(tiles).length;
    const doubt = open ? `, ${open} to check` : "";
    announce(`${photo.name}: ${count(tiles.length, "tile")}, ${count(hands.total(tiles), "pip")}${doubt}. All together ${hands.total(history.now.tiles)}.`);
  }

  function take(files) {
    const list = photos.take(files);
    if (!list.length) return;
    photos.keepOnly(new Set([...history.reachable.flatMap((hand) => hand.photos), ...list.map((photo) => photo.id)]));
    history.amend((hand) => list.reduce((sum, photo) => hands.withPhoto(sum, photo.id), hand));
    announce(list.length === 1 ? "Reading the photo." : `Reading ${list.length} photos.`);
    photos.read(list);
  }

  function cropOf(tile) {
    if (!crops.has(tile.id)) {
      const photo = photos.get(tile.photo);
      crops.set(tile.id, photo?.size ? drawCrop(photo, tile, typicalLength(photo, history.now.tiles)) : null);
    }
    return crops.get(tile.id);
  }

  // Drawing

  function draw() {
    const hand = history.now;
    const shown = hand.photos.map((id) => photos.get(id)).filter(Boolean);
    const busy = shown.some((photo) => !["read", "failed"].includes(photo.status));
    const hasResult = hand.tiles.length > 0 || shown.some((photo) => photo.status === "read") || dock.isOpen;
    root.dataset.state = hasResult ? "result" : shown.length ? "busy" : "empty";
    root.setAttribute("aria-busy", String(busy));
    drawPictures(shown, hand);
    drawSide(hand, shown);
    drawBar(hand, hasResult);
    keep(sessionStorage, HAND, hands.withoutPictures(hand));
  }

  function drawPictures(shown, hand) {
    for (const photo of shown) {
      if (!pictures.has(photo.id)) pictures.set(photo.id, createPicture(photo, pictureActs));
      pictures.get(photo.id).update(hand.tiles.filter((tile) => tile.photo === photo.id), dock.chosenIn(photo));
    }
    const wanted = shown.map((photo) => pictures.get(photo.id).element);
    const there = [...place("photos").children];
    if (wanted.length !== there.length || wanted.some((element, index) => element !== there[index])) place("photos").replaceChildren(...wanted);
  }

  function drawSide(hand, shown) {
    const marked = new Set(hands.surplus(hand.tiles, choice.copies).flatMap((same) => same.tiles.slice(choice.copies)).map((tile) => tile.id));
    const facts = {
      photos: new Set(hand.tiles.map((tile) => tile.photo).filter(Boolean)).size,
      facedown: shown.reduce((sum, photo) => sum + photo.facedown.length, 0),
      undoWords: history.undoWords,
      redoWords: history.redoWords,
      news: page.news,
      shared: page.shared,
    };
    const sum = {
      result: () => sumContents(hand, facts, sumActs),
      busy: () => waitingContents(shown.length),
      empty: () => backContents(facts, sumActs),
    };
    redraw(place("sum"), sum[root.dataset.state]());
    redraw(place("warnings"), warningContents(hand, choice, sets, warningActs));
    dock.draw();
    redraw(place("tiles"), hand.tiles.length
      ? [el("h2", { class: "only-heard" }, "Tiles"), el("ul", { class: "tile-list" }, tileItems(hand.tiles, dock.tile, marked, cropOf, { open: (tile) => dock.open(tile, 0, `tile-${tile.id}`, true) }))]
      : []);
    redraw(place("give"), giveContents(hand, book.sheet, book.nextRound, page.given, giveActs));
    place("set").value = choice.set;
    place("copies").value = String(choice.copies);
  }

  function drawBar(hand, hasResult) {
    const open = hands.toCheck(hand.tiles).length;
    redraw(place("bar"), hasResult && !dock.isOpen
      ? [
        el("p", { class: "bar-total" }, el("b", {}, String(hands.total(hand.tiles))), ` ${hands.total(hand.tiles) === 1 ? "pip" : "pips"}`),
        open > 0 && el("button", { type: "button", class: "button small check", "data-key": "bar-check", onclick: sumActs.check }, el("span", { class: "ask" }, "?"), `Check ${open}`),
        el("button", { type: "button", class: "button small primary", "data-key": "bar-photo", onclick: () => place("take-photo").click() }, "Add a photo"),
      ]
      : []);
  }

  // What people do

  const pictureActs = {
    tapTile: (tile, end) => dock.open(tile, end, `tile-${tile.id}`),
    tapSpot: (photo, at) => dock.add({ photo: photo.id, at }, "add"),
    again: (photo) => photos.read([photo]),
    remove(photo) {
      step(`remove ${photo.name}`, hands.withoutPhoto(history.now, photo.id), `${photo.name} is removed.`);
    },
  };

  const sumActs = {
    check: () => dock.openNext("check"),
    undo() {
      const words = history.undo();
      tell(words && `Undone: ${words}.`);
    },
    redo() {
      const words = history.redo();
      tell(words && `Done again: ${words}.`);
    },
    add: () => dock.add({ photo: null, at: null }, "add"),
    async share() {
      const done = await shareText(hands.handText(history.now));
      page.shared = { shared: null, copied: "Copied", failed: "Could not copy" }[done];
      announce(page.shared ?? "");
      draw();
      setTimeout(() => {
        page.shared = null;
        draw();
      }, 2500);
    },
    clear() {
      dock.close();
      step("start the next hand", hands.EMPTY_HAND, "Ready for the next hand.");
      focusKey("take-photo", root);
    },
  };

  const warningActs = {
    twoSets: () => choose({ copies: 2 }),
    useSet: (value) => choose({ set: value }),
    removeSurplus(tiles) {
      const names = tiles.map((tile) => hands.tileName(tile.ends)).join(", ");
      step(`remove ${names}`, tiles.reduce((hand, tile) => hands.withoutTile(hand, tile.id), history.now), `Removed: ${names}.`);
    },
    readAgain: () => photos.read(history.now.photos.map((id) => photos.get(id)).filter(Boolean)),
  };

  const giveActs = {
    give(player) {
      const points = hands.total(history.now.tiles);
      const round = book.write(player, points);
      page.given = `${points} written for ${player.name}, round ${round + 1}.`;
      announce(page.given);
      draw();
      focusKey("given", root);
    },
    takeBack() {
      const words = book.undo();
      page.given = null;
      announce(`Taken back: ${words}.`);
      draw();
    },
    clear: () => sumActs.clear(),
    name(text) {
      const player = book.addPlayer(text);
      if (player) giveActs.give(player);
      return Boolean(player);
    },
  };

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

  function choose(change) {
    Object.assign(choice, change);
    keep(localStorage, CHOICE, choice);
    draw();
  }

  history.subscribe(() => {
    page.news = null;
    page.given = null;
    draw();
  });
  book.subscribe(draw);
  wireInputs(place, take, choose, sumActs.add);
  document.addEventListener("keydown", (event) => {
    if (root.hidden || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || isTyping(event.target)) return;
    event.preventDefault();
    if (event.shiftKey) sumActs.redo();
    else sumActs.undo();
  });
  draw();
}

function isTyping(target) {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

function wireInputs(place, take, choose, byNumbers) {
  for (const id of ["take-photo", "choose-photos"]) {
    place(id).addEventListener("change", (event) => {
      take(event.target.files);
      event.target.value = "";
    });
  }
  place("by-numbers").addEventListener("click", byNumbers);
  place("set").addEventListener("change", (event) => choose({ set: event.target.value }));
  place("copies").addEventListener("change", (event) => choose({ copies: Number(event.target.value) }));
  place("set-choice").addEventListener("submit", (event) => event.preventDefault());
  place("try-sample")?.addEventListener("click", async (event) => {
    const answer = await fetch(event.currentTarget.dataset.url);
    take([new File([await answer.blob()], "sample.jpg", { type: "image/jpeg" })]);
  });
  wireDrop(take);
}

function wireDrop(take) {
  const page = document.documentElement;
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    page.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => !event.relatedTarget && page.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    page.classList.remove("dropping");
    if (!carriesFiles(event)) return;
    event.preventDefault();
    take(event.dataTransfer.files);
  });
  document.addEventListener("paste", (event) => event.clipboardData?.files.length && take(event.clipboardData.files));
}
