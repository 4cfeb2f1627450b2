// The set-up page, a step at a time: the game, who plays, the camera with its live picture, measuring, and a first reading.

import { announce } from "../parts/announce.js";
import { el, redraw, svg } from "../parts/dom.js";
import { lostWords, showLive } from "../parts/live-picture.js";
import { decimal, say } from "../parts/words.js";
import { healthFacts } from "../table/camera-strip.js";
import { createCorners } from "./corners.js";
import { drawGames, startGameStep } from "./game.js";
import { createShowing } from "./pieces.js";

const LOST_SECONDS = 2;
const METHODS = { tags: say("Measured from the tags"), mat: say("Measured from a mat"), tiles: say("Measured from the dominoes"), corners: say("Measured from your corners") };

const urls = document.getElementById("setup-page").dataset;
const part = (id) => document.getElementById(id);
const stage = part("stage");
const live = part("live");
let measured = null;
let read = null;
let byHand = false;

const get = (url) => ask(url, {});
const post = (url, body) => ask(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

async function ask(url, how) {
  try {
    const answer = await fetch(url, how);
    const told = await answer.json().catch(() => ({}));
    return answer.ok ? told : { error: told.error ?? say("That did not work.") };
  } catch {
    return { error: say("Kibitz cannot be reached.") };
  }
}

function problem(id, words) {
  part(id).textContent = words ?? "";
  part(id).hidden = !words;
  if (words) announce(words);
}

// The way: a step is an address, so that going back goes to the step before

const steps = [...document.querySelectorAll("[data-step]")];
let fresh = part("game-step").dataset.started === undefined; // whether playing begins a new game
let reseated = false; // whether somebody sits elsewhere than before

function showStep() {
  const shown = steps.find((step) => step.dataset.step === location.hash.slice(1)) ?? steps[0];
  const withPieces = document.querySelector("[name=game]:checked").dataset.pieces !== undefined;
  document.querySelector("[data-key=step-pieces]").hidden = !withPieces;
  part("past-measure").hash = withPieces ? "pieces" : "read";
  for (const step of steps) step.hidden = step !== shown;
  part("camera-lay").hidden = !part("camera-lay").contains(shown);
  for (const link of document.querySelectorAll(".setup-way a")) link.toggleAttribute("aria-current", link.hash === `#${shown.dataset.step}`);
  if (location.hash) {
    window.scrollTo(0, 0);
    shown.querySelector("h2").focus({ preventScroll: true });
  }
  showCorners(false);
  part("camera-lay").classList.remove("showing");
  if (shown.dataset.step === "pieces") showPieces();
  draw();
}

window.addEventListener("hashchange", showStep);
part("with-camera").addEventListener("click", () => {
  fresh = true;
  location.hash = "camera";
});

part("side-rows").addEventListener("change", () => (reseated = true));

// The game

part("game-step").addEventListener("click", (event) => { // a finger on a picture goes on; the arrow keys only choose
  if (event.detail > 0 && event.target.closest(".game-choices .pick")) setTimeout(() => (location.hash = "players"));
});

startGameStep(part("game-step"), async (chosen, way) => {
  if (way === "camera" && !fresh && !reseated) return location.assign(urls.table);
  if (way === "by-hand") await post(urls.camera, { name: null });
  const told = await post(urls.begin, { ...chosen, anew: chosen.anew && (way !== "camera" || fresh) });
  if (told.error) return told.error;
  location.assign(urls.table);
  return null;
});

drawGames(part("game-step"), urls.games);

// The camera

showLive(live, urls.picture, {
  onage: (age) => {
    const lost = age === null || age > LOST_SECONDS;
    live.hidden = age === null;
    part("camera-lay").classList.toggle("no-picture", age === null);
    stage.classList.toggle("lost", age !== null && lost);
    part("stage-word").textContent = age === null ? say("no picture yet") : lost ? lostWords(age) : say("live, {age} s ago", { age: decimal(age) });
  },
});

async function chooseCamera(name) {
  showMeasured(null);
  live.removeAttribute("src");
  const told = await post(urls.camera, { name });
  problem("camera-problem", told.error);
  const chosen = told.error ? (await get(urls.health)).chosen : name; // the one before goes on where the other cannot be had
  if (told.error) for (const radio of document.querySelectorAll("[name=camera]")) radio.checked = radio.value === (chosen ?? null);
  part("phone-way").hidden = chosen !== "phone";
  draw();
}

part("camera-choices").addEventListener("change", (event) => chooseCamera(event.target.value));
part("stream-form").addEventListener("submit", (event) => {
  event.preventDefault();
  for (const radio of document.querySelectorAll("[name=camera]")) radio.checked = false;
  chooseCamera(part("stream").value.trim());
});
part("phone-way").hidden = document.querySelector("[name=camera]:checked")?.value !== "phone";

/** The cameras that are there now: one that was plugged in comes, one that was pulled out goes unless it is chosen. */
function showChoices(choices) {
  const none = part("camera-choices").querySelector("[data-none]");
  const known = [...part("camera-choices").querySelectorAll("[name=camera]:not([value=''])")];
  for (const radio of known) if (!(radio.value in choices) && !radio.checked) radio.closest("label").remove();
  for (const [name, words] of Object.entries(choices)) {
    if (known.some((radio) => radio.value === name)) continue;
    none.before(el("label", { class: "pick" }, el("input", { type: "radio", name: "camera", "data-key": `camera-${name}`, value: name }), el("span", {}, words)));
  }
  part("no-cameras").hidden = Object.keys(choices).some((name) => name !== "phone");
}

async function watchHealth() {
  const told = await fetch(urls.health).then((answer) => answer.json()).catch(() => null);
  if (told?.choices) showChoices(told.choices);
  if (told?.measured && !measured && !byHand && !part("by-itself").disabled) showMeasured((await get(urls.calibration)).profile);
  const facts = told?.health && !told.lost ? healthFacts(told.health).slice(1) : [];
  redraw(part("camera-health"), ...(told?.chosen && told.lost ? [el("span", {}, told.lost)] : facts.map(([words, bad]) => el("span", { class: bad ? "fact bad" : "fact" }, bad ? `! ${words}` : words))));
}

// Measuring

const corners = createCorners(stage, part("overlay"), () => {
  measured = null;
  draw();
});

function showCorners(shown) {
  byHand = shown;
  corners.show(shown);
  part("corner-form").hidden = !shown;
  part("by-hand").setAttribute("aria-expanded", String(shown));
}

async function measure(body) {
  const waiting = (is) => {
    part("by-itself").textContent = is ? say("Measuring \u2026") : say("Measure by itself");
    for (const button of [part("by-itself"), part("corner-form").querySelector("button")]) button.disabled = is;
  };
  waiting(true);
  const told = await post(urls.calibrate, body);
  waiting(false);
  problem("measure-problem", told.error);
  if (told.profile) showCorners(false);
  showMeasured(told.profile);
}

/** What the table was measured to be, just now or on another day. */
function showMeasured(profile) {
  measured = profile ?? null;
  part("past-measure").textContent = measured ? say("Go on") : say("Skip this");
  part("past-measure").classList.toggle("primary", Boolean(measured));
  if (measured) announce(say("Measured. {advice}", { advice: measured.advice.join(" ") }));
  draw();
}

part("by-itself").addEventListener("click", () => measure({}));
part("by-hand").addEventListener("click", () => showCorners(!byHand));
part("corner-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  measure({ corners: corners.places, width: form.elements.width.value.replace(",", "."), height: form.elements.height.value.replace(",", ".") });
});

