// How photos come in and how choices are made: the two photo buttons, dropping, pasting, the set, undo on a keyboard.

import { wireUndo } from "../parts/undo.js";

/** `acts`: take(files), choose(change), byNumbers(), undo(), redo(). */
export function wireInputs(root, acts) {
  const place = (id) => root.querySelector(`#${id}`);
  for (const id of ["take-photo", "choose-photos"]) {
    place(id).addEventListener("change", (event) => {
      acts.take(event.target.files);
      event.target.value = "";
    });
  }
  place("by-numbers").addEventListener("click", acts.byNumbers);
  place("set").addEventListener("change", (event) => acts.choose({ set: event.target.value }));
  place("copies").addEventListener("change", (event) => acts.choose({ copies: Number(event.target.value) }));
  place("set-choice").addEventListener("submit", (event) => event.preventDefault());
  place("try-sample")?.addEventListener("click", async (event) => {
    const answer = await fetch(event.currentTarget.dataset.url);
    acts.take([new File([await answer.blob()], "sample.jpg", { type: "image/jpeg" })]);
  });
  wireDrop((files) => {
    location.hash = "#count";
    acts.take(files);
  });
  wireUndo(root, acts);
}

function wireDrop(take) {
  const page = document.documentElement;
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    page.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => !event.relatedTarget && page.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    page.classList.remove("dropping");
    if (!carriesFiles(event)) return;
    event.preventDefault();
    take(event.dataTransfer.files);
  });
  document.addEventListener("paste", (event) => event.clipboardData?.files.length && take(event.clipboardData.files));
}
