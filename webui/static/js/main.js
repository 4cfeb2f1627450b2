// Starts the page: the counting view and the score sheet, one of them shown at a time.

import { startCount } from "./count/view.js";
import { openBook } from "./scores/book.js";
import { forGood } from "./parts/keep.js";
import { openOffline } from "./parts/offline.js";
import { say } from "./parts/words.js";
import { startScores } from "./scores/view.js";

const TITLES = { count: say("Kibitz: count dominoes"), scores: say("Kibitz: score sheet") };

function showView() {
  const wanted = location.hash.slice(1);
  const name = wanted in TITLES ? wanted : "count";
  for (const view of document.querySelectorAll("[data-view]")) view.hidden = view.dataset.view !== name;
  for (const link of document.querySelectorAll("[data-view-link]")) {
    if (link.dataset.viewLink === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = TITLES[name];
}

const book = openBook(forGood);
startCount(document.getElementById("view-count"), book);
startScores(document.getElementById("view-scores"), book);
window.addEventListener("hashchange", () => {
  showView();
  window.scrollTo(0, 0);
});
showView();
openOffline();
