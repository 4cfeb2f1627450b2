// What the hand counts, what can be done with it, and what looks odd about it.

import { count, el } from "../parts/dom.js";
import { foreign, surplus, tileName, toCheck, total } from "./hand.js";

/** The total with its facts and tools. `acts`: check, undo, redo, add, share, clear. */
export function sumContents(hand, facts, acts) {
  const open = toCheck(hand.tiles).length;
  const parts = [count(hand.tiles.length, "tile")];
  if (facts.photos > 1) parts.push(`from ${facts.photos} photos`);
  if (facts.facedown) parts.push(`${facts.facedown} face down, not counted`);
  return [
    el("p", { class: "total" }, el("b", { id: "total" }, String(total(hand.tiles))), el("span", {}, total(hand.tiles) === 1 ? " pip" : " pips")),
    el("p", { class: "facts" }, parts.join(", ")),
    open > 0
      ? el("button", { type: "button", class: "button check", "data-key": "check", onclick: acts.check }, el("span", { class: "ask" }, "?"), `Check ${count(open, "unsure tile")}`)
      : hand.tiles.some((tile) => tile.by === "camera") && el("p", { class: "facts good" }, "Every tile is sure or checked."),
    el("div", { class: "row tools" },
      tool("undo", "Undo", acts.undo, facts.undoWords),
      facts.redoWords && tool("redo", "Redo", acts.redo, facts.redoWords),
      el("button", { type: "button", class: "button small", "data-key": "add", onclick: acts.add }, "Add a tile"),
      el("button", { type: "button", class: "button small", "data-key": "share", onclick: acts.share, disabled: !hand.tiles.length }, facts.shared ?? "Copy as text"),
      el("button", { type: "button", class: "button small", "data-key": "clear", onclick: acts.clear }, "Next hand")),
    facts.news && el("p", { class: "news" }, facts.news),
  ];
}

/** Before a hand is there: the way back to the last one. */
export function backContents(facts, acts) {
  return facts.undoWords
    ? [el("button", { type: "button", class: "link", "data-key": "undo", onclick: acts.undo }, "Bring the last hand back")]
    : [];
}

function tool(key, label, act, words) {
  return el("button", { type: "button", class: "button small", "data-key": key, disabled: !words, title: words ? `${label}: ${words}` : null, "aria-label": words ? `${label}: ${words}` : label, onclick: act }, label);
}

/** Notes on what cannot be so with the chosen set. `acts`: twoSets, remove(tile), useSet(value), readAgain. */
export function warningContents(hand, choice, sets, acts) {
  return [
    ...surplus(hand.tiles, choice.copies).map((same) => surplusNote(same, choice, acts)),
    ...foreignNotes(hand, choice, sets, acts),
  ];
}

function surplusNote({ name, tiles, photos }, choice, acts) {
  const number = ["No", "One", "Two", "Three", "Four", "Five", "Six"][tiles.length] ?? String(tiles.length);
  const question = choice.copies === 1 ? "are two sets in play" : "that is more than two sets have";
  const doubt = photos > 1 ? ", or is it the same tile in two photos" : "";
  const end = choice.copies === 1 || doubt ? "?" : ".";
  return el("div", { class: "warning" },
    el("p", {}, `${number} ${name} seen \u2013 ${question}${doubt}${end}`),
    el("div", { class: "row" },
      choice.copies === 1 && el("button", { type: "button", class: "button small", "data-key": `two-${name}`, onclick: acts.twoSets }, "Two sets"),
      el("button", { type: "button", class: "button small", "data-key": `one-${name}`, onclick: () => acts.remove(tiles.at(-1)) }, `Count one ${name} less`)));
}

function foreignNotes(hand, choice, sets, acts) {
  const chosen = sets.find((one) => one.value === choice.set);
  const odd = foreign(hand.tiles, chosen.highest);
  if (!odd.length) return [];
  const names = [...new Set(odd.map((tile) => tileName(tile.ends)))].join(", ");
  const top = Math.max(...odd.flatMap((tile) => tile.ends));
  const fitting = sets.find((one) => one.highest !== null && one.highest >= top);
  return [el("div", { class: "warning" },
    el("p", {}, `${names} ${odd.length === 1 ? "is" : "are"} not in a ${chosen.label.toLowerCase()} set.`),
    el("div", { class: "row" },
      hand.photos.length > 0 && el("button", { type: "button", class: "button small", "data-key": "read-again", onclick: acts.readAgain }, `Read again as ${chosen.label.toLowerCase()}`),
      fitting && el("button", { type: "button", class: "button small", "data-key": "use-set", onclick: () => acts.useSet(fitting.value) }, `It is a ${fitting.label.toLowerCase()} set`)))];
}

/** Whose hand it is: writes the total on the score sheet. `acts`: give(player), name(text). */
export function giveContents(hand, sheet, nextRound, acts) {
  if (!hand.tiles.length) return [];
  const points = total(hand.tiles);
  return [
    el("h2", {}, `Write ${points} on the score sheet for`),
    el("div", { class: "row" }, sheet.players.map((player) =>
      el("button", { type: "button", class: "button", "data-key": `give-${player.id}`, onclick: () => acts.give(player) },
        player.name, el("span", { class: "quiet" }, ` round ${nextRound(player.id) + 1}`)))),
    el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      const field = event.target.elements.namedItem("name");
      if (acts.name(field.value)) field.value = "";
    } },
    el("label", { class: "only-heard", for: "give-name" }, "Name of another player"),
    el("input", { id: "give-name", name: "name", "data-key": "give-name", maxlength: 24, autocomplete: "off", placeholder: sheet.players.length ? "another player" : "a player\u2019s name" }),
    el("button", { class: "button small", type: "submit", "data-key": "give-add" }, "Write it")),
  ];
}
