/** Keeps all files of the page, so that it works offline. The names of the files, and VERSION, stand above when it is built. */

type Lasting = Event & { waitUntil(done: Promise<unknown>): void };
type Fetching = Event & { request: Request; respondWith(response: Promise<Response>): void };
declare const VERSION: string;
declare const FILES: string[];
const worker = self as unknown as { registration: { scope: string }; clients: { claim(): Promise<void> }; skipWaiting(): Promise<void>; addEventListener(type: string, listener: (event: any) => void): void };
const PREFIX = `hearts ${worker.registration.scope} `;
const CACHE = PREFIX + VERSION;

worker.addEventListener("install", (event: Lasting) => {
  const fetched = caches.open(CACHE).then((cache) => cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" }))));
  // Open pages are asked to load again once it has taken over.
  event.waitUntil(fetched.then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event: Lasting) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith(PREFIX) && name !== CACHE));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event: Fetching) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(event.request)).then((found) => found ?? fetch(event.request)));
});
