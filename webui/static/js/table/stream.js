// What the table sends: a snapshot after every change, and every second how well the camera sees.

const DEAD_MS = 900; // the table speaks more often than that
const QUIET_MS = 2500;
const AGAIN_MS = 5000; // whoever hears nothing asks again so often

/**
 * Listens to the events at `url` for as long as the page is open. `onTable` gets each snapshot, `onHealth` what the
 * camera says, `onLink` at once whether the table hears this page at all, `onSilence` after a while the milliseconds since
 * anything was heard, or 0 when it is heard again.
 */
export function listen(url, { onTable, onHealth, onLink, onSilence }) {
  let source = null;
  let asked = 0;
  let heard = performance.now();
  let silent = false;
  let told = 0; // how long it had been quiet when that was last said
  let linked = true;

  function link(now) {
    if (linked !== now) onLink(now);
    linked = now;
  }

  function hear() {
    heard = performance.now();
    told = 0;
    link(true);
    if (silent) {
      silent = false;
      onSilence(0);
    }
  }

  function open() {
    source?.close();
    asked = performance.now();
    source = new EventSource(url);
    source.addEventListener("table", (event) => {
      hear();
      onTable(JSON.parse(event.data));
    });
    source.addEventListener("health", (event) => {
      hear();
      onHealth(JSON.parse(event.data));
    });
    source.addEventListener("error", () => link(false));
  }

  // A browser gives up after some answers, and says nothing of a link that broke while it slept or of a page that is come back to.
  setInterval(() => {
    const now = performance.now();
    const quiet = now - heard;
    if (quiet > DEAD_MS) link(false);
    if (quiet > QUIET_MS && now - asked > AGAIN_MS) open();
    if (quiet < QUIET_MS || quiet - told < 1000) return;
    silent = true;
    told = quiet;
    onSilence(quiet);
  }, 200);
  window.addEventListener("pagehide", () => source?.close());
  open();
}
