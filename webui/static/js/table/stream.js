// What the table sends: a snapshot after every change, and every second how well the camera sees.

const DEAD_MS = 900; // the table speaks more often than that
const QUIET_MS = 2500;

/**
 * Listens to the events at `url` for as long as the page is open. `onTable` gets each snapshot, `onHealth` what the
 * camera says, `onLink` at once whether the table hears this page at all, `onSilence` after a while the milliseconds since
 * anything was heard, or 0 when it is heard again.
 */
export function listen(url, { onTable, onHealth, onLink, onSilence }) {
  let source = null;
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
    source = new EventSource(url);
    source.addEventListener("table", (event) => {
      hear();
      onTable(JSON.parse(event.data));
    });
    source.addEventListener("health", (event) => {
      hear();
      onHealth(JSON.parse(event.data));
    });
    source.addEventListener("error", () => {
      link(false);
      // A browser gives up after some answers; so the page asks again by itself.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 1500);
    });
  }

  setInterval(() => {
    const quiet = performance.now() - heard;
    if (quiet > DEAD_MS) link(false);
    if (quiet < QUIET_MS || quiet - told < 1000) return;
    silent = true;
    told = quiet;
    onSilence(quiet);
  }, 200);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && performance.now() - heard > QUIET_MS) open();
  });
  window.addEventListener("pagehide", () => source?.close());
  open();
}
