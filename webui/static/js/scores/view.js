// The score sheet on the page: a table of rounds and players, totals, who leads, and the tools around it.

import { announce } from "../parts/announce.js";
import { el, focusKey, redraw } from "../parts/dom.js";
import { SHARE_WORDS, shareText } from "../parts/share.js";
import { wireUndo } from "../parts/undo.js";
import { say } from "../parts/words.js";
import * as sheets from "./sheet.js";

/** Brings the score view to life; `book` is the kept score sheet. */
export function startScores(root, book) {
  const place = (id) => root.querySelector(`#${id}`);
  const page = { shared: null };

  function draw() {
    const { sheet } = book;
    root.dataset.state = sheet.players.length ? "game" : "empty";
    place("leader").textContent = sheets.leaderWords(sheet);
    redraw(place("sheet"), sheet.players.length ? table(sheet, enter) : emptyNote());
    redraw(place("players"), players(sheet, acts));
    redraw(place("sheet-tools"), tools(sheet, book, page, acts));
  }

  function enter(round, player, field) {
    const points = sheets.parsePoints(field.value);
    const before = book.sheet.rounds[round]?.[player.id] ?? null;
    if (points === undefined) {
      field.setAttribute("aria-invalid", "true");
      announce(say("Please give a whole number."));
      return;
    }
    if (points === before) return draw();
    book.step(say("{points} for {name}, round {round}", { points: points ?? say("no points"), name: player.name, round: round + 1 }), sheets.withPoints(book.sheet, round, player.id, points));
    announce(`${player.name}: ${sheets.totalOf(book.sheet, player.id)}. ${sheets.leaderWords(book.sheet)}`);
  }

  const acts = {
    add(text) {
      const player = book.addPlayer(text);
      if (player) announce(say("{name} plays.", { name: player.name }));
      return Boolean(player);
    },
    rename(player, text) {
      const name = sheets.cleanName(text);
      if (!name || name === player.name) return draw();
      book.step(say("rename {name}", { name: player.name }), sheets.withName(book.sheet, player.id, name));
    },
    remove(player) {
      book.step(say("remove {name}", { name: player.name }), sheets.withoutPlayer(book.sheet, player.id));
      announce(say("{name} is removed.", { name: player.name }));
      focusKey("sheet-undo", root);
    },
    rule(lowWins) {
      if (lowWins !== book.sheet.lowWins) book.step(lowWins ? say("lowest total wins") : say("highest total wins"), { ...book.sheet, lowWins });
    },
    newGame() {
      book.step(say("start a new game"), sheets.withNewGame(book.sheet));
      announce(say("A new game: all rounds are empty. Undo brings them back."));
      focusKey("sheet-undo", root);
    },
    undo: () => announce(say("Undone: {words}.", { words: book.undo() ?? say("nothing") })),
    redo: () => announce(say("Done again: {words}.", { words: book.redo() ?? say("nothing") })),
    async share() {
      const done = await shareText(sheets.sheetText(book.sheet));
      page.shared = { shared: null, copied: say("Copied"), failed: say("Could not copy") }[done];
      draw();
      setTimeout(() => {
        page.shared = null;
        draw();
      }, 2500);
    },
  };

  book.subscribe(draw);
  wireUndo(root, acts);
  draw();
}

function emptyNote() {
  return [el("p", { class: "lead empty-note" }, say("Add the players, then write down what each hand counts: here, or straight from a counted photo."))];
}

function table(sheet, enter) {
  const lead = new Set(sheets.leaders(sheet).map((player) => player.id));
  const rounds = Array.from({ length: sheet.rounds.length + 1 }, (_, round) => round);
  const paper = el("table", {},
      el("caption", { class: "only-heard" }, sheet.lowWins ? say("Points of each round. The lowest total wins.") : say("Points of each round. The highest total wins.")),
      el("thead", {}, el("tr", {},
        el("th", { scope: "col", class: "round" }, say("Round")),
        sheet.players.map((player) => el("th", { scope: "col", class: lead.has(player.id) ? "leads" : null }, player.name)))),
      el("tbody", {}, rounds.map((round) => el("tr", {},
        el("th", { scope: "row", class: "round" }, String(round + 1)),
        sheet.players.map((player) => el("td", {}, cell(sheet, round, player, enter)))))),
      el("tfoot", {}, el("tr", {},
        el("th", { scope: "row", class: "round" }, say("Total")),
        sheet.players.map((player) => el("td", { class: lead.has(player.id) ? "leads" : null },
          el("b", {}, String(sheets.totalOf(sheet, player.id))),
          lead.has(player.id) && el("span", { class: "lead-mark" }, lead.size === sheet.players.length ? say("level") : say("leads")))))));
  paper.style.setProperty("--columns", sheet.players.length);
  return [el("div", { class: "sheet-scroll", "data-key": "paper", tabindex: "0", role: "group", "aria-label": say("Score sheet") }, paper)];
}

