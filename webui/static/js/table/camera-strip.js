// How well the camera sees, in one line; and its live picture, one tap away.

import { el, redraw } from "../parts/dom.js";
import { lostWords, showLive } from "../parts/live-picture.js";
import { decimal, say } from "../parts/words.js";

const LOST_SECONDS = 2;

function lightWords(light) {
  if (light < 0.15) return [say("dark"), true];
  if (light > 0.88) return [say("too bright"), true];
  return [say("light good"), false];
}

/** The facts about the camera as [words, whether that is bad]. */
export function healthFacts(health) {
  const facts = [[say("{age} s ago", { age: decimal(health.age) }), false]];
  if (health.fps && health.fps < 3) facts.push([say("few pictures a second"), true]);
  if (health.light) facts.push(lightWords(health.light));
  if (health.glare > 0.03) facts.push([say("glare"), true]);
  if (health.sharpness && health.sharpness < 0.45) facts.push([say("not sharp"), true]);
  if (health.scale && health.scale < 1.2) facts.push([say("too far away"), true]);
  if (health.outside > 0.02) facts.push([say("part of the table is out of the picture: turn the camera back"), true]);
  return facts;
}

/** Draws the strip; `health` is null where there is no camera. */
export function drawHealth(place, health) {
  if (!health) {
    redraw(place, el("span", { class: "health-word" }, say("No camera: plays are entered by hand.")));
    place.dataset.state = "none";
    return;
  }
  const lost = !health.picture || health.age > LOST_SECONDS;
  place.dataset.state = lost ? "lost" : "seeing";
  redraw(
    place,
    el("span", { class: "health-word" }, el("i", { class: "dot", "aria-hidden": "true" }), lost ? lostWords(health.age) : health.name),
    ...(lost ? [] : healthFacts(health).map(([words, bad]) => el("span", { class: bad ? "fact bad" : "fact" }, bad ? `! ${words}` : words))),
  );
}

/** The button that shows and hides the live picture in `panel`. */
export function wirePicture(button, panel, url) {
  const image = panel.querySelector("img");
  const words = panel.querySelector("figcaption");
  let live = null;
  const set = (open) => {
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    live?.stop();
    live = open
      ? showLive(image, url, {
          onage: (age) => {
            words.textContent = age === null ? say("no picture yet") : age > LOST_SECONDS ? lostWords(age) : say("live, {age} s ago", { age: decimal(age) });
            panel.classList.toggle("lost", age === null || age > LOST_SECONDS);
          },
        })
      : null;
  };
  button.addEventListener("click", () => set(panel.hidden));
  panel.querySelector("button").addEventListener("click", () => {
    set(false);
    button.focus();
  });
}
