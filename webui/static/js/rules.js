// Finds rules by a word; a rule that was linked to is shown whatever is searched.


import "./parts/comfort.js";
import { openOffline } from "./parts/offline.js";
import { count } from "./parts/words.js";

const search = document.getElementById("search");
const rules = [...document.querySelectorAll("#rules .rule-entry")];

search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const rule of rules) rule.hidden = !words.every((word) => rule.textContent.toLowerCase().includes(word));
  const found = rules.filter((rule) => !rule.hidden).length;
  document.getElementById("found").textContent = words.length ? count(found, "{number} rule found", "{number} rules found") : "";
});
openOffline();
