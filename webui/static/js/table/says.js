// What the referee says: the state word, an illegal play with its rule, a question, and what to put right.

import { el, redraw } from "../parts/dom.js";
import { count, say } from "../parts/words.js";
import { allowedPlaces } from "./board.js";
import { evidencePicture } from "./evidence.js";
import { seatSign } from "./seats.js";
import { wordSign } from "./signs.js";
import { timerWords } from "./timer.js";

const WORDS = {
  ready: say("Ready"), hand: say("Hand over the table"), moving: say("Moving"), reading: say("Looking"), illegal: say("Not allowed"), asking: say("Question"),
  "out-of-sync": say("Out of step"), "camera-lost": say("Camera lost"), uncalibrated: say("Table not measured"), offline: say("Not connected"),
};

const LENGTHS = [
  [86400, (days) => count(days, "{number} day", "{number} days")],
  [3600, (hours) => count(hours, "{number} hour", "{number} hours")],
  [60, (minutes) => count(minutes, "{number} minute", "{number} minutes")],
  [1, (seconds) => count(seconds, "{number} second", "{number} seconds")],
];

function ago(milliseconds) {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const [length, words] = LENGTHS.find((one) => seconds >= one[0]);
  return words(Math.floor(seconds / length));
}

/** The state word and whose turn it is. */
export function drawStatus(place, table, silence) {
  const word = silence ? "offline" : table.word;
  place.dataset.word = word;
  redraw(
    place,
    el("p", { class: "word", "data-key": "word" }, wordSign(word), el("span", { id: "word" }, WORDS[word] ?? word)),
    table.you === null ? null : el("p", { class: "me", "data-key": "me" }, seatSign(table.you), say("You are {name}", { name: table.players[table.you].name })),
    silence ? null : timerWords(table),
    el("h1", { class: "says", "data-key": "says", id: "says" }, ...(silence ? [] : (table.outcome?.winners ?? []).map(seatSign)), silence ? say("This is how it was {ago} ago.", { ago: ago(silence) }) : table.sentence),
  );
}

/** Points to be called, an illegal play, a question or a repair list; nothing where all is well. */
export function drawAlerts(place, table, { reply, accept, enter, call, evidence, rules }) {
  const cards = [];
  if (table.calls.length && table.plays) cards.push(callCard(table, call));
  if (table.fault) cards.push(faultCard(table, { enter, accept, evidence, rules }));
  if (table.question) cards.push(questionCard(table, reply, evidence));
  if (table.repair.length) cards.push(repairCard(table, accept));
  redraw(place, ...cards);
  place.hidden = cards.length === 0;
}

function callCard(table, call) {
  const letGo = table.choices.find((choice) => choice.kind === "skip");
  const mine = table.you === null || table.you === table.turn;
  return el(
    "section",
    { class: "alert question", "data-key": "calls", "aria-labelledby": "calls-title" },
    el("h2", { id: "calls-title", class: "only-heard" }, table.sentence), // it is the headline of the page
    el(
      "div",
      { class: "answers" },
      ...table.calls.map((one, at) => el("button", { class: at === 0 ? "button primary" : "button", type: "button", "data-key": `call-${one.seat}-${one.action}`, onclick: () => call({ action: one.action, seat: one.seat }) }, one.words)),
      mine && letGo ? el("button", { class: "button", type: "button", "data-key": "let-go", onclick: () => call({ action: letGo.action }) }, letGo.words) : null,
    ),
  );
}

function faultCard(table, { enter, accept, evidence, rules }) {
  const fault = table.fault;
  const nearest = fault.nearest.map((choice) => choice.words);
  return el(
    "section",
    { class: "alert fault", "data-key": "fault", "aria-labelledby": "fault-title" },
    el("h2", { id: "fault-title" }, wordSign("illegal"), fault.words),
    evidencePicture(fault.pictures, evidence, say("The camera's picture of it"), fault.sentence),
    fault.pictures.length ? null : el("p", { class: "rule" }, fault.sentence),
    fault.source ? el("p", { class: "source" }, el("a", { href: `${rules}#${fault.rule}`, "data-key": "rule" }, say("The rule")), el("span", { class: "quiet" }, ` ${fault.source}`)) : null,
    nearest.length ? el("p", { class: "quiet" }, say("Allowed would be: {deeds}.", { deeds: nearest.join("; ") })) : null,
    !nearest.length && allowedPlaces(fault).length ? el("p", { class: "quiet" }, say("The dotted places on the drawing would be allowed.")) : null,
    table.plays
      ? el("div", { class: "row" }, el("button", { class: "button", type: "button", "data-key": "misread", onclick: enter }, say("Something else")), el("button", { class: "button", type: "button", "data-key": "fault-gone", onclick: accept }, say("Taken back")))
      : null,
  );
}

function questionCard(table, reply, evidence) {
  const question = table.question;
  return el(
    "section",
    { class: "alert question", "data-key": "question", "aria-labelledby": "question-title" },
    el("h2", { id: "question-title" }, wordSign("asking"), question.sentence),
    evidencePicture(question.pictures, evidence, say("The camera's picture of it")),
    el(
      "div",
      { class: "answers" },
      ...question.choices.map((choice, at) =>
        el("button", { class: at === 0 ? "button primary" : "button", type: "button", disabled: !table.plays, "data-key": `answer-${choice.name}`, onclick: () => reply(question.name, choice.name) }, choice.words),
      ),
    ),
  );
}

/** What to put right; before a deal tiles may only seem to lie open. */
function repairCard(table, accept) {
  const [title, button] = table.wanted?.kind === "deal" ? [say("Not all lies ready yet"), say("They do lie face down")] : [say("The table is not as the game has it"), say("Take the table as it lies")];
  const steps = table.repair.map((step, at) =>
    el("li", { class: step.done ? "step done" : "step", "data-key": `step-${at}` }, el("span", { class: "tick", "aria-hidden": "true" }, step.done ? "\u2713" : String(at + 1)), el("span", {}, step.words), step.done ? el("span", { class: "only-heard" }, say("done")) : null),
  );
  return el(
    "section",
    { class: "alert repair", "data-key": "repair", "aria-labelledby": "repair-title" },
    el("h2", { id: "repair-title" }, wordSign("out-of-sync"), title),
    el("ol", { class: "repair-steps" }, ...steps),
    table.plays ? el("button", { class: "button", type: "button", "data-key": "accept", onclick: accept }, button) : null,
  );
}
