// One photo on the page: how far its reading is, then the picture with every tile outlined and its reading on it.

import { el, redraw, svg } from "../parts/dom.js";
import { count, say } from "../parts/words.js";
import { typicalLength } from "./crop.js";
import { total } from "./hand.js";
import { drawMarks, photoPoint, pixelsPerDot, touched } from "./marks.js";

/**
 * The figure of a photo: { element, update(tiles, chosen) }; `chosen` is { tile: id or null, spot: [x, y] or null }.
 * `acts` has tapTile(tile, end), tapSpot(photo, at), again(photo), remove(photo).
 */
export function createPicture(photo, acts) {
  const status = el("div", { class: "photo-status" });
  const stage = el("div", { class: "stage" });
  const caption = el("figcaption", { class: "photo-caption" });
  const element = el("figure", { class: "photo" }, stage, status, caption);
  const state = { tiles: [], chosen: { tile: null, spot: null }, whole: false, drawing: null, closeUp: null };

  const overlay = svg("g");
  const redrawMarks = () => state.drawing && drawMarks(overlay, photo, state.tiles, state.chosen, pixelsPerDot(state.drawing));
  new ResizeObserver(redrawMarks).observe(stage);

  function showDrawing() {
    if (!photo.view || photo.status !== "read") return;
    if (!state.drawing) {
      state.drawing = createDrawing(photo, overlay, (event) => tap(event, photo, state, acts));
      stage.replaceChildren(state.drawing);
    }
    state.closeUp ??= closeBox(photo, state.tiles); // stays while tiles are added and removed
    const box = state.whole ? wholeBox(photo) : state.closeUp;
    state.drawing.setAttribute("viewBox", box.join(" "));
    state.drawing.setAttribute("aria-label", count(state.tiles.length, "{name}: {number} tile outlined. The list of tiles says the same.", "{name}: {number} tiles outlined. The list of tiles says the same.", { name: photo.name }));
    stage.classList.remove("thumb");
    redrawMarks();
  }

  function showThumb() {
    if (state.drawing || !photo.view || stage.firstChild) return;
    stage.classList.add("thumb");
    stage.append(el("img", { src: photo.view.url, alt: "" }));
  }

  function update(tiles, chosen) {
    state.tiles = tiles;
    state.chosen = chosen;
    element.dataset.status = photo.status;
    element.dataset.tiles = tiles.length;
    redraw(status, ...statusOf(photo, acts));
    if (photo.status === "read") showDrawing();
    else {
      if (state.drawing) {
        stage.replaceChildren();
        state.drawing = null;
        state.closeUp = null;
      }
      showThumb();
    }
    redraw(caption, ...captionOf(photo, state, acts, () => {
      state.whole = !state.whole;
      update(state.tiles, state.chosen);
    }));
  }

  return { element, update };
}

function statusOf(photo, acts) {
  if (photo.status === "read") return [];
  if (photo.status === "failed") {
    return [
      el("p", { class: "photo-name" }, photo.name),
      el("p", { class: "problem" }, photo.problem),
      el("div", { class: "row" },
        photo.again && el("button", { type: "button", class: "button small", "data-key": `again-${photo.id}`, onclick: () => acts.again(photo) }, say("Try again")),
        el("button", { type: "button", class: "button small", "data-key": `drop-${photo.id}`, onclick: () => acts.remove(photo) }, say("Leave it out"))),
    ];
  }
  const [words, share] = progress(photo);
  return [
    el("p", { class: "photo-name" }, photo.name),
    el("p", { class: "progress-words" }, words),
    el("progress", { "aria-label": `${photo.name}: ${words}`, max: 1, ...(share === null ? {} : { value: share }) }),
  ];
}

function progress(photo) {
  switch (photo.status) {
    case "queued": return [say("Waiting for the photo before it"), 0];
    case "preparing": return [say("Opening the photo"), null];
    case "sending": return [say("Sending, {sent} %", { sent: Math.round(100 * photo.sent) }), photo.sent];
    case "waiting": return [say("Other photos are read first"), null];
    default: return [say("Reading the tiles"), null];
  }
}

function captionOf(photo, state, acts, toggleWhole) {
  if (photo.status !== "read") return [];
  const facts = [`${count(state.tiles.length, "{number} tile", "{number} tiles")}, ${count(total(state.tiles), "{number} pip", "{number} pips")}`];
  if (photo.facedown.length) facts.push(say("{tiles} face down", { tiles: photo.facedown.length }));
  const canZoom = state.closeUp && isMuchSmaller(state.closeUp, photo);
  return [
    el("p", { class: "photo-facts" }, el("b", {}, `${photo.name}:`), " ", facts.join(", ")),
    el("div", { class: "row" },
      canZoom && el("button", { type: "button", class: "link", "data-key": `zoom-${photo.id}`, onclick: toggleWhole }, state.whole ? say("Close up") : say("Whole photo")),
      el("button", { type: "button", class: "link", "data-key": `remove-${photo.id}`, "aria-label": say("Remove photo {name}", { name: photo.name }), onclick: () => acts.remove(photo) }, say("Remove photo"))),
    state.tiles.length === 0 && el("p", { class: "message" },
      say("No tile was found. Lay the tiles face up on a plain ground, hold the phone straight above, and let light fall on them from the side.")),
  ];
}

function createDrawing(photo, overlay, onTap) {
  const drawing = svg("svg", { class: "overlay", role: "img", preserveAspectRatio: "xMidYMid meet" },
    svg("image", { href: photo.view.url, width: photo.size[0], height: photo.size[1], preserveAspectRatio: "none" }),
    overlay);
  drawing.addEventListener("click", onTap);
  return drawing;
}

function tap(event, photo, state, acts) {
  const at = photoPoint(state.drawing, event);
  const hit = touched(state.tiles, at, pixelsPerDot(state.drawing));
  if (hit) acts.tapTile(hit.tile, hit.end);
  else acts.tapSpot(photo, at);
}

// The part of the photo that is shown

function wholeBox(photo) {
  return [0, 0, ...photo.size];
}

/** The tiles with some table around them. */
function closeBox(photo, tiles) {
  const points = [...tiles.flatMap((tile) => tile.corners ?? (tile.at ? [tile.at] : [])), ...photo.facedown.flat()];
  if (points.length < 3) return wholeBox(photo);
  const [left, top, right, bottom] = [Math.min, Math.max].flatMap((pick) => [0, 1].map((axis) => pick(...points.map((point) => point[axis]))));
  const rim = 0.06 * Math.max(right - left, bottom - top) + 0.4 * typicalLength(photo, tiles);
  const [x, y] = [Math.max(0, left - rim), Math.max(0, top - rim)];
  return [x, y, Math.min(photo.size[0], right + rim) - x, Math.min(photo.size[1], bottom + rim) - y];
}

function isMuchSmaller([, , width, height], photo) {
  return width * height < 0.8 * photo.size[0] * photo.size[1];
}
