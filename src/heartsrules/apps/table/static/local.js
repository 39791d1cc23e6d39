/** The server in the page itself: what `fetch` and `WebSocket` are to others, over a web worker.
 *
 * It imports nothing, so that pages with a server have no second file to wait for. */

const SCRIPT = new URL("worker.js", import.meta.url).href;

const policy = globalThis.trustedTypes?.createPolicy("hearts", { createScriptURL: (url) => url });
const worker = new Worker(/** @type {any} */ (policy?.createScriptURL(SCRIPT) ?? SCRIPT), { type: "module" });
/** Fulfilled once the server is there; rejected if it cannot be loaded. @type {Promise<void>} */
export const loaded = new Promise((done, fail) => {
  worker.onmessage = ({ data }) => {
    if (data.type === "ready") done(keepFiles());
    else if (data.type === "failed") fail(lost(data.message));
    else if (data.type === "answer") {
      asked.get(data.id)?.(new Response(JSON.stringify(data.body), { status: data.status }));
      asked.delete(data.id);
    } else if (data.type === "text") sockets.get(data.socket)?.onmessage({ data: data.text });
    else if (data.type === "close") sockets.get(data.socket)?.end();
  };
  worker.onerror = (event) => fail(lost(event.message));
});

let next = 1;
/** By number, the requests without an answer. @type {Map<number, (response: Response) => void>} */
const asked = new Map();
/** By number. @type {Map<number, LocalSocket>} */
const sockets = new Map();
let failed = false;

/** Have the browser keep all files for the next time. The first cards do not wait for it. */
function keepFiles() {
  const path = new URL("../service-worker.js", import.meta.url).href;
  navigator.serviceWorker?.register(/** @type {any} */ (policy?.createScriptURL(path) ?? path)).catch(() => undefined);
}

/** Python could not be loaded, or has ended. */
function lost(message) {
  failed = true;
  console.error(message);
  for (const done of asked.values()) done(unable());
  asked.clear();
  for (const socket of [...sockets.values()]) socket.end();
}

/** The answer to every request without Python. */
function unable() {
  return new Response(JSON.stringify({ code: "no-python", message: "the rules could not be loaded: load the page again", problems: [] }), { status: 503 });
}

/** By language, the shipped drills. @type {Map<string, Promise<any[]>>} */
const drills = new Map();

/** The answer to a request for a drill, from a file: nobody waits for Python. @param {URLSearchParams} asked */
async function drill(asked) {
  const [theme, language] = [asked.get("theme"), asked.get("language")];
  if (!drills.has(language)) drills.set(language, unpacked(`api/drills-${language}.bin`).then((found) => found.json()));
  const all = await drills.get(language).catch(() => drills.delete(language) && []);
  const found = all.filter((each) => !theme || each.theme === theme);
  const one = found[Number(asked.get("number"))];
  return one ? new Response(JSON.stringify({ count: found.length, drill: one })) : unable();
}

/** A compressed file of the page: many hosts of static files do not compress them. @param {string} name */
async function unpacked(name) {
  const { body } = await fetch(name);
  return new Response(body.pipeThrough(new DecompressionStream("gzip")));
}

/**
 * A request, as by `fetch`. The choices and the drills are files beside the page.
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export function request(path, options) {
  const name = path.replace(/^\//, "");
  const [file, query] = name.split("?");
  if (file === "api/choices") return unpacked("api/choices.bin");
  if (file === "api/drills") return drill(new URLSearchParams(query));
  if (failed) return Promise.resolve(unable());
  return new Promise((done) => {
    const id = next++;
    asked.set(id, done);
    send({ type: "ask", id, path: name, ...(options?.body ? { body: JSON.parse(String(options.body)) } : {}) });
  });
}

function send(message) {
  worker.postMessage(JSON.stringify(message));
}

/** A socket at a table, as a `WebSocket`. */
export class LocalSocket {
  /** @param {string} table */
  constructor(table) {
    this.readyState = WebSocket.CONNECTING;
    this.number = next++;
    this.onopen = () => {};
    /** @type {(event: {data: string}) => void} */
    this.onmessage = () => {};
    this.onclose = () => {};
    queueMicrotask(() => {
      if (failed) {
        this.end();
        return;
      }
      sockets.set(this.number, this);
      this.readyState = WebSocket.OPEN;
      send({ type: "open", socket: this.number, table });
      this.onopen();
    });
  }

  /** @param {string} text */
  send(text) {
    send({ type: "text", socket: this.number, text });
  }

  close() {
    if (this.readyState === WebSocket.OPEN) send({ type: "close", socket: this.number });
  }

  /** The server has closed it. */
  end() {
    sockets.delete(this.number);
    this.readyState = WebSocket.CLOSED;
    this.onclose();
  }
}
