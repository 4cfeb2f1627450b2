// Says short sentences to people who listen to the page instead of looking at it.

let last = "";

/** The sentence is read out politely by a screen reader; the same one twice in a row as well. */
export function announce(sentence) {
  const place = document.getElementById("announcer");
  if (!place) return;
  place.textContent = sentence === last ? `${sentence}\u00a0` : sentence;
  last = place.textContent;
}
