// Opens the pages without a network, as they were last seen. FILES is the address of all files, put before this by the server.

const PAGES = ["/", "/table", "/rules", "/review"];
const OFFLINE = "/offline";

self.addEventListener("install", (event) => event.waitUntil(caches.open(FILES).then((kept) => kept.add(OFFLINE)).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(
  caches.keys().then((names) => Promise.all(names.filter((name) => name !== FILES).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
));

// What a page took before there was a worker.
self.addEventListener("message", (event) => event.waitUntil(
  caches.open(FILES).then((kept) => Promise.all(event.data.filter((url) => kind(new URL(url))).map((url) => kept.add(url).catch(() => {})))),
));

function kind({ origin, pathname }) {
  if (origin !== self.location.origin) return null;
  if (pathname.startsWith(`${FILES}/`)) return "file";
  return PAGES.includes(pathname) ? "page" : null;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const what = request.method === "GET" ? kind(new URL(request.url)) : null;
  if (what === "file") event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(request, what));
});

async function file(request) {
  const kept = await caches.open(FILES);
  const found = await kept.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) kept.put(request, answer.clone());
  return answer;
}

async function page(request, what) {
  const kept = await caches.open(FILES);
  try {
    const answer = await fetch(request);
    if (what && answer.ok && !answer.redirected) kept.put(request, answer.clone());
    return answer;
  } catch {
    return (what && (await kept.match(request))) ?? kept.match(OFFLINE);
  }
}
