// What somebody says of tiles, dice and coins that came by chance, and how that is put right.

import { el } from "../parts/dom.js";
import { drawTile } from "../parts/tile.js";
import { say } from "../parts/words.js";
import { alike, name, tilePicker } from "./picker.js";

/** A list with `fresh` things in place of `gone` of its own from `at` on. */
function spliced(list, at, gone, ...fresh) {
  return [...list.slice(0, at), ...fresh, ...list.slice(at + gone)];
}

/**
 * Asks who begins, which tiles there are, and, where it matters, which end comes first. `state` has what was chosen so far
 * (`tiles`, `starter`, `numbers`; `mending`: what of it is being put right), `set` changes it, `tell` says it.
 */
export function drawChance(wanted, state, { set, tell, camera }) {
  const atOnce = wanted.count === 1 && !wanted.turned; // nothing is left to say once it is tapped
  const chosen = state.tiles;
  const parts = [];
  if (wanted.starters) {
    parts.push(el("div", { class: "answers", role: "group", "aria-label": say("Who begins") }, ...wanted.starters.map((player, seat) => el("button", { class: "button", type: "button", "aria-pressed": String(seat === state.starter), "data-key": `starter-${seat}`, onclick: () => set({ starter: seat }) }, player))));
  }
  if (wanted.shuffled && !chosen.length) {
    parts.push(el("div", { class: "answers" }, el("button", { class: "button primary", type: "button", "data-key": "shuffle", onclick: () => tell([]) }, wanted.shuffled)));
    if (wanted.count) parts.push(el("p", { class: "quiet" }, wanted.count === 1 ? say("Or tap which tile it is.") : camera ? say("Or tap the tiles as they lie, one after another; or let the camera read them.") : say("Or tap the tiles as they lie, one after another.")));
  }
  if (wanted.options) return [...parts, ...options(wanted, state, set, tell)];
  if (atOnce) parts.push(tilePicker(wanted.tiles, () => false, (tile) => tell([tile])));
  else if (wanted.count) parts.push(...row(wanted, state, set));
  if (!atOnce && (!wanted.shuffled || chosen.length)) {
    const begins = ["deal", "lay"].includes(wanted.kind) && !state.editing;
    parts.push(el("button", { class: "button primary", type: "button", "data-key": "tell", disabled: chosen.length !== wanted.count, onclick: () => tell(chosen) }, begins ? say("Begin") : say("That is it")));
  }
  return parts;
}

function options(wanted, state, set, tell) {
  const choose = (at, value) => {
    const numbers = wanted.options.map((_, other) => (other === at ? value : state.numbers[other] ?? null));
    if (numbers.every((number) => number !== null)) tell([], numbers);
    else set({ numbers });
  };
  return wanted.options.map((option, at) => el("div", { class: "answers", role: "group", "aria-label": option.name }, el("span", { class: "option-name" }, option.name), ...option.choices.map((choice) => el("button", { class: "button", type: "button", "aria-pressed": String(state.numbers[at] === choice.value), "data-key": `option-${at}-${choice.value}`, onclick: () => choose(at, choice.value) }, choice.words))));
}

/** The tiles chosen so far, as they lie, and those that are left. */
function row(wanted, state, set) {
  const { tiles: chosen, mending } = state;
  const be = (tiles) => set({ tiles, mending: null });
  const exchange = (one, other) => be(spliced(spliced(chosen, one, 1, chosen[other]), other, 1, chosen[one]));
  const drop = (at) => be(spliced(chosen, at, 1));
  const choose = (tile) => {
    if (wanted.count === 1) be([tile]);
    else if (mending?.at >= 0) be(spliced(chosen, mending.at, 1, tile));
    else if (chosen.length < wanted.count) be(spliced(chosen, mending?.before ?? chosen.length, 0, tile));
  };
  const tap = (at) => {
    if (mending?.at >= 0 && mending.at !== at) exchange(mending.at, at);
    else if (mending) set({ mending: mending.at === at ? {} : { at } });
    else if (wanted.turned) be(spliced(chosen, at, 1, [chosen[at][1], chosen[at][0]]));
    else drop(at);
  };
  const way = (tile) => (mending ? name(tile) : wanted.turned ? say("Turn {name} round", { name: name(tile) }) : say("Put {name} back", { name: name(tile) }));
  const marked = (at) => (mending ? String([mending.at, mending.before].includes(at)) : null);
  const left = wanted.tiles.filter((tile) => wanted.count === 1 || chosen.filter((one) => alike(one, tile)).length < (wanted.copies ?? 1));
  return [
    el("p", { class: "chosen-tiles", "aria-live": "polite" }, ...chosen.map((tile, at) => el("button", { class: "tile-choice", type: "button", "aria-label": way(tile), title: way(tile), "aria-pressed": marked(at), "data-key": `chosen-${at}`, onclick: () => tap(at) }, drawTile(tile))), wanted.count > 1 ? el("span", { class: "quiet" }, say("{tiles} of {count}", { tiles: chosen.length, count: wanted.count })) : null),
    chosen.length ? el("p", { class: "quiet", "data-key": "mend" }, ...mend(wanted, state, set, drop)) : null,
    tilePicker(left, (tile) => chosen.some((one) => alike(one, tile)), choose),
  ];
}

/** What can be done where one of the chosen tiles is wrong. */
function mend(wanted, { tiles: chosen, mending }, set, drop) {
  const link = (key, words, onclick) => el("button", { class: "link", type: "button", "data-key": key, onclick }, words);
  if (mending === null) {
    return [
      ...(wanted.turned ? [say("Tap one of these to turn it round. "), link("put-back", say("Put the last one back"), () => drop(chosen.length - 1)), " "] : []),
      chosen.length > 1 ? link("mending", say("One of these is wrong"), () => set({ mending: {} })) : null,
    ];
  }
  const enough = link("mending", say("All are right"), () => set({ mending: null }));
  if (mending.before >= 0) return [say("Tap the tile that is missing there. "), enough];
  if (!(mending.at >= 0)) return [say("Tap the one that is wrong. "), enough];
  const { at } = mending;
  return [
    say("Tap the tile that belongs there. "),
    link("take-out", say("Take it out"), () => drop(at)),
    " ",
    chosen.length < wanted.count ? link("left-out", say("One is missing before it"), () => set({ mending: { before: at } })) : null,
    " ",
    enough,
  ];
}
