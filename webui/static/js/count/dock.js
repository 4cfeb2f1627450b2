// Which tile is being changed or added, and what each button of the strip does to the hand.

import { focusKey, redraw } from "../parts/dom.js";
import { say } from "../parts/words.js";
import { editorContents, editorKeys, HIGHEST } from "./editor.js";
import * as hands from "./hand.js";

/**
 * The strip for one tile. `scene`: history of the hand, highest() of the set or null, nextTile() id, draw() the view,
 * cropOf(tile), tell(sentence), undo().
 */
export function createDock(place, { history, highest, nextTile, draw, cropOf, tell, undo }) {
  // null, or { id, end, back } for a tile, or { draft: [a, b], spot, end, back } for a new one; `back` is where the focus returns
  let subject = null;

  const tile = () => (subject?.id ? hands.findTile(history.now, subject.id) : null);
  const sum = () => say("All together {total}.", { total: hands.total(history.now.tiles) });

  /** Opens the strip and brings what it is about into sight. */
  function show(next, inSight) {
    subject = next;
    draw();
    focusKey("dock-title", place);
    document.querySelector(inSight)?.scrollIntoView({ block: "nearest" });
  }

  const acts = {
    choose(end) {
      subject = { ...subject, end };
      draw();
    },
    pick(number) {
      give(number, true);
    },
    type(number) {
      give(number, false);
    },
    confirm() {
      const name = hands.tileName(tile().ends);
      history.step(say("confirm {name}", { name }), hands.withChecked(history.now, subject.id));
      tell(say("{name} is checked.", { name }));
      dock.openNext(subject.back);
    },
    next: () => dock.openNext(subject.back),
    remove() {
      const name = hands.tileName(tile().ends);
      const back = subject.back;
      history.step(say("remove {name}", { name }), hands.withoutTile(history.now, subject.id));
      tell(say("{name} is removed. {sum}", { name, sum: sum() }));
      if (hands.toCheck(history.now.tiles).length) dock.openNext(back);
      else acts.close();
    },
    undo,
    again: () => dock.add({ photo: null, at: null }, subject.back),
    close() {
      const back = subject?.back;
      subject = null;
      draw();
      if (back && !focusKey(back)) focusKey("add");
    },
  };

  /** A number for the chosen end; tapping the first end of a new tile goes on to its second. */
  function give(number, goOn) {
    const old = tile();
    if (old) {
      if (old.ends[subject.end] === number) {
        if (!old.checked) history.step(say("confirm {name}", { name: hands.tileName(old.ends) }), hands.withChecked(history.now, old.id));
        return;
      }
      const before = hands.tileName(old.ends);
      const next = hands.withEnd(history.now, old.id, subject.end, number);
      const after = hands.tileName(hands.findTile(next, old.id).ends);
      history.step(say("change {before} to {after}", { before, after }), next);
      tell(say("Now {after}. {sum}", { after, sum: sum() }));
      return;
    }
    const draft = subject.draft.map((known, end) => (end === subject.end ? number : known));
    if (draft.includes(null)) {
      subject = { ...subject, draft, end: goOn ? draft.indexOf(null) : subject.end };
      draw();
      return;
    }
    const id = nextTile();
    const name = hands.tileName(draft);
    const { photo, at } = subject.spot;
    subject = { id, end: subject.end, back: subject.back };
    history.step(say("add {name}", { name }), hands.withTile(history.now, hands.tileByHand(id, draft, photo, at)));
    tell(say("{name} is added. {sum}", { name, sum: sum() }));
  }

  const dock = {
    get isOpen() {
      return subject !== null;
    },
    get tile() {
      return subject?.id ?? null;
    },
    /** What is chosen in a photo: { tile, spot }. */
    chosenIn(photo) {
      const spot = subject?.spot;
      return { tile: subject?.id ?? null, spot: spot?.photo === photo.id ? spot.at : null };
    },
    /** `inList` where a tile was chosen in the list and not in its photo. */
    open(chosen, end, back, inList = false) {
      show({ id: chosen.id, end, back }, inList ? `[data-key="tile-${chosen.id}"]` : `[data-tile="${chosen.id}"]`);
    },
    /** A new tile; while one is being added already, only its place in the picture changes. */
    add(spot, back) {
      show(subject?.draft ? { ...subject, spot } : { draft: [null, null], spot, end: 0, back }, ".overlay");
    },
    /** The next tile that nobody has looked at, after the one shown; closes the strip where there is none. */
    openNext(back) {
      const open = hands.toCheck(history.now.tiles).filter((one) => one.id !== subject?.id);
      if (open.length) dock.open(open[0], doubtfulEnd(open[0]), back);
      else acts.close();
    },
    close: acts.close,
    draw() {
      if (subject?.id && !tile()) subject = null;
      place.hidden = subject === null;
      if (subject === null) return redraw(place, []);
      const shown = tile();
      const view = { tile: shown, ends: shown?.ends ?? subject.draft, end: subject.end, crop: copyOf(cropFor(shown)), onPhoto: Boolean(subject.spot?.at) };
      const left = hands.toCheck(history.now.tiles).filter((one) => one.id !== subject.id).length;
      redraw(place, editorContents(view, { highest: highest(), left, undoWords: history.undoWords }, acts));
    },
  };

  function cropFor(shown) {
    if (shown) return cropOf(shown);
    return subject.spot.at ? cropOf({ id: `spot-${subject.spot.photo}-${subject.spot.at}`, ...subject.spot, corners: null }) : null;
  }

  place.addEventListener("keydown", editorKeys(acts, () => highest() ?? HIGHEST));
  return dock;
}

/** The end that is more likely wrong. */
function doubtfulEnd(tile) {
  return tile.doubt[1] > tile.doubt[0] ? 1 : 0;
}

/** The cut-out is already in the list of tiles, so the strip shows a copy. */
function copyOf(canvas) {
  if (!canvas) return null;
  const copy = canvas.cloneNode();
  copy.getContext("2d").drawImage(canvas, 0, 0);
  return copy;
}
