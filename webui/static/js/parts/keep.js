// What this browser keeps for next time: numbers, names and choices, never a picture.

/** What this browser keeps for good, and until this tab is closed; asked for only when needed, as even that may be forbidden. */
export const forGood = () => window.localStorage;
export const forNow = () => window.sessionStorage;

/** What was kept under the name, checked and completed by `check` (which gets null where there is nothing usable). */
export function recall(store, name, check) {
  try {
    return check(JSON.parse(store().getItem(name)));
  } catch {
    return check(null);
  }
}

/** Keeps a value; a full or forbidden store is no reason to stop the game. */
export function keep(store, name, value) {
  try {
    store().setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
