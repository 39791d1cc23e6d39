/** The server in the page itself: what `fetch` and `WebSocket` are to others, over a web worker. */

import { unpacked } from "./python.ts";

const { trustedTypes } = globalThis as any;
const policy = trustedTypes?.createPolicy("hearts", { createScriptURL: (url: string) => url });
const script = (path: string) => {
  const url = new URL(path, import.meta.url).href;
  return policy?.createScriptURL(url) ?? url;
};

const worker = new Worker(script("worker.js"), { type: "module" });
let next = 1;
/** By number, the requests, and the sockets. */
const asked = new Map<number, (response: Response) => void>();
const sockets = new Map<number, LocalSocket>();
let failed = false;
let tell: (news: "ready" | "failed" | "other-tab" | "update") => void;

/** Have a function called when the server is there, has failed or waits for another tab, and when the page has a newer version. */
export function follow(listener: typeof tell): void {
  tell = listener;
}

const take: Record<string, (data: any) => void> = {
  ready: keepFiles,
  failed: lost,
  "other-tab": () => tell("other-tab"),
  answer: ({ id, body, status }) => asked.get(id)?.(Response.json(body, { status })),
  text: ({ socket, text }) => sockets.get(socket)?.onmessage?.({ data: text }),
  close: ({ socket }) => sockets.get(socket)?.end(),
};
worker.onmessage = ({ data }) => take[data.type](data);
worker.onerror = lost;

/** Have the browser keep all files for the next time. The first cards do not wait for it. */
function keepFiles(): void {
  tell("ready");
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  // Another worker takes over where there was one: these files are those of an older version.
  const had = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => had && tell("update"));
  serviceWorker.register(script("../service-worker.js")).catch(() => undefined);
}

/** Python could not be loaded, or has ended. */
function lost({ message }: { message: string }): void {
  failed = true;
  console.error(message);
  tell("failed");
  for (const done of asked.values()) done(unable());
  asked.clear();
  for (const socket of [...sockets.values()]) socket.end();
}

/** The answer to every request without Python. */
const unable = () =>
  Response.json({ code: "no-python", message: "the rules could not be loaded: load the page again", problems: [] }, { status: 503 });

/** The answer to a request for a drill, from a file: nobody waits for Python. */
async function drill(query: URLSearchParams): Promise<Response> {
  const all: { theme: string }[] = await (await unpacked(`api/drills-${query.get("language") ?? "en"}.bin`)).json();
  const found = all.filter(({ theme }) => [theme, "", null].includes(query.get("theme")));
  return Response.json({ count: found.length, drill: found[Number(query.get("number"))] });
}

/** A request, as by `fetch`. The choices and the drills are files beside the page. */
export async function request(path: string, options?: RequestInit): Promise<Response> {
  const name = path.replace(/^\//, "");
  const [file, query] = name.split("?");
  if (file === "api/choices") return unpacked("api/choices.bin");
  if (file === "api/drills") return drill(new URLSearchParams(query));
  if (failed) return unable();
  const id = next++;
  const answer = new Promise<Response>((done) => asked.set(id, done));
  send({ type: "ask", id, path: name, ...(options?.body ? { body: JSON.parse(String(options.body)) } : {}) });
  return answer.finally(() => asked.delete(id));
}

function send(message: object): void {
  worker.postMessage(JSON.stringify(message));
}

/** A socket at a table, as a `WebSocket`. */
export class LocalSocket {
  readyState: number = WebSocket.CONNECTING;
  onopen: ((event: object) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: object) => void) | null = null;
  private readonly number = next++;

  constructor(table: string) {
    queueMicrotask(() => {
      if (this.readyState !== WebSocket.CONNECTING) return; // it was closed meanwhile
      if (failed) return this.end();
      sockets.set(this.number, this);
      this.readyState = WebSocket.OPEN;
      send({ type: "open", socket: this.number, table });
      this.onopen?.({});
    });
  }

  send(text: string): void {
    send({ type: "text", socket: this.number, text });
  }

  close(): void {
    if (this.readyState === WebSocket.OPEN) send({ type: "close", socket: this.number });
    else this.readyState = WebSocket.CLOSED;
  }

  /** The server has closed it. */
  end(): void {
    sockets.delete(this.number);
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({});
  }
}
