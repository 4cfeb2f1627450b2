// A game step by step: the table after each play, the picture of it, what it scored. The address says which step is shown.

import { announce } from "./parts/announce.js";
import { openOffline } from "./parts/offline.js";
import { drawBoard } from "./table/board.js";
import { drawLast } from "./table/history.js";
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

function draw() {
  if (!table) return;
  drawBoard(places.board, table, nothing, marked);
  drawMarket(places.market, table, nothing);
  drawLast(places.last, table, evidence);
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
  steps.forEach((button, at) => button.toggleAttribute("aria-current", at === table.step - 1));
  page.dataset.shown = table.step;
}

async function show(step) {
  wanted = Math.max(0, Math.min(steps.length, step));
  slider.value = wanted;
  const { game } = page.dataset;
  const asked = new URLSearchParams({ ...(game ? { game } : {}), step: wanted });
  const told = await ask(`${page.dataset.step}?${asked}`);
  if (!told || told.step !== wanted) return; // another step was asked for meanwhile
  table = { ...told, plays: false };
  history.replaceState(null, "", `?${asked}`);
  draw();
  announce(wanted ? steps[wanted - 1].textContent.trim() : "The beginning");
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
  window.addEventListener("resize", draw);
  show(Number(new URLSearchParams(location.search).get("step") ?? steps.length));
}
openOffline();