function cell(sheet, round, player, enter) {
  const points = sheet.rounds[round]?.[player.id];
  return el("input", {
    type: "text", inputmode: "numeric", pattern: "[+\\-]?[0-9]*", size: 4, maxlength: 6, autocomplete: "off", class: "points",
    "data-key": `cell-${round}-${player.id}`, "aria-label": say("{name}, round {round}", { name: player.name, round: round + 1 }), value: points ?? "",
    onchange: (event) => enter(round, player, event.target),
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      const [cells, here] = [[...event.target.closest("table").querySelectorAll(".points")].map((one) => one.dataset.key), event.target.dataset.key];
      event.target.blur();
      focusKey(cells[cells.indexOf(here) + 1] ?? here);
    },
  });
}

function players(sheet, acts) {
  return [
    el("form", { class: "row add-player", onsubmit: (event) => {
      event.preventDefault();
      const field = event.target.elements.namedItem("name");
      if (acts.add(field.value)) field.value = "";
      focusKey("player-name");
    } },
    el("label", { for: "player-name" }, sheet.players.length ? say("Another player") : say("First player")),
    el("input", { id: "player-name", name: "name", "data-key": "player-name", maxlength: sheets.LONGEST_NAME, autocomplete: "off", enterkeyhint: "done" }),
    el("button", { class: `button small${sheet.players.length ? "" : " primary"}`, type: "submit", "data-key": "player-add", disabled: sheet.players.length >= sheets.MOST_PLAYERS }, say("Add"))),
    sheet.players.length > 0 && el("details", { class: "names" },
      el("summary", {}, say("Change names")),
      el("ul", {}, sheet.players.map((player) => el("li", { class: "row" },
        el("label", { class: "only-heard", for: `name-${player.id}` }, say("Name of {name}", { name: player.name })),
        el("input", { id: `name-${player.id}`, "data-key": `name-${player.id}`, value: player.name, maxlength: sheets.LONGEST_NAME, onchange: (event) => acts.rename(player, event.target.value) }),
        el("button", { type: "button", class: "button small", "aria-label": say("Remove {name}", { name: player.name }), "data-key": `out-${player.id}`, onclick: () => acts.remove(player) }, say("Remove")))))),
  ];
}

function tools(sheet, book, page, acts) {
  if (!sheet.players.length && !book.undoWords) return [];
  const rule = (lowWins, words) => el("button", { type: "button", class: "choice", "data-key": `rule-${lowWins}`, "aria-pressed": String(sheet.lowWins === lowWins), onclick: () => acts.rule(lowWins) }, words);
  const tool = (key, words, act, more = {}) => el("button", { type: "button", class: "button small", "data-key": key, onclick: act, ...more }, words);
  return [
    el("div", { class: "choices", role: "group", "aria-label": say("Who wins") }, rule(true, say("Lowest total wins")), rule(false, say("Highest total wins"))),
    el("div", { class: "row" },
      tool("sheet-undo", say("Undo"), acts.undo, { disabled: !book.undoWords, title: book.undoWords, "aria-label": book.undoWords ? say("Undo: {words}", { words: book.undoWords }) : say("Undo") }),
      book.redoWords && tool("sheet-redo", say("Redo"), acts.redo, { title: book.redoWords, "aria-label": say("Redo: {words}", { words: book.redoWords }) }),
      tool("sheet-share", page.shared ?? SHARE_WORDS, acts.share),
      tool("sheet-new", say("New game"), acts.newGame, { disabled: !sheet.rounds.length })),
  ];
}
