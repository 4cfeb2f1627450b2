// A value with its past: every change can be undone and done again.

/** Keeps `limit` steps. States are values: never change one, give a new one to `step`. */
export function createHistory(start, limit = 60) {
  let past = [];
  let present = start;
  let future = [];
  const listeners = [];
  const tell = () => listeners.forEach((listener) => listener(present));

  return {
    get now() {
      return present;
    },
    /** What undo would take back, in words; null where there is nothing. */
    get undoWords() {
      return past.at(-1)?.words ?? null;
    },
    get redoWords() {
      return future.at(-1)?.words ?? null;
    },
    /** A change by the person, with words for it ("remove 6|4"). */
    step(words, next) {
      past = [...past, { state: present, words }].slice(-limit);
      future = [];
      present = next;
      tell();
    },
    /** A change that is nobody's to undo (a reading has come): made in the past and the future as well. */
    amend(change) {
      past = past.map((entry) => ({ ...entry, state: change(entry.state) }));
      future = future.map((entry) => ({ ...entry, state: change(entry.state) }));
      present = change(present);
      tell();
    },
    undo() {
      const last = past.at(-1);
      if (!last) return null;
      past = past.slice(0, -1);
      future = [...future, { state: present, words: last.words }];
      present = last.state;
      tell();
      return last.words;
    },
    redo() {
      const next = future.at(-1);
      if (!next) return null;
      future = future.slice(0, -1);
      past = [...past, { state: present, words: next.words }];
      present = next.state;
      tell();
      return next.words;
    },
    /** Starts over with another value and without a past. */
    reset(state) {
      past = [];
      future = [];
      present = state;
      tell();
    },
    /** Every state that undo and redo can still reach, the present one included. */
    get reachable() {
      return [...past.map((entry) => entry.state), present, ...future.map((entry) => entry.state)];
    },
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}
