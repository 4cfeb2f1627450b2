// What the table sends: a snapshot after every change, and every second how well the camera sees.

const QUIET_MS = 4000;

/**
 * Listens to the events at `url` for as long as the page is open. `onTable` gets each snapshot, `onHealth` what the
 * camera says, `onSilence` the milliseconds since anything was heard, or 0 when it is heard again.
 */
export function listen(url, { onTable, onHealth, onSilence }) {
  let source = null;
  let heard = performance.now();
  let silent = false;

  function hear() {
    heard = performance.now();
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
      // A browser gives up after some answers; so the page asks again by itself.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 1500);
    });
  }

  setInterval(() => {
    const quiet = performance.now() - heard;
    if (quiet < QUIET_MS) return;
    silent = true;
    onSilence(quiet);
  }, 1000);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && performance.now() - heard > QUIET_MS) open();
  });
  window.addEventListener("pagehide", () => source?.close());
  open();
}
