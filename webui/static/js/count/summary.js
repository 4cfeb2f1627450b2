// What the hand counts, what can be done with it, and what looks odd about it.

import { el } from "../parts/dom.js";
import { count, listed, say } from "../parts/words.js";
import { foreign, surplus, tileName, toCheck, total } from "./hand.js";

/** The total with its facts and tools. `acts`: check, undo, redo, add, share, clear. */
export function sumContents(hand, facts, acts) {
  const open = toCheck(hand.tiles).length;
  const parts = [count(hand.tiles.length, "{number} tile", "{number} tiles")];
  if (facts.photos > 1) parts.push(say("from {photos} photos", { photos: facts.photos }));
  if (facts.pending) parts.push(count(facts.pending, "{number} photo still being read", "{number} photos still being read"));
  if (facts.facedown) parts.push(say("{tiles} face down, not counted", { tiles: facts.facedown }));
  return [
    el("h2", { class: "only-heard" }, say("Total")),
    el("p", { class: "total" }, el("b", { id: "total" }, String(total(hand.tiles))), el("span", {}, ` ${pipWord(total(hand.tiles))}`)),
    el("p", { class: "facts" }, parts.join(", ")),
    open > 0
      ? el("button", { type: "button", class: "button check", "data-key": "check", onclick: acts.check }, el("span", { class: "ask" }, "?"), count(open, "Check {number} unsure tile", "Check {number} unsure tiles"))
      : hand.tiles.some((tile) => tile.by === "camera") && el("p", { class: "facts good" }, say("Every tile is sure or checked.")),
    el("div", { class: "row tools" },
      tool("undo", say("Undo"), acts.undo, facts.undoWords),
      facts.redoWords && tool("redo", say("Redo"), acts.redo, facts.redoWords),
      el("button", { type: "button", class: "button small", "data-key": "add", onclick: acts.add }, say("Add a tile")),
      el("button", { type: "button", class: "button small", "data-key": "share", onclick: acts.share, disabled: !hand.tiles.length }, facts.shared),
      el("button", { type: "button", class: "button small", "data-key": "clear", onclick: acts.clear }, say("Next hand"))),
    facts.news && el("p", { class: "news" }, facts.news),
  ];
}

/** Before a hand is there: the way back to the last one. */
export function backContents(facts, acts) {
  return facts.undoWords
    ? [el("button", { type: "button", class: "link", "data-key": "undo", onclick: acts.undo }, say("Bring the last hand back"))]
    : [];
}

/** The word beside a number of pips. */
export function pipWord(number) {
  return count(number, "pip", "pips");
}

function tool(key, label, act, words) {
  return el("button", { type: "button", class: "button small", "data-key": key, disabled: !words, title: words ? `${label}: ${words}` : null, "aria-label": words ? `${label}: ${words}` : label, onclick: act }, label);
}

/** Notes on what cannot be so with the chosen set. `acts`: twoSets, removeSurplus(tiles), useSet(value), readAgain. */
export function warningContents(hand, choice, sets, acts) {
  return [...surplusNote(surplus(hand.tiles, choice.copies), choice, acts), ...foreignNotes(hand, choice, sets, acts)];
}

function times(number, tile) {
  if (number === 2) return say("two {tile}", { tile });
  if (number === 3) return say("three {tile}", { tile });
  return number === 4 ? say("four {tile}", { tile }) : say("{times} times {tile}", { times: number, tile });
}

