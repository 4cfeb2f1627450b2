// What the hand counts, what can be done with it, and what looks odd about it.

import { count, el } from "../parts/dom.js";
import { foreign, surplus, tileName, toCheck, total } from "./hand.js";

/** The total with its facts and tools. `acts`: check, undo, redo, add, share, clear. */
export function sumContents(hand, facts, acts) {
  const open = toCheck(hand.tiles).length;
  const parts = [count(hand.tiles.length, "tile")];
  if (facts.photos > 1) parts.push(`from ${facts.photos} photos`);
  if (facts.pending) parts.push(`${count(facts.pending, "photo")} still being read`);
  if (facts.facedown) parts.push(`${facts.facedown} face down, not counted`);
  return [
    el("h2", { class: "only-heard" }, "Total"),
    el("p", { class: "total" }, el("b", { id: "total" }, String(total(hand.tiles))), el("span", {}, total(hand.tiles) === 1 ? " pip" : " pips")),
    el("p", { class: "facts" }, parts.join(", ")),
    open > 0
      ? el("button", { type: "button", class: "button check", "data-key": "check", onclick: acts.check }, el("span", { class: "ask" }, "?"), `Check ${count(open, "unsure tile")}`)
      : hand.tiles.some((tile) => tile.by === "camera") && el("p", { class: "facts good" }, "Every tile is sure or checked."),
    el("div", { class: "row tools" },
      tool("undo", "Undo", acts.undo, facts.undoWords),
      facts.redoWords && tool("redo", "Redo", acts.redo, facts.redoWords),
      el("button", { type: "button", class: "button small", "data-key": "add", onclick: acts.add }, "Add a tile"),
      el("button", { type: "button", class: "button small", "data-key": "share", onclick: acts.share, disabled: !hand.tiles.length }, facts.shared),
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

/** Notes on what cannot be so with the chosen set. `acts`: twoSets, removeSurplus(tiles), useSet(value), readAgain. */
export function warningContents(hand, choice, sets, acts) {
  return [...surplusNote(surplus(hand.tiles, choice.copies), choice, acts), ...foreignNotes(hand, choice, sets, acts)];
}

const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six"];

/** "Two 6|4 seen – are two sets in play?", for all such tiles together. */
function surplusNote(found, choice, acts) {
  if (!found.length) return [];
  const names = found.map(({ name, tiles }, index) => {
    const number = NUMBERS[tiles.length] ?? String(tiles.length);
    return `${index ? number.toLowerCase() : number} ${name}`;
  });
  const list = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
  const single = choice.copies === 1;
  const question = single ? "are two sets in play" : "two sets have fewer";
  const doubt = found.some(({ photos }) => photos > 1) ? ", or is a tile in two photos" : "";
  const over = found.flatMap(({ tiles }) => tiles.slice(choice.copies));
  return [el("div", { class: "warning", "data-key": "surplus" },
    el("p", {}, `${list} seen \u2013 ${question}${doubt}${single || doubt ? "?" : "."}`),
    el("div", { class: "row" },
      single && el("button", { type: "button", class: "button small", "data-key": "two-sets", onclick: acts.twoSets }, "Two sets are in play"),
      el("button", { type: "button", class: "button small", "data-key": "one-less", onclick: () => acts.removeSurplus(over) },
        over.length === 1 ? `Count ${single ? "only one" : "one less"}` : `Remove ${count(over.length, "tile")} too many`)))];
}

function foreignNotes(hand, choice, sets, acts) {
  const chosen = sets.find((one) => one.value === choice.set);
  const odd = foreign(hand.tiles, chosen.highest);
  if (!odd.length) return [];
  const names = [...new Set(odd.map((tile) => tileName(tile.ends)))].join(", ");
  const top = Math.max(...odd.flatMap((tile) => tile.ends));
  const fitting = sets.find((one) => one.highest !== null && one.highest >= top);
  return [el("div", { class: "warning", "data-key": "foreign" },
    el("p", {}, `${names} ${odd.length === 1 ? "is" : "are"} not in a ${chosen.label.toLowerCase()} set.`),
    el("div", { class: "row" },
      odd.some((tile) => tile.photo) && el("button", { type: "button", class: "button small", "data-key": "read-again", onclick: acts.readAgain }, `Read again as ${chosen.label.toLowerCase()}`),
      fitting && el("button", { type: "button", class: "button small", "data-key": "use-set", onclick: () => acts.useSet(fitting.value) }, `It is a ${fitting.label.toLowerCase()} set`)))];
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
        el("button", { type: "button", class: "button primary", "data-key": "give-next", onclick: acts.clear }, "Next hand"),
        el("a", { class: "button", href: "#scores" }, "See the scores"),
        el("button", { type: "button", class: "button", "data-key": "give-back", onclick: acts.takeBack }, "Take it back")),
    ];
  }
  return [el("h2", {}, `Write ${total(hand.tiles)} on the score sheet for`), ...givers(sheet, nextRound, acts)];
}

function givers(sheet, nextRound, acts) {
  return [
    sheet.players.length > 0 && el("div", { class: "row", "data-key": "give-players" }, sheet.players.map((player) =>
      el("button", { type: "button", class: "button", "data-key": `give-${player.id}`, onclick: () => acts.give(player) },
        player.name, el("span", { class: "quiet" }, ` round ${nextRound(player.id) + 1}`)))),
    el("form", { class: "row", "data-key": "give-form", onsubmit: (event) => {
      event.preventDefault();
      const field = event.target.elements.namedItem("name");
      if (acts.name(field.value)) field.value = "";
    } },
    el("label", { class: "only-heard", for: "give-name" }, "Name of another player"),
    el("input", { id: "give-name", name: "name", "data-key": "give-name", maxlength: 24, autocomplete: "off", placeholder: sheet.players.length ? "another player" : "a player\u2019s name" }),
    el("button", { class: "button", type: "submit", "data-key": "give-add" }, "Write it")),
  ];
}

/** While the first photos are read. */
export function waitingContents(number) {
  return [el("p", { class: "total" }, el("b", {}, "\u2013"), " pips"), el("p", { class: "facts" }, `Reading ${count(number, "photo")}`)];
}
