// The signs of the state words, drawn here: fonts have them in colour, in grey, or not at all.

import { svg } from "../parts/dom.js";

const STROKES = {
  ready: "M5 12.6 10 17.4 19 7",
  hand: "M7.4 13.6V7.3a1.4 1.4 0 0 1 2.8 0v4.4m0 0V5.1a1.4 1.4 0 0 1 2.8 0v6.6m0-5.4a1.4 1.4 0 0 1 2.8 0v6.2m0-3.2a1.4 1.4 0 0 1 2.8 0v5c0 3.6-2.3 5.9-5.7 5.9-2.6 0-4.1-1.1-5.4-3.3l-2.6-4.2a1.4 1.4 0 0 1 2.3-1.6l.8 1.1",
  moving: "M4 12h16M8 7.8 3.8 12 8 16.2m8-8.4 4.2 4.2-4.2 4.2",
  reading: "M2.8 12s3.3-6 9.2-6 9.2 6 9.2 6-3.3 6-9.2 6-9.2-6-9.2-6Zm6.6 0a2.6 2.6 0 1 0 5.2 0 2.6 2.6 0 1 0-5.2 0",
  illegal: "m6.4 6.4 11.2 11.2m0-11.2L6.4 17.6",
  asking: "M8.4 9.3a3.6 3.6 0 1 1 5.6 3c-1.4.9-2 1.6-2 3m0 3.4v.2",
  "out-of-sync": "M5.5 8.2h12.4m-3.6-4 4 4-4 4M18.5 15.8H6.1m3.6-4-4 4 4 4",
  "camera-lost": "M9 6.4h6.4l1.4 2.2h3.4v9m-3 .9H3.8V8.6h3M3.6 3.6l16.8 16.8",
  uncalibrated: "M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5",
  offline: "M3.5 9.6a12 12 0 0 1 17 0M7 13.4a7 7 0 0 1 10 0M12 17.6v.2M4 4l16 16",
};

/** The sign of a state word in its disc. */
export function wordSign(word) {
  const path = svg("path", { d: STROKES[word] ?? STROKES.reading });
  return svg("svg", { class: "word-sign", viewBox: "-6 -6 36 36", "aria-hidden": "true", focusable: "false" }, svg("circle", { cx: 12, cy: 12, r: 18 }), path);
}
