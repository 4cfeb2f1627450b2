// The pictures that prove an entry: a close-up of where it happened, and the whole table behind a tap.

import { el } from "../parts/dom.js";
import { say } from "../parts/words.js";

export const SMALL = 160; // pixels across that the server makes
const MIDDLE = 640;

/** The address of the closest picture; `pictures` are the one before, the one after, and where there is one a close-up. */
export function closest(pictures, evidence, width) {
  return `${evidence(pictures.at(-1))}?width=${width}`;
}

/** The address of the picture of the whole table. */
export function whole(pictures, evidence) {
  return evidence(pictures[Math.min(1, pictures.length - 1)]);
}

/** A figure with the closest picture, which leads to the whole; null where there is none. */
export function evidencePicture(pictures, evidence, alt, caption = "") {
  if (pictures.length === 0) return null;
  return el(
    "figure",
    { class: "evidence" },
    el("a", { href: whole(pictures, evidence), target: "_blank", "aria-label": say("{alt}; opens the whole table", { alt }) }, el("img", { src: closest(pictures, evidence, MIDDLE), alt })),
    caption ? el("figcaption", {}, caption) : null,
  );
}
