// A game step by step: the table after each play, the picture of it, what it scored. The address says which step is shown.

import { announce } from "./parts/announce.js";
import { el, redraw } from "./parts/dom.js";
import "./parts/comfort.js";
import { openOffline } from "./parts/offline.js";
import { givePicture } from "./parts/picture.js";
import { say } from "./parts/words.js";
import { drawBoard } from "./table/board.js";
import { drawLast } from "./table/history.js";
import { drawJudged, drawVerdict } from "./table/judged.js";
import { drawMarket } from "./table/market.js";
import { drawPlayers } from "./table/players.js";
import { drawResult } from "./table/result.js";
import { ask } from "./table/send.js";

const page = document.getElementById("review");
const places = Object.fromEntries([...page.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
const evidence = (name) => `${page.dataset.evidence}${name}.jpg`;
const nothing = { open: false, spots: () => [], ghost: () => null };
const slider = document.getElementById("step");
const steps = [...page.querySelectorAll(".review-step")];

let table = null;
let wanted = steps.length;
let shown = null; // the seat whose reasons are open
let marked = null; // the column someone asked about
let judged = null; // what the plays cost, as far as it was asked for and is known

function draw() {
  if (!table) return;
  const better = judged?.plays?.find((play) => play.step === table.step + 1 && play.cost && play.mark);
  drawBoard(places.board, { ...table, hinted: better ? [better.mark] : [] }, nothing, marked);
  drawMarket(places.market, table, nothing);
  drawLast(places.last, table, evidence);
  redraw(places.verdict, drawVerdict(judged, table, show), misreadButton());
  places.judged.hidden = page.dataset.over === undefined;
  drawJudged(places.judged, judged, table.players, { begin: judge, show });
  drawResult(places.result, table, {});
  drawPlayers(places.players, table, {
    shown,
    marked,
    toggle: (seat) => {
      shown = shown === seat ? null : seat;
      marked = null;
      draw();
    },
    mark: (seat, column) => {
      marked = marked?.column === column ? null : { seat, column };
      draw();
    },
  });
  steps.forEach((button, at) => {
    button.toggleAttribute("aria-current", at === table.step - 1);
    const cost = judged?.plays?.find((play) => play.step === at + 1)?.cost;
    if (cost) button.dataset.cost = `\u2212${cost}`;
  });
  for (const key of ["first", "back", "next"]) page.querySelector(`[data-key="${key}"]`).disabled = table.step === (key === "next" ? steps.length : 0);
  page.dataset.shown = table.step;
}

/** Says of the play that is shown that the camera read it wrongly; what is said is kept for whoever teaches the reader. */
function misreadButton() {
  const { pictures } = table.last ?? {};
  if (page.dataset.plays === undefined || !table.step || table.last?.number !== table.history[0]?.number || !pictures.length) return null;
  const mark = async () => {
    const body = JSON.stringify({ picture: pictures.at(-1), wrong: !table.misread });
    await fetch(page.dataset.misread, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
    show(table.step);
  };
  return el("button", { class: "button small", type: "button", "data-key": "misread", "aria-pressed": String(table.misread), onclick: mark }, table.misread ? say("Read wrongly \u2713") : say("This was read wrongly"));
}

/** Asks for what the plays cost, until all is known. */
async function judge() {
  const { game } = page.dataset;
  do {
    judged = (await ask(`${page.dataset.judged}?${new URLSearchParams({ game })}`)) ?? { error: say("Kibitz cannot tell that now.") };
    draw();
    if (judged.done < judged.of) await new Promise((done) => setTimeout(done, 500));
  } while (judged.done < judged.of);
}

async function show(step) {
  const mine = (wanted = Math.max(0, Math.min(steps.length, step)));
  slider.value = wanted;
  const { game } = page.dataset;
  const asked = new URLSearchParams({ ...(game ? { game } : {}), step: wanted });
  const told = await ask(`${page.dataset.step}?${asked}`);
  places.problem.textContent = told ? "" : say("Kibitz cannot be reached.");
  places.problem.hidden = Boolean(told);
  if (!told && table && wanted === mine) slider.value = wanted = table.step; // which is still shown
  if (told && told.steps !== steps.length) return location.replace(`?${asked}`); // the game has gone on, or is another one
  if (!told || told.step !== wanted) return; // another step was asked for meanwhile
  table = { ...told, plays: false };
  history.replaceState(null, "", `?${asked}`);
  draw();
  announce(wanted ? steps[wanted - 1].textContent.trim() : say("The beginning"));
}

if (steps.length) {
  const moves = { first: () => 0, back: () => wanted - 1, next: () => wanted + 1 };
  for (const [key, to] of Object.entries(moves)) page.querySelector(`[data-key="${key}"]`).addEventListener("click", () => show(to()));
  slider.addEventListener("input", () => show(Number(slider.value)));
  steps.forEach((button, at) => button.addEventListener("click", () => show(at + 1)));
  document.addEventListener("keydown", (event) => {
    if (event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") show(wanted - 1);
    if (event.key === "ArrowRight") show(wanted + 1);
  });
  page.querySelector('[data-key="picture"]').addEventListener("click", async () => {
    const scores = table.players.map((player) => `${player.name} ${player.score}`).join("   ");
    if (!(await givePicture(places.board, page.querySelector("h1").textContent, scores))) announce(say("The picture could not be made."));
  });
  window.addEventListener("resize", draw);
  show(Number(new URLSearchParams(location.search).get("step") ?? steps.length));
}
openOffline();
