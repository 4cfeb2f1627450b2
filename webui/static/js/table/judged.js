// How well a game was played: what the hint would have done, and what that would have gained.

import { el, redraw } from "../parts/dom.js";
import { count, say } from "../parts/words.js";
import { seatSign } from "./seats.js";

const TOLD = 3;

/** The best and the worst plays of every seat that was judged; `judged` is null before anybody asked. */
export function drawJudged(place, judged, players, { begin, show }) {
  const asked = judged !== null && !judged.error;
  const plays = judged?.plays ?? [];
  const thinking = asked && judged.done < judged.of;
  const seats = players.filter((player) => plays.some((play) => play.seat === player.seat));
  redraw(
    place,
    el("h2", {}, say("How well was it played?")),
    asked ? null : el("button", { class: "button", type: "button", "data-key": "judge", onclick: begin }, say("Compare with the hints")),
    judged?.error ? el("p", {}, judged.error) : null,
    thinking ? el("p", { role: "status" }, say("Thinking about play {play} of {plays}\u2026", { play: judged.done + 1, plays: judged.of })) : null,
    asked && !thinking ? el("p", { class: "quiet" }, summary(judged)) : null,
    ...(thinking ? [] : seats.flatMap((player) => {
      const own = plays.filter((play) => play.seat === player.seat);
      const best = own.filter((play) => play.lead).sort((one, other) => other.lead - one.lead).slice(0, TOLD);
      const worst = own.filter((play) => play.cost).sort((one, other) => other.cost - one.cost).slice(0, TOLD);
      return [
        el("h3", { "data-key": `judged-${player.seat}` }, seatSign(player.seat), ` ${player.name}`),
        list(say("Best"), best, (play) => count(play.lead, "{number} point better than anything else", "{number} points better than anything else"), show, (play) => play.step),
        list(say("Worst"), worst, (play) => count(play.cost, "{deed}: {number} point more", "{deed}: {number} points more", { deed: play.best }), show, (play) => play.step - 1),
        best.length || worst.length ? null : el("p", {}, say("No play stands out.")),
      ];
    })),
  );
}

function summary({ of, unknown }) {
  const others = unknown ? ` ${count(unknown, "Of {number} other nobody knows the hand: who tells it while playing has all plays compared.", "Of {number} others nobody knows the hand: who tells it while playing has all plays compared.")}` : "";
  return count(of, "{number} play compared with the best that the seat could know, a second\u2019s thought each.", "{number} plays compared with the best that the seat could know, a second\u2019s thought each.") + others;
}

function list(title, plays, words, show, step) {
  if (!plays.length) return null;
  return el("div", { class: "judged-list" }, el("b", {}, title), el("ol", {}, ...plays.map((play) => el("li", {}, el("button", { class: "review-step", type: "button", "data-key": `judged-${play.step}`, onclick: () => show(step(play)) }, el("span", {}, play.words, el("span", { class: "quiet" }, words(play))))))));
}

/** What is known of the play that is shown, or null. */
export function drawVerdict(judged, table, show) {
  const play = judged?.plays?.find((one) => one.step === table.step);
  if (!play) return null;
  if (!play.best) return el("p", { class: "verdict" }, say("The hint would have done the same."));
  if (!play.cost) return el("p", { class: "verdict" }, say("The hint: {best}, which comes to about the same.", { best: play.best }));
  const chances = play.chances.length > 1 ? ` (${say("{better} % to win instead of {chance} %", { better: play.chances[1], chance: play.chances[0] })})` : "";
  return el("div", { class: "verdict" }, el("p", {}, el("b", {}, say("The hint: {best}", { best: play.best })), `, ${count(play.cost, "{number} point more", "{number} points more")}${chances}. ${play.reasons.join(" ")}`), play.mark ? el("button", { class: "link", type: "button", "data-key": "see-better", onclick: () => show(table.step - 1) }, say("See it on the table")) : null);
}
