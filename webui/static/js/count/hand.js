// The hand that is being counted: its tiles from all photos, what they count, and what looks odd. Plain values.
//
// A tile: { id, photo, ends, score, unsure, checked, by, corners, at, candidates, doubt }
//   photo       id of its photo, null for a tile entered by numbers
//   ends        pips of the first and the second half, in the order they are drawn
//   unsure      the reader doubts it; checked: a person has looked at it or changed it
//   by          "camera", or "you" for an end or a tile that a person gave
//   corners     four [x, y] in pixels of the upright photo; the first two bound the first half; null by hand
//   at          [x, y] in the photo where a person saw it, else null
//   candidates  for each end the likely numbers, the likeliest first
//   doubt       for each end how likely it shows another number than the one read

import { count } from "../parts/words.js";

export const EMPTY_HAND = { photos: [], tiles: [] };

/** How players name a tile: its higher end first. */
export function tileName(ends) {
  return `${Math.max(...ends)}|${Math.min(...ends)}`;
}

/** How a tile's name is read out. */
export function tileWords(ends) {
  return `${Math.max(...ends)} ${Math.min(...ends)}`;
}

export function pips(tile) {
  return tile.ends[0] + tile.ends[1];
}

export function total(tiles) {
  return tiles.reduce((sum, tile) => sum + pips(tile), 0);
}

/** Tiles nobody has looked at although the reader doubts them. */
export function toCheck(tiles) {
  return tiles.filter((tile) => tile.unsure && !tile.checked);
}

/** A tile of the JSON interface (smaller end first) as a tile of the hand, drawn with its higher end first. */
export function tileFromReading(id, photo, form) {
  const [low, high] = form.ends;
  const [first, second, third, fourth] = form.corners;
  return {
    id,
    photo,
    ends: [high, low],
    score: form.score,
    unsure: form.unsure,
    checked: false,
    by: "camera",
    corners: [third, fourth, first, second],
    at: null,
    candidates: [form.candidates[1], form.candidates[0]],
    doubt: [1 - form.end_probabilities[1][high], 1 - form.end_probabilities[0][low]],
  };
}

export function tileByHand(id, ends, photo = null, at = null) {
  const noGuess = { candidates: [[], []], doubt: [0, 0] };
  return { id, photo, ends, score: 1, unsure: false, checked: true, by: "you", corners: null, at, ...noGuess };
}

export function findTile(hand, id) {
  return hand.tiles.find((tile) => tile.id === id) ?? null;
}

function changed(hand, id, change) {
  return { ...hand, tiles: hand.tiles.map((tile) => (tile.id === id ? { ...tile, ...change(tile) } : tile)) };
}

export function withEnd(hand, id, end, number) {
  return changed(hand, id, (tile) => ({
    ends: tile.ends.map((old, index) => (index === end ? number : old)),
    checked: true,
    by: "you",
  }));
}

export function withChecked(hand, id) {
  return changed(hand, id, () => ({ checked: true }));
}

export function withoutTile(hand, id) {
  return { ...hand, tiles: hand.tiles.filter((tile) => tile.id !== id) };
}

export function withTile(hand, tile) {
  return { ...hand, tiles: [...hand.tiles, tile] };
}

export function withPhoto(hand, photo) {
  return { ...hand, photos: [...hand.photos, photo] };
}

/** The hand after a photo was read: its tiles take the place of those read in it before. */
export function withReading(hand, photo, tiles) {
  if (!hand.photos.includes(photo)) return hand;
  return { ...hand, tiles: [...hand.tiles.filter((tile) => tile.photo !== photo), ...tiles] };
}

export function withoutPhoto(hand, photo) {
  return {
    photos: hand.photos.filter((one) => one !== photo),
    tiles: hand.tiles.filter((tile) => tile.photo !== photo),
  };
}

/** Tiles seen more often than the sets in play have them: [{ name, tiles, photos }]. */
export function surplus(tiles, copies) {
  const byName = new Map();
  for (const tile of tiles) {
    const name = tileName(tile.ends);
    byName.set(name, [...(byName.get(name) ?? []), tile]);
  }
  return [...byName]
    .filter(([, same]) => same.length > copies)
    .map(([name, same]) => ({ name, tiles: same, photos: new Set(same.map((tile) => tile.photo).filter(Boolean)).size }));
}

/** Tiles with an end higher than the chosen set has; none where any set will do (`highest` null). */
export function foreign(tiles, highest) {
  return highest === null ? [] : tiles.filter((tile) => Math.max(...tile.ends) > highest);
}

/** The hand as a text for a message. */
export function handText(hand) {
  const names = hand.tiles.map((tile) => tileName(tile.ends)).join(" ");
  return count(hand.tiles.length, "{pips} pips on {number} tile: {names}", "{pips} pips on {number} tiles: {names}", { pips: total(hand.tiles), names });
}

/** What is kept while the page is reloaded (some phones do so when the camera opens): the tiles without pictures. */
export function withoutPictures(hand) {
  return {
    photos: [],
    tiles: hand.tiles.map((tile) => ({ ...tile, photo: null, corners: null, at: null })),
  };
}

const isEnd = (value) => Number.isInteger(value) && value >= 0 && value <= 15;
const isEnds = (value) => Array.isArray(value) && value.length === 2 && value.every(isEnd);
const isChoices = (value) => Array.isArray(value) && value.length === 2 && value.every((one) => Array.isArray(one) && one.every(isEnd));

/** A hand that was kept, as far as it makes sense. */
export function checkedHand(kept) {
  const tiles = Array.isArray(kept?.tiles) ? kept.tiles : [];
  return {
    photos: [],
    tiles: tiles
      .filter((tile) => isEnds(tile?.ends))
      .map((tile, index) => ({
        ...tileByHand(`kept-${index}`, tile.ends),
        by: tile.by === "camera" ? "camera" : "you",
        unsure: tile.unsure === true,
        checked: tile.checked !== false,
        candidates: isChoices(tile.candidates) ? tile.candidates : [[], []],
      })),
  };
}