// The players' own pieces

const showPieces = createShowing({
  place: part("showing"),
  closeup: urls.closeup,
  send: (what) => (what === null ? get(urls.pieces) : post(urls.pieces, { do: what })),
  problem: (words) => problem("pieces-problem", words),
  going: (is) => part("camera-lay").classList.toggle("showing", is && location.hash === "#pieces"),
  here: () => location.hash === "#pieces",
});

// A first reading

part("read-now").addEventListener("click", async () => {
  const tell = (...parts) => redraw(part("was-read"), ...parts);
  part("read-now").disabled = true;
  tell(el("p", {}, say("Reading \u2026")));
  const told = await readPicture();
  part("read-now").disabled = false;
  part("read-now").textContent = say("Read again");
  read = told?.tiles ? told : null;
  draw();
  const tiles = read?.tiles.map(({ ends, unsure }) => `${ends[0]}|${ends[1]}${unsure ? ` (${say("not sure")})` : ""}`);
  if (!tiles) tell(el("p", {}, told?.error ?? say("There is no picture to read.")));
  else if (!tiles.length) tell(el("p", {}, say("I read no tile. Do they lie face up, in the picture, with nothing over them?")));
  else tell(el("p", { class: "advice" }, say("I read {tiles}. Right?", { tiles: tiles.join(", ") })), el("p", { class: "quiet" }, say("If so, play. If not: more light, less glare, or the camera nearer to the table.")));
});

async function readPicture() {
  try {
    const picture = await fetch(`${urls.picture}?whole`);
    if (picture.status !== 200) return null;
    const form = new FormData();
    form.append("photo", await picture.blob(), "table.jpg");
    return await (await fetch(urls.read, { method: "POST", body: form })).json();
  } catch {
    return { error: say("Kibitz cannot be reached.") };
  }
}

function points(line) {
  return line.map((place) => place.join(",")).join(" ");
}

function draw() {
  for (const old of part("overlay").querySelectorAll(".mm-line, .outline, .read-tile")) old.remove();
  for (const { corners } of read?.tiles ?? []) {
    part("overlay").append(svg("polygon", { class: "read-tile", points: points(corners.map(([x, y]) => [x / read.size[0], y / read.size[1]])) }));
  }
  redraw(part("marks"));
  part("measured").hidden = !measured;
  if (!measured || location.hash !== "#measure") return;
  part("overlay").append(...measured.lines.map((line) => svg("polyline", { class: "mm-line", points: points(line) })), svg("polygon", { class: "outline", points: points(measured.outline) }));
  redraw(
    part("marks"),
    ...measured.scales.map((one) => {
      const mark = el("span", { class: one.poor ? "px-mark poor" : "px-mark" }, one.poor ? say("too far") : say("clear"));
      mark.style.left = `${100 * one.at[0]}%`;
      mark.style.top = `${100 * one.at[1]}%`;
      return mark;
    }),
  );
  redraw(
    part("measured"),
    ...measured.advice.map((words) => el("p", { class: "advice" }, words)),
    el("p", { class: "quiet" }, say("{method}; the play area is {width} by {height} mm, right to {error} mm where it was checked. The lines above are 100 mm apart: do they follow the table?", { method: METHODS[measured.method], width: measured.table[0], height: measured.table[1], error: decimal(measured.error) })),
    ...measured.notes.map((note) => el("p", { class: "quiet" }, note)),
  );
}

showStep();
setInterval(() => document.visibilityState === "visible" && watchHealth(), 1500);
watchHealth();
