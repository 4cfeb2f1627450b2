// Four corners that can be dragged with mouse, finger or arrow keys, as shares of the picture's sides.

import { svg } from "../parts/dom.js";
import { say } from "../parts/words.js";

const NAMES = [say("upper left"), say("upper right"), say("lower right"), say("lower left")];
const STEP = 0.002;
const LARGE_STEP = 0.02;
const START = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]];

function within(value) {
  return Math.min(1, Math.max(0, value));
}

/** Puts the corners over `stage`, their outline into `overlay`; `onmove` hears of every move. */
export function createCorners(stage, overlay, onmove) {
  const places = START.map((place) => [...place]);
  const quad = svg("polygon", { class: "quad" });
  const handles = NAMES.map((name, at) => {
    const handle = document.createElement("button");
    handle.type = "button";
    handle.className = "corner";
    handle.dataset.short = String(at + 1);
    handle.dataset.key = `corner-${at}`;
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const bounds = stage.getBoundingClientRect();
      move(at, (event.clientX - bounds.left) / bounds.width, (event.clientY - bounds.top) / bounds.height);
    });
    handle.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? LARGE_STEP : STEP;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
      if (!by) return;
      event.preventDefault();
      move(at, places[at][0] + by[0], places[at][1] + by[1]);
    });
    return handle;
  });

  function move(at, x, y) {
    places[at] = [within(x), within(y)];
    draw();
    onmove(places);
  }

  function draw() {
    quad.setAttribute("points", places.map((place) => place.join(",")).join(" "));
    handles.forEach((handle, at) => {
      handle.style.left = `${100 * places[at][0]}%`;
      handle.style.top = `${100 * places[at][1]}%`;
      handle.setAttribute("aria-label", say("Corner {number}, {where}: {across} % across, {down} % down", { number: at + 1, where: NAMES[at], across: Math.round(100 * places[at][0]), down: Math.round(100 * places[at][1]) }));
    });
  }

  return {
    get places() {
      return places;
    },
    show(shown) {
      if (shown) {
        overlay.append(quad);
        stage.append(...handles);
        draw();
      } else {
        quad.remove();
        handles.forEach((handle) => handle.remove());
      }
    },
  };
}
