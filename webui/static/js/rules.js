// Finds rules by a word; a rule that was linked to is shown whatever is searched.

import "./parts/comfort.js";
import { el } from "./parts/dom.js";
import { openOffline } from "./parts/offline.js";
import { count, say } from "./parts/words.js";
import { badTile, drawing, drawnPart, placedTile } from "./table/drawing.js";

const search = document.getElementById("search");
const rules = [...document.querySelectorAll("#rules .rule-entry")];

search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const rule of rules) rule.hidden = !words.every((word) => rule.textContent.toLowerCase().includes(word));
  const found = rules.filter((rule) => !rule.hidden).length;
  document.getElementById("found").textContent = words.length ? count(found, "{number} rule found", "{number} rules found") : "";
});

/** Beside each rule that has one, a drawing of a tile that breaks it. */
async function drawRules(url) {
  const drawings = await fetch(url).then((answer) => answer.json()).catch(() => ({}));
  for (const [rule, { box, under, tiles, over, bad }] of Object.entries(drawings)) {
    const parts = (some) => some.map((one) => drawnPart(one, []));
    const label = say("A tile that breaks this rule");
    const drawn = drawing(box, label, 0, ...parts(under), ...tiles.map((tile) => placedTile(tile)), ...parts(over), badTile(bad));
    document.getElementById(rule)?.append(el("dd", { class: "rule-drawing" }, drawn, el("span", { class: "quiet" }, label)));
  }
}

const { drawings } = document.getElementById("rules").dataset;
if (drawings) drawRules(drawings);
openOffline();
