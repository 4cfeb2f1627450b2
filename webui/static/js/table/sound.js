// What can be heard: short tones and, if wanted, a voice. Off until someone switches it on, as browsers demand.

import { forGood, keep, recall } from "../parts/keep.js";
import { language, say } from "../parts/words.js";

const MODES = ["off", "sounds", "voice"];
const WORDS = { off: say("Sound off"), sounds: say("Sounds on"), voice: say("Sounds and voice") };
const TONES = {
  play: [[660, 0, 0.07], [880, 0.07, 0.09]],
  illegal: [[196, 0, 0.18], [165, 0.22, 0.3]],
  question: [[523, 0, 0.1], [784, 0.14, 0.16]],
  undo: [[784, 0, 0.07], [523, 0.09, 0.1]],
  end: [[523, 0, 0.12], [659, 0.13, 0.12], [784, 0.26, 0.12], [1047, 0.39, 0.3]],
};

/** Plays tones and speaks; `button` switches between off, sounds, and sounds with a voice. */
export function createSound(button) {
  let mode = recall(forGood, "kibitz.sound", (value) => (MODES.includes(value) ? value : "off"));
  let context = null;

  function show() {
    button.dataset.mode = mode;
    button.setAttribute("aria-label", say("{sound}. Change", { sound: WORDS[mode] }));
    button.querySelector("span").textContent = WORDS[mode];
  }

  function tone([pitch, start, length]) {
    const oscillator = context.createOscillator();
    const volume = context.createGain();
    const from = context.currentTime + start;
    oscillator.type = "triangle";
    oscillator.frequency.value = pitch;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(0.22, from + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.001, from + length + 0.12);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(from);
    oscillator.stop(from + length + 0.15);
  }

  function wake() {
    context ??= window.AudioContext ? new AudioContext() : null;
    context?.resume();
  }

  button.addEventListener("click", () => {
    mode = MODES[(MODES.indexOf(mode) + 1) % MODES.length];
    keep(forGood, "kibitz.sound", mode);
    wake();
    show();
    if (mode !== "off") TONES.play.forEach((one) => context && tone(one));
    else window.speechSynthesis?.cancel();
  });
  if (mode !== "off") document.addEventListener("pointerdown", wake, { once: true });
  show();

  return {
    /** A tone for what happened, and the sentence where a voice is wanted. */
    tell(what, sentence) {
      if (mode === "off") return;
      if (context) TONES[what]?.forEach(tone);
      if (mode !== "voice" || !window.speechSynthesis || !sentence) return;
      window.speechSynthesis.cancel();
      const spoken = new SpeechSynthesisUtterance(sentence.replaceAll("|", " "));
      spoken.lang = language;
      window.speechSynthesis.speak(spoken);
    },
  };
}
