// The players' own pieces are shown to the camera row after row; each row is looked at until it is right.

import { announce } from "../parts/announce.js";
import { el, focusKey, redraw } from "../parts/dom.js";
import { say } from "../parts/words.js";

const LOOK_MS = 700;
const HIGHEST_REM = 18; // of the picture of a row

/**
 * Draws the showing in `place`; gives a function that asks how things are. `send` does a step, or asks how things are without one,
 * `closeup` is the address of the picture of a row, `problem` shows a sentence, `here` is whether the step is open, `going` is told whether a set is being shown.
 */
export function createShowing({ place, closeup, send, problem, here, going }) {
  let told = null;
  let looked = 0; // the round whose result was looked at
  let said = "";
  let busy = false;

  async function act(what, then) {
    busy = true;
    const answer = await send(what);
    busy = false;
    problem(answer.error);
    if (answer.error) return;
    told = answer;
    looked = Math.min(looked, told.showing?.round ?? 0);
    draw();
    if (then) focusKey(then, place);
  }

  const finished = () => told.showing.round > 1 && told.showing.step === 1 && looked < told.showing.round;
  const looking = () => told?.showing && !finished();

  setInterval(() => !busy && here() && document.visibilityState === "visible" && looking() && act("look"), LOOK_MS);

  function draw() {
    const showing = told.showing;
    going(Boolean(showing));
    redraw(place, ...(showing ? (finished() ? result(showing) : row(showing)) : known()));
  }

  function known() {
    const begin = (words, look) => el("button", { class: look, "data-key": "show-pieces", type: "button", disabled: !told.measured, onclick: () => act("begin", "row-right") }, words);
    return [
      el("p", {}, say("Coins, dice and pawns look otherwise in every set. Show yours to the camera once: one row after the other, a few minutes in all. They stay known at this table.")),
      told.problem && el("p", { class: "problem" }, told.problem),
      el("p", { class: "advice" }, told.own ? say("Your pieces are known: {sides} sides were shown.", { sides: told.sides }) : say("They are read by the marks of the common editions.")),
      !told.measured && el("p", {}, say("To see pieces, the table has to be measured first.")),
      el("div", { class: "row" }, begin(told.own ? say("Show them again") : say("Show my pieces"), told.own ? "button" : "button primary"), told.own && el("button", { class: "button", "data-key": "forget-pieces", type: "button", onclick: () => act("forget") }, say("Read by common marks"))),
    ];
  }

  function row(showing) {
    const now = showing.ready ? say("Are they in this order? Then this row is right.") : showing.seen === null ? say("There is no picture yet.") : say("I see {seen} of {wanted}. Lay them apart, from left to right in the picture, and nothing else near.", { seen: showing.seen, wanted: showing.pieces.length });
    if (said !== now) announce((said = now));
    return [
      el("p", { class: "quiet" }, showing.round > 1 ? say("Row {step} of {of}, once more", showing) : say("Row {step} of {of}", showing)),
      el("p", { class: "advice" }, showing.words),
      showing.closeup && nearer(showing.closeup, showing.ready ? showing.pieces : []),
      el("ol", { class: "shown-row" }, showing.pieces.map(({ kind, words }) => el("li", { class: `shown-${kind}${showing.ready ? " seen" : ""}` }, words))),
      el("p", {}, now),
      ...showing.faint.map((words) => el("p", { class: "problem" }, words)),
      el("div", { class: "row" },
        el("button", { class: "button primary", "data-key": "row-right", type: "button", disabled: !showing.ready, onclick: () => act("take", "row-right") }, say("This row is right")),
        showing.begun && el("button", { class: "button", "data-key": "row-back", type: "button", onclick: () => act("back", "row-right") }, say("The row before")),
        el("button", { class: "button", "data-key": "row-stop", type: "button", onclick: () => act("stop") }, say("Stop"))),
    ];
  }

  function nearer({ number, size: [width, height], marks }, pieces) {
    const image = el("img", { src: `${closeup}?${number}`, width, height, alt: say("What the camera sees of them") });
    const picture = el("div", { class: "closeup" }, image, marks.map((one, at) => mark(one, pieces[at]?.words)));
    picture.style.maxWidth = `${(HIGHEST_REM * width) / height}rem`;
    return picture;
  }

  function result(showing) {
    return [
      el("p", { class: "advice" }, showing.checked ? say("Of what was known before, {checked} sides were read right.", showing) : say("Every side was shown.")),
      ...showing.doubts.map((words) => el("p", {}, words)),
      el("div", { class: "row" },
        el("button", { class: "button primary", "data-key": "keep-pieces", type: "button", onclick: () => act("keep", "show-pieces") }, say("Play with these")),
        el("button", { class: "button", "data-key": "row-again", type: "button", onclick: () => { looked = showing.round; draw(); } }, say("Show all once more"))),
      el("p", { class: "quiet" }, say("Once more, with the pieces turned and laid elsewhere, checks what was learnt, and they are read better.")),
    ];
  }

  return () => act(null);
}

function mark({ at: [x, y], radius }, words) {
  const ring = el("span", { class: words ? "piece-mark right" : "piece-mark", "data-words": words });
  ring.style.left = `${100 * x}%`;
  ring.style.top = `${100 * y}%`;
  ring.style.width = `${220 * radius}%`;
  return ring;
}
