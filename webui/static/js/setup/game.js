// The game, its rules, and who plays: everything is sent at once when the game begins.

import { drawing, drawnPart, placedTile } from "../table/drawing.js";
import { seatSign } from "../table/seats.js";

const SIDES = 4;

/** At which sides so many players sit; where there are more than sides, some sit beside each other. */
function usualSides(count) {
  if (count === 2) return [0, 2];
  return Array.from({ length: count }, (_, at) => (count <= SIDES ? at : Math.floor((at * SIDES) / count)));
}

/** Draws each game half way beside its name. */
export async function drawGames(form, url) {
  const games = await fetch(url).then((answer) => answer.json()).catch(() => ({}));
  for (const place of form.querySelectorAll("[data-picture-of]")) {
    const drawn = games[place.dataset.pictureOf];
    const parts = (some) => (some ?? []).map((one) => drawnPart({ ...one, shapes: one.shapes.filter((shape) => shape.seat === undefined) }, []));
    if (!drawn) continue;
    const scene = drawing(drawn.box, "", 0, ...parts(drawn.under), ...drawn.tiles.map((tile) => placedTile(tile)), ...parts(drawn.over));
    place.append(scene);
    const { x, y, width, height } = scene.getBBox(); // room for the next play is wasted on a small picture; nothing where it is not shown
    if (width) scene.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }
}

/** Wires the form; `begin` sends what was chosen, in which way it is played, and gives a sentence where it fails. */
export function startGameStep(form, begin) {
  const players = form.querySelector("#how-many");
  const rows = [...form.querySelectorAll(".seat-row")];
  const sides = [...document.querySelectorAll("#side-rows .seat-row")]; // asked for only on the way to a camera
  const side = (at) => sides[at].querySelector("[name=side]");
  const chosen = () => form.querySelector("[name=game]:checked");
  const going = chosen().value;

  function showGame() {
    const seats = chosen().dataset.seats.split(",");
    const wanted = seats.includes(players.value) ? players.value : seats[0];
    players.replaceChildren(...seats.map((count) => new Option(count, count, false, count === wanted)));
    players.value = wanted;
    form.querySelector("#game-name").textContent = chosen().parentNode.querySelector("b").textContent;
    form.querySelector("#keep")?.toggleAttribute("hidden", chosen().value !== going);
    form.querySelector("#ends")?.toggleAttribute("hidden", chosen().value === going);
    for (const flags of form.querySelectorAll("[data-flags-of]")) flags.hidden = flags.dataset.flagsOf !== chosen().value;
    showSeats(true);
  }

  function showSeats(usual) {
    const count = Number(players.value);
    rows.forEach((row, at) => {
      row.hidden = sides[at].hidden = at >= count;
      if (usual && at < count) side(at).value = String(usualSides(count)[at]);
    });
    showNames();
  }

  function showNames() {
    rows.forEach((row, at) => {
      const { value, placeholder } = row.querySelector("[name=name]");
      sides[at].querySelector(".seat-name").textContent = value.trim() || placeholder;
    });
  }

  form.addEventListener("input", showNames);
  form.addEventListener("change", (event) => {
    if (event.target.name === "game") showGame();
    if (event.target === players) showSeats(true);
  });
  form.addEventListener("keydown", (event) => { // who has told a name goes on to the next; only a button begins to play
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    const names = rows.filter((row) => !row.hidden).map((row) => row.querySelector("[name=name]"));
    if (names.includes(event.target)) names[names.indexOf(event.target) + 1]?.focus();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const rules = {};
    for (const field of form.querySelectorAll(`[data-flags-of="${chosen().value}"] :is(select, input)`)) {
      if (field.value) rules[field.name] = field.value;
    }
    const seats = rows.slice(0, Number(players.value)).map((row, at) => ({
      name: row.querySelector("[name=name]").value,
      side: Number(side(at).value),
    }));
    const way = event.submitter?.value ?? "";
    const problem = await begin({ game: chosen().value, rules, seats, hints: form.querySelector("#hints").value, anew: way !== "" }, way);
    const place = form.querySelector("#game-problem");
    place.textContent = problem ?? "";
    place.hidden = !problem;
  });
  for (const list of [rows, sides]) list.forEach((row, at) => row.querySelector(".seat-place").append(seatSign(at)));
  const seated = sides.filter((row) => row.dataset.side).length;
  showGame();
  if (seated && [...players.options].some((option) => option.value === String(seated))) {
    players.value = String(seated);
    showSeats(true);
    sides.forEach((row, at) => row.dataset.side && (side(at).value = row.dataset.side));
  }
}
