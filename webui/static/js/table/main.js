// Starts the table page: listens to the table and draws whatever it says.

import { announce } from "../parts/announce.js";
import { choose, comfort, wireComfort } from "../parts/comfort.js";
import { forGood, forNow, keep, recall } from "../parts/keep.js";
import { openOffline } from "../parts/offline.js";
import { stayAwake } from "../parts/awake.js";
import { focusKey } from "../parts/dom.js";
import { say } from "../parts/words.js";
import { drawBoard } from "./board.js";
import { drawHealth, wirePicture } from "./camera-strip.js";
import { createEntry } from "./enter.js";
import { createHand } from "./hand.js";
import { createHints } from "./hints.js";
import { drawHistory, drawLast } from "./history.js";
import { drawMarket } from "./market.js";
import { drawPlayers } from "./players.js";
import { drawResult } from "./result.js";
import { drawAlerts, drawStatus } from "./says.js";
import { send } from "./send.js";
import { createSound } from "./sound.js";
import { listen } from "./stream.js";
import { turnTime } from "./timer.js";

const page = document.getElementById("table-page");
const places = Object.fromEntries([...page.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
const urls = page.dataset;
const evidence = (name) => `${urls.evidence}${name}.jpg`;

const ENTER_WORDS = { deal: say("Deal the tiles"), lay: say("Lay the tiles out"), show: say("Show the hand") };

const KEPT = "kibitz.table";
const ENTERING = "kibitz.entering"; // whether plays were being entered here: a page that is opened again goes on with it

let table = null;
let kept = null; // what is shown although nothing was heard: the table as this browser saw it last
let silence = 0;
let shown = null; // the seat whose reasons are open
let marked = null; // the column someone asked about
let allEntries = false;
let resting = false; // whether entering goes on by itself with the next round: a result stands where it was
let focused = null; // what had the focus when the link was lost

const sound = createSound(document.getElementById("sound"));
const entry = createEntry({
  now: () => table,
  places: urls.places,
  entry: urls.entry,
  deed: (what) => send(urls.do, table.version, what),
  changed: () => draw(),
  placed: showPlaces,
});
const hand = createHand(places.hand, {
  tell: async (tiles) => {
    const problem = await send(urls.hand, table.version, { tiles: tiles.map((tile) => tile.join("-")) });
    complain(problem ?? "");
    return problem;
  },
  play: (tile) => {
    startEntry();
    if (table.turn === table.you) entry.choose(tile); // else it is no tile of whose play is entered
  },
  changed: () => draw(),
});
const hints = createHints(places.hints, { url: urls.hints, changed: () => draw() });

async function deed(what) {
  const problem = await send(urls.do, table.version, what);
  if (problem) complain(problem);
}

/** The same game once more, with the same players. */
async function again() {
  const problem = await send(urls.again, table.version, {});
  if (problem) complain(problem);
}

function complain(problem) {
  places.problem.textContent = problem;
  places.problem.hidden = !problem;
  if (problem) announce(problem);
}

function startEntry() {
  resting = false;
  entry.start();
  keep(forNow, ENTERING, true);
  focusKey("entry-title");
  showAsked();
}

function stopEntry() {
  entry.stop();
  keep(forNow, ENTERING, false);
}

/** Brings what is to be tapped next into view: what has to be told before the first tile, or the market. */
function showAsked() {
  if (!entry.open) return;
  if (dealing()) places.entry.scrollIntoView({ block: "start" });
  else if (table.market.some((slot) => slot.action)) places.market.scrollIntoView({ block: "nearest" });
}

/** Whether it is being told how the tiles lie before the first of them is played. */
function dealing() {
  return entry.open && !entry.editing && ["deal", "lay"].includes(table.wanted?.kind);
}

/** Brings the places for a tile into the part of the screen that the dock leaves free. */
function showPlaces() {
  const place = places.board.querySelector(".place");
  place?.closest(".board").scrollIntoView({ block: "nearest" });
  place?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** A snapshot without what only its own seat may see: who opens this browser next may be somebody else. */
function open(snapshot) {
  return { ...snapshot, you: null, tiles: [], players: snapshot.players.map((player) => ({ ...player, hand: null })) };
}

/** Shows the table as it was last seen, of which nothing can be entered. */
function showKept() {
  kept = recall(forGood, KEPT, (value) => (value?.table?.scene.words ? value : null));
  if (!kept) return;
  table = { ...kept.table, plays: false, host: false, news: null };
  silence = Date.now() - kept.time;
  page.classList.add("stale");
  draw();
}

/** Whether there is nothing to do but to deal, and nobody but this page who could say how. */
function byHand({ camera, plays, you, wanted, history }) {
  return plays && !camera && you === null && wanted && history.length === 0 && !page.classList.contains("tv");
}

function draw() {
  if (!table) return;
  page.dataset.game = table.game.name;
  page.dataset.entering = dealing() ? "dealing" : String(entry.open);
  drawStatus(places.status, table, silence);
  drawAlerts(places.alerts, table, {
    reply: (question, choice) => deed({ do: "reply", question, choice }),
    accept: () => deed({ do: "accept" }),
    enter: startEntry,
    call: (what) => deed({ do: "action", ...what }),
    evidence,
    rules: urls.rules,
  });
  drawResult(places.result, table, { next: startEntry, again, setup: urls.setup, review: urls.review, headed: true });
  places.aim.textContent = table.result ? "" : table.aim;
  drawBoard(places.board, { ...table, hinted: entry.open ? [] : hints.marks(table) }, entry, marked);
  drawMarket(places.market, table, entry);
  drawPlayers(places.players, table, {
    shown,
    toggle: (seat) => {
      shown = shown === seat ? null : seat;
      marked = null;
      draw();
    },
    mark: (seat, column) => {
      marked = marked?.seat === seat && marked.column === column ? null : { seat, column };
      draw();
    },
    marked,
  });
  hand.draw(table);
  hints.draw(table);
  entry.draw(places.entry);
  drawLast(places.last, table, evidence);
  drawHistory(places.history, table, {
    change: (old) => {
      entry.edit(old);
      focusKey("entry-title");
    },
    all: allEntries,
    showAll: () => {
      allEntries = !allEntries;
      draw();
    },
    evidence,
  });
  const undo = document.getElementById("undo");
  undo.hidden = !table.plays;
  undo.disabled = !table.undo;
  undo.title = table.undo ? say("Take back: {undo}", { undo: table.undo }) : "";
  const enter = document.getElementById("enter");
  enter.disabled = !table.plays;
  enter.hidden = !table.plays || (Boolean(table.outcome) && !entry.open);
  enter.classList.toggle("primary", !entry.open); // while it is open, what is to be done stands in it
  enter.textContent = entry.open ? say("Close") : ENTER_WORDS[table.wanted?.kind] ?? (table.wanted ? say("Say what came") : say("Enter a play"));
  document.getElementById("looking").hidden = table.plays;
  for (const [name, node] of [["--dock", places.entry], ["--bar", page.querySelector(".table-bar")]]) document.documentElement.style.setProperty(name, `${node.offsetHeight}px`);
}

/** What is new since the last snapshot, told once: by voice, tone, and to a screen reader. */
function tellNews(before, after) {
  const tell = (what, sentence) => {
    if (!comfort.quiet) sound.tell(what, sentence);
    announce(sentence);
  };
  if (after.outcome && !before.outcome) return tell("end", `${after.last?.words ?? ""} ${after.sentence}`);
  if (after.fault && after.fault.words !== before.fault?.words) return tell("illegal", say("Not allowed. {sentence}", { sentence: after.fault.sentence }));
  if (after.question && after.question.name !== before.question?.name) return tell("question", after.question.sentence);
  if (after.repair.length && !before.repair.length) return tell("illegal", say("The table is not as the game has it. {words}", { words: after.repair[0].words }));
  const news = after.history.filter((entry) => entry.number > (before.history[0]?.number ?? -1)).reverse();
  if (news.length) return tell(news.at(-1).action ? "play" : "illegal", `${news.map((entry) => entry.words).join(" ")} ${after.sentence}`);
  const struck = after.history.find((entry) => entry.undone && before.history.find((old) => old.number === entry.number)?.undone === false);
  if (struck) return tell("undo", say("Taken back: {words}", { words: struck.words }));
  return null;
}

/** A history with what is new and what has changed in it; the newest entry is the first. */
function continued(old, news) {
  const entries = new Map([...old, ...news].map((entry) => [entry.number, entry]));
  return [...entries.values()].sort((one, other) => other.number - one.number);
}

function newTile(before, after) {
  const keys = (scene) => new Set((scene.grids ?? Object.values(scene.shapes ?? {})).flatMap((one) => one.tiles.map((tile) => tile.key)));
  if (!before) return null;
  const old = keys(before.scene);
  return [...keys(after.scene)].find((key) => !old.has(key)) ?? null;
}

listen(urls.events, {
  onTable: (next) => {
    const before = kept ? null : table;
    kept = null;
    const history = next.more ? continued(table.history, next.history) : next.history;
    const done = !next.more || next.history.length > 0; // else it only looks otherwise, as while a hand goes over the table
    table = { ...next, history, ahead: next.now - Date.now() / 1000, news: newTile(before, next), deeds: (table?.deeds ?? 0) + Number(done) };
    if (before && before.version !== next.version) {
      if (done) {
        complain("");
        entry.refresh(table);
      }
      tellNews(before, table);
    }
    const goesOn = !before && table.plays && !page.classList.contains("tv") && recall(forNow, ENTERING, Boolean);
    if (!table.result && (goesOn || ((!before || before.result?.over) && byHand(table)))) startEntry();
    if (!before) page.dataset.ready = "true";
    page.dataset.version = next.version;
    const ended = Boolean(before && table.result && !before.result);
    const entered = places.entry.contains(document.activeElement);
    if (ended && entry.open && !entry.editing) {
      resting = true;
      entry.stop();
    } else if (resting && !table.result) {
      resting = false;
      entry.start();
    }
    if (entry.open && !table.plays) entry.stop(); // the game has no such seat any more, or its square is a new one
    draw();
    if (ended) {
      (table.result.over ? places.status : places.result).scrollIntoView({ block: "nearest" }); // who has won stands there
      if (entered) focusKey("next-round") || focusKey("again");
    } else if (before?.version !== next.version) showAsked();
    keep(forGood, KEPT, { time: Date.now(), table: open(next) });
  },
  onHealth: (health) => {
    drawHealth(places.health, health);
    for (const seeing of document.querySelectorAll("#show-picture, #weighed")) seeing.hidden = health === null;
    if (health === null) places.picture.hidden = true;
  },
  onLink: (linked) => {
    if (!linked) focused = document.activeElement;
    for (const part of page.querySelectorAll(".alerts, .dock, .result, .hand, .table-bar")) part.inert = !linked;
    if (linked && document.activeElement === document.body) focused?.focus({ preventScroll: true }); // nobody went on meanwhile
  },
  onSilence: (quiet) => {
    if (!table && quiet) return showKept();
    silence = kept ? Date.now() - kept.time : quiet;
    page.classList.toggle("stale", quiet > 0);
    draw();
  },
});

document.getElementById("undo").addEventListener("click", () => deed({ do: "undo" }));
document.getElementById("enter").addEventListener("click", () => (entry.open ? stopEntry() : startEntry()));
const showComfort = wireComfort(document.getElementById("comfort"), draw);
let late = null; // the version of the table whose time was told to be over
setInterval(() => {
  const time = table && !silence ? turnTime(table) : null;
  if (time) drawStatus(places.status, table, silence);
  if (!time || time.gone <= time.allowed || late === table.version) return;
  late = table.version;
  if (!comfort.quiet) sound.tell("question", say("Time is over."));
  announce(say("Time is over."));
}, 1000);
wirePicture(document.getElementById("show-picture"), places.picture, urls.picture);
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !table) return;
  const key = event.key.toLowerCase();
  if (key === "escape" && entry.open) {
    stopEntry();
    document.getElementById("enter").focus();
  } else if (!comfort.keys) return;
  else if (key === "e" && table.plays && !table.outcome) startEntry();
  else if (key === "u") document.getElementById("undo").click();
  else if (key === "h") places.hints.querySelector("button")?.click();
  else if (key === "r") {
    choose({ turned: String((Number(comfort.turned) + 90) % 360) });
    showComfort();
    draw();
  } else if (key === "p") document.getElementById("show-picture").click();
  else if (key === "s") document.getElementById("sound").click();
  else if (/^[1-9]$/.test(key) && table.question && table.plays) {
    const choice = table.question.choices[Number(key) - 1];
    if (choice) deed({ do: "reply", question: table.question.name, choice: choice.name });
  }
});
window.addEventListener("resize", draw);
openOffline();
stayAwake();
