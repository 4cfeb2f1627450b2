// Lets this page open without a network next time, where the browser allows it: on the computer itself, and encrypted.

/** Starts the worker and gives it what this page has already taken. */
export async function openOffline() {
  const lacks = document.getElementById("lacks");
  if (lacks) lacks.hidden = window.isSecureContext;
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register("/worker.js");
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage([location.href.split("#")[0], ...performance.getEntriesByType("resource").map((one) => one.name)]);
  } catch {
    // a certificate that nobody vouches for: the page works all the same while there is a network
  }
}
