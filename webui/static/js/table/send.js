// What the page asks the table to do. Every deed has an id of its own, so that sending it twice does it once.

import { say } from "../parts/words.js";

const TRIES = 3;

function newId() {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sends a deed that answers a version; null when it is done, else one sentence that says why not. */
export async function send(url, version, deed) {
  const body = JSON.stringify({ id: newId(), version, ...deed });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      if (answer.ok) return null;
      const told = await answer.json().catch(() => ({}));
      return told.error ?? say("That did not work.");
    } catch {
      if (attempt === TRIES) return say("Kibitz cannot be reached. Is this device still on the Wi-Fi?");
      await new Promise((resolve) => setTimeout(resolve, 400 * attempt));
    }
  }
}

/** What an address answers as JSON, or null. */
export async function ask(url) {
  try {
    const answer = await fetch(url);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
