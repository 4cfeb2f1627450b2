// Keeps the screen on while the page is seen, where the browser lets a page do that (only encrypted ones).

/** Asks for it now and whenever the page comes back; `onchange` hears whether it is granted. */
export function stayAwake(onchange = () => {}) {
  if (!navigator.wakeLock) {
    onchange(false);
    return;
  }
  const ask = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      const lock = await navigator.wakeLock.request("screen");
      onchange(true);
      lock.addEventListener("release", () => onchange(false));
    } catch {
      onchange(false);
    }
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
