// A phone or tablet as the table's camera: sends the newest picture as soon as the one before has arrived, never two.

import { announce } from "../parts/announce.js";
import { stayAwake } from "../parts/awake.js";
import { el, redraw } from "../parts/dom.js";
import { decimal, say } from "../parts/words.js";

const WIDEST = 2560;
const NARROWEST = 1280;
const EVERY_MS = 100;
const SLOW_MS = 450;
const LOST_MS = 2000;
const WORDS = {
  ready: say("Ready"), hand: say("Hand"), moving: say("Moving"), reading: say("Reading"), illegal: say("Not allowed"), asking: say("Question"),
  "out-of-sync": say("Out of step"), "camera-lost": say("No picture arrives"), uncalibrated: say("Not calibrated"),
};

const page = document.getElementById("camera-page");
const video = document.getElementById("video");
const word = document.getElementById("lens-word");
const words = document.getElementById("camera-words");
const facts = document.getElementById("camera-facts");
const again = document.getElementById("again");
const canvas = Object.assign(document.createElement("canvas"), { width: 0 }); // until there is a picture
const frames = `${page.dataset.frame}?from=${Math.random().toString(36).slice(2)}`; // of two phones the one opened last is the camera

let stream = null;
let width = WIDEST;
let quality = 0.85;
let arrived = null; // when the last picture arrived
let told = {};
let problem = "";
let exposed = 0;
let awake = false;
let times = [];

function state(name, title, sentence) {
  if (page.dataset.state !== name) announce(sentence);
  page.dataset.state = name;
  word.textContent = title;
  words.textContent = sentence;
}

function insecure() {
  state("insecure", "", say("A browser lends its camera only to encrypted pages, and this one is not."));
  document.getElementById("camera-title").textContent = say("One more step");
  document.getElementById("why-secure").hidden = false;
  const link = document.getElementById("to-secure");
  if (page.dataset.secure) {
    link.href = page.dataset.secure;
    link.hidden = false;
  } else {
    words.textContent += ` ${say("Start Kibitz with: {command}", { command: "./run serve --https" })}`;
  }
}

const REFUSALS = {
  NotAllowedError: say("This browser was told not to lend its camera. Allow it in the address bar, then try again."),
  NotFoundError: say("This device has no camera."),
  NotReadableError: say("Another app uses the camera. Close that app, then try again."),
};

async function open() {
  again.hidden = true;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: "environment" }, width: { ideal: WIDEST }, height: { ideal: 1440 }, frameRate: { ideal: 15 } },
    });
  } catch (error) {
    state("refused", say("No camera"), REFUSALS[error.name] ?? say("The camera does not open ({message}).", { message: error.message }));
    again.hidden = false;
    return;
  }
  for (const track of stream.getVideoTracks()) track.addEventListener("ended", () => setTimeout(open, 1000));
  video.srcObject = stream;
  exposed = 0;
  await video.play().catch(() => {});
  state("sending", say("Starting"), say("Stand it so that the whole table is in the picture, then leave it alone."));
}

function picture() {
  if (!stream?.active || video.readyState < 2 || document.visibilityState !== "visible") return null;
  const scale = Math.min(1, width / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

async function sendOne() {
  const jpeg = await picture();
  if (!jpeg) return;
  const began = performance.now();
  const stopping = new AbortController();
  const patience = setTimeout(() => stopping.abort(), 5000);
  try {
    const answer = await fetch(frames, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: jpeg, signal: stopping.signal });
    const said = await answer.json().catch(() => ({}));
    if (answer.ok) {
      arrived = performance.now();
      told = said;
      problem = "";
      expose(said.stops ?? 0);
      times = [...times, arrived].filter((time) => arrived - time < 3000);
    } else {
      problem = said.error ?? say("The picture was not taken.");
    }
  } catch {
    problem = say("Kibitz cannot be reached. Is this phone still on the Wi-Fi?");
  } finally {
    clearTimeout(patience);
  }
  adapt(performance.now() - began);
}

/** White tiles burn out on a dark cloth: where the browser can, its camera takes so many stops less light than by itself. */
function expose(stops) {
  if (stops === exposed) return;
  exposed = stops;
  for (const track of stream.getVideoTracks()) {
    const range = track.getCapabilities?.().exposureCompensation;
    if (range) track.applyConstraints({ advanced: [{ exposureCompensation: Math.max(range.min, -stops) }] }).catch(() => {});
  }
}

/** A slow Wi-Fi gets smaller pictures rather than old ones. */
function adapt(took) {
  if (took > SLOW_MS) {
    if (quality > 0.7) quality -= 0.05;
    else width = Math.max(NARROWEST, Math.round(width * 0.85));
  } else if (took < SLOW_MS / 3) {
    if (width < WIDEST) width = Math.min(WIDEST, Math.round(width * 1.05));
    else quality = Math.min(0.85, quality + 0.01);
  }
}

function tell() {
  if (page.dataset.state === "insecure" || page.dataset.state === "refused") return;
  const age = arrived === null ? null : performance.now() - arrived;
  if (age === null || age > LOST_MS) {
    if (arrived !== null || problem) state("lost", age === null ? say("Nothing sent yet") : say("Not sending for {seconds} s", { seconds: Math.round(age / 1000) }), problem || say("No picture leaves this phone. Keep this page open in front."));
  } else {
    state("sending", WORDS[told.word] ?? say("Sending"), told.sentence || say("Stand it so that the whole table is in the picture, then leave it alone."));
  }
  redraw(
    facts,
    ...fact(say("Sent"), age === null ? say("nothing yet") : say("{age} s ago", { age: decimal(age / 1000) })),
    ...fact(say("Picture"), canvas.width ? `${canvas.width} \u00d7 ${canvas.height}` : say("none")),
    ...fact(say("Speed"), say("{pictures} a second", { pictures: decimal(times.length / 3, 0) })),
  );
  document.getElementById("awake-words").textContent = awake ? say("The screen stays on while this page is in front.") : say("Set this phone not to lock its screen, and plug it in.");
}

function fact(name, value) {
  return [el("dt", { "data-key": `t-${name}` }, name), el("dd", { "data-key": `d-${name}` }, value)];
}

async function run() {
  for (;;) {
    const began = performance.now();
    await sendOne();
    await new Promise((resolve) => setTimeout(resolve, Math.max(10, EVERY_MS - (performance.now() - began))));
  }
}

again.addEventListener("click", open);
if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) {
  insecure();
} else {
  stayAwake((granted) => {
    awake = granted;
  });
  open().then(run);
  setInterval(tell, 250);
}
