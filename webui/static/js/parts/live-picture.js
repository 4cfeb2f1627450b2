// The camera's newest picture, asked for again and again. An old one is never shown as if it were new.

import { say } from "./words.js";

const OLD_SECONDS = 2;
const PAUSE_MS = 220;
const PATIENCE_MS = 1500;

/** "camera lost 12 s": how long ago, in words. */
export function lostWords(seconds) {
  const whole = Math.round(seconds);
  return whole < 120 ? say("camera lost {seconds} s", { seconds: whole }) : say("camera lost {minutes} min", { minutes: Math.round(whole / 60) });
}

/**
 * Shows the pictures of `url` in `image` while `wanted()` holds. `onage` hears how old the picture is (seconds), or
 * null where there never was one. `stop()` ends it.
 */
export function showLive(image, url, { wanted = () => true, onage = () => {} } = {}) {
  let going = true;
  let address = null;
  let age = null;
  let at = performance.now();

  function tell() {
    const now = age === null ? null : age + (performance.now() - at) / 1000;
    image.classList.toggle("old", now === null || now > OLD_SECONDS);
    onage(now);
  }

  async function once() {
    const stopping = new AbortController();
    const patience = setTimeout(() => stopping.abort(), PATIENCE_MS);
    try {
      const answer = await fetch(url, { signal: stopping.signal, cache: "no-store" });
      if (answer.status !== 200) return;
      const picture = await answer.blob();
      age = Number(answer.headers.get("X-Frame-Age") ?? 0);
      at = performance.now();
      const before = address;
      address = URL.createObjectURL(picture);
      image.src = address;
      if (before) URL.revokeObjectURL(before);
    } catch {
      // the age goes on growing, and says so
    } finally {
      clearTimeout(patience);
    }
  }

  async function loop() {
    while (going) {
      if (wanted() && document.visibilityState === "visible") {
        await once();
        tell();
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  const ticking = setInterval(tell, 1000);
  tell(); // what stood there before is no picture of now
  loop();
  return {
    stop() {
      going = false;
      clearInterval(ticking);
      if (address) URL.revokeObjectURL(address);
    },
  };
}
