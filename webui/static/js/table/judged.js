// How well a game was played: what the hint would have done, and what that would have gained.

import { count, el, redraw } from "../parts/dom.js";
import { seatSign } from "./seats.js";

const TOLD = 3;

/** The best and the worst plays of every seat that was judged; `judged` is null before anybody asked. */
export function drawJudged(place, judged, players, { begin, show }) {
  const asked = judged !== null;
  const plays = judged?.plays ?? [];
  const thinking = asked && judged.done < judged.of;
  const seats = players.filter((player) => plays.some((play) => play.seat === player.seat));
  redraw(
    place,
    el("h2", {}, "How well was it played?"),
    asked ? null : el("button", { class: "button", type: "button", "data-key": "judge", onclick: begin }, "Compare with the hints"),
    judged?.error ? el("p", {}, judged.error) : null,
    thinking ? el("p", { role: "status" }, `Thinking about play ${judged.done + 1} of ${judged.of}\u2026`) : null,
    asked && !thinking && !judged.error ? el("p", { class: "quiet" }, summary(judged)) : null,
    ...(thinking ? [] : seats.flatMap((player) => {
      const own = plays.filter((play) => play.seat === player.seat);
      const best = own.filter((play) => play.lead).sort((one, other) => other.lead - one.lead).slice(0, TOLD);
      const worst = own.filter((play) => play.cost).sort((one, other) => other.cost - one.cost).slice(0, TOLD);
      return [
        el("h3", { "data-key": `judged-${player.seat}` }, seatSign(player.seat), ` ${player.name}`),
        list("Best", best, (play) => `${count(play.lead, "point")} better than anything else`, show, (play) => play.step),
        list("Worst", worst, (play) => `${play.best}: ${count(play.cost, "point")} more`, show, (play) => play.step - 1),
        best.length || worst.length ? null : el("p", {}, "No play stands out."),
      ];
    })),
  );
}

function summary({ of, unknown }) {
  const others = unknown ? ` Of ${count(unknown, "other")} nobody knows the hand: who tells it while playing has all plays compared.` : "";
  return `${count(of, "play")} compared with the best that the seat could know, a second\u2019s thought each.${others}`;
}

function list(title, plays, words, show, step) {
  if (!plays.length) return null;
  return el("div", { class: "judged-list" }, el("b", {}, title), el("ol", {}, ...plays.map((play) => el("li", {}, el("button", { class: "review-step", type: "button", "data-key": `judged-${play.step}`, onclick: () => show(step(play)) }, el("span", {}, play.words, el("span", { class: "quiet" }, words(play))))))));
}

/** What is known of the play that is shown, or null. */
export function drawVerdict(judged, table, show) {
  const play = judged?.plays?.find((one) => one.step === table.step);
  if (!play) return null;
  if (!play.best) return el("p", { class: "verdict" }, "The hint would have done the same.");
  if (!play.cost) return el("p", { class: "verdict" }, `The hint: ${play.best}, which comes to about the same.`);
  const chances = play.chances.length > 1 ? ` (${play.chances[1]} % to win instead of ${play.chances[0]} %)` : "";
  return el("div", { class: "verdict" }, el("p", {}, el("b", {}, `The hint: ${play.best}`), `, ${count(play.cost, "point")} more${chances}. ${play.reasons.join(" ")}`), play.mark ? el("button", { class: "link", type: "button", "data-key": "see-better", onclick: () => show(table.step - 1) }, "See it on the table") : null);
}
