// Hands a text on: to the phone's share sheet where there is one, else to the clipboard.

import { say } from "./words.js";

/** What the button is called that does it here. */
export const SHARE_WORDS = navigator.share ? say("Share") : say("Copy as text");

/** Shares or copies the text; "shared", "copied", or "failed". */
export async function shareText(text) {
  if (navigator.share) {
    try {
      await navigator.share({ text });
      return "shared";
    } catch (problem) {
      if (problem.name === "AbortError") return "shared";
    }
  }
  return (await copyText(text)) ? "copied" : "failed";
}

async function copyText(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // the older way below may still be allowed
    }
  }
  // On a local network without a certificate browsers offer only this way.
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "only-heard";
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  before?.focus({ preventScroll: true });
  return done;
}