/** "Two 6|4 seen – are two sets in play?", for all such tiles together. */
function surplusNote(found, choice, acts) {
  if (!found.length) return [];
  const list = listed(found.map(({ name, tiles }) => times(tiles.length, name)));
  const single = choice.copies === 1;
  const twice = found.some(({ photos }) => photos > 1);
  const words = single
    ? twice ? say("{List} seen \u2013 are two sets in play, or is a tile in two photos?", { List: list }) : say("{List} seen \u2013 are two sets in play?", { List: list })
    : twice ? say("{List} seen \u2013 two sets have fewer, or is a tile in two photos?", { List: list }) : say("{List} seen \u2013 two sets have fewer.", { List: list });
  const over = found.flatMap(({ tiles }) => tiles.slice(choice.copies));
  return [el("div", { class: "warning", "data-key": "surplus" },
    el("p", {}, words),
    el("div", { class: "row" },
      single && el("button", { type: "button", class: "button small", "data-key": "two-sets", onclick: acts.twoSets }, say("Two sets are in play")),
      el("button", { type: "button", class: "button small", "data-key": "one-less", onclick: () => acts.removeSurplus(over) },
        over.length > 1 ? say("Remove {tiles} tiles too many", { tiles: over.length }) : single ? say("Count only one") : say("Count one less"))))];
}

function foreignNotes(hand, choice, sets, acts) {
  const chosen = sets.find((one) => one.value === choice.set);
  const odd = foreign(hand.tiles, chosen.highest);
  if (!odd.length) return [];
  const names = listed([...new Set(odd.map((tile) => tileName(tile.ends)))]);
  const top = Math.max(...odd.flatMap((tile) => tile.ends));
  const fitting = sets.find((one) => one.highest !== null && one.highest >= top);
  return [el("div", { class: "warning", "data-key": "foreign" },
    el("p", {}, count(odd.length, "{names} is not in a {set} set.", "{names} are not in a {set} set.", { names, set: chosen.label })),
    el("div", { class: "row" },
      odd.some((tile) => tile.photo) && el("button", { type: "button", class: "button small", "data-key": "read-again", onclick: acts.readAgain }, say("Read again as {set}", { set: chosen.label })),
      fitting && el("button", { type: "button", class: "button small", "data-key": "use-set", onclick: () => acts.useSet(fitting.value) }, say("It is a {set} set", { set: fitting.label }))))];
}

/**
 * Whose hand it is: writes the total on the score sheet. `given` says what was just written, else null.
 * `acts`: give(player), name(text), takeBack, clear.
 */
export function giveContents(hand, sheet, nextRound, given, acts) {
  if (!hand.tiles.length) return [];
  if (given) {
    return [
      el("h2", { "data-key": "given", tabindex: "-1" }, given),
      el("div", { class: "row" },
        el("button", { type: "button", class: "button primary", "data-key": "give-next", onclick: acts.clear }, say("Next hand")),
        el("a", { class: "button", href: "#scores" }, say("See the scores")),
        el("button", { type: "button", class: "button", "data-key": "give-back", onclick: acts.takeBack }, say("Take it back"))),
    ];
  }
  return [el("h2", {}, say("Write {total} on the score sheet for", { total: total(hand.tiles) })), ...givers(sheet, nextRound, acts)];
}

function givers(sheet, nextRound, acts) {
  return [
    sheet.players.length > 0 && el("div", { class: "row", "data-key": "give-players" }, sheet.players.map((player) =>
      el("button", { type: "button", class: "button", "data-key": `give-${player.id}`, onclick: () => acts.give(player) },
        player.name, el("span", { class: "quiet" }, ` ${say("round {round}", { round: nextRound(player.id) + 1 })}`)))),
    el("form", { class: "row", "data-key": "give-form", onsubmit: (event) => {
      event.preventDefault();
      const field = event.target.elements.namedItem("name");
      if (acts.name(field.value)) field.value = "";
    } },
    el("label", { class: "only-heard", for: "give-name" }, say("Name of another player")),
    el("input", { id: "give-name", name: "name", "data-key": "give-name", maxlength: 24, autocomplete: "off", placeholder: sheet.players.length ? say("another player") : say("a player\u2019s name") }),
    el("button", { class: "button", type: "submit", "data-key": "give-add" }, say("Write it"))),
  ];
}

/** While the first photos are read; nothing once none is left that may be. */
export function waitingContents(number) {
  return number === 0 ? [] : [el("p", { class: "total" }, el("b", {}, "\u2013"), ` ${pipWord(0)}`), el("p", { class: "facts" }, count(number, "Reading {number} photo", "Reading {number} photos"))];
}
