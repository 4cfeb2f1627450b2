// What makes a page comfortable for whoever uses it, kept in this browser: larger text, the table turned, a timer, less to see,
// and whether single keys do something (a voice that types, or a knee on the keyboard, would press them).

import { forGood, keep, recall } from "./keep.js";

const KEPT = "kibitz.comfort";
const USUAL = { text: "1", turned: "0", timer: "0", quiet: false, keys: true };

/** What is chosen now. */
export const comfort = recall(forGood, KEPT, (value) => ({ ...USUAL, ...value }));

function apply() {
  document.documentElement.style.setProperty("--text", comfort.text);
  document.documentElement.style.setProperty("--turned", comfort.turned);
  document.body.classList.toggle("quiet-mode", comfort.quiet);
}

/** Choose something else. */
export function choose(change) {
  Object.assign(comfort, change);
  keep(forGood, KEPT, comfort);
  apply();
}

/** Wires a form whose fields have the names of the choices; `changed` hears of each. */
export function wireComfort(form, changed) {
  const show = () => {
    for (const field of form.elements) field[field.type === "checkbox" ? "checked" : "value"] = comfort[field.name];
  };
  form.addEventListener("change", ({ target }) => {
    choose({ [target.name]: target.type === "checkbox" ? target.checked : target.value });
    changed();
  });
  show();
  return show;
}

apply();
