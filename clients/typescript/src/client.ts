// The rules of Hearts through `heartsrules serve` (JSON over HTTP, or lines of JSON with a child process), or in the page
// itself through Pyodide. It has no dependencies.
//
// Requests contain whole states, with every hand. With a server, use it in your backend: a state must never reach a
// player. In a browser, through Pyodide, it is for games whose player may see everything that the page holds.
//
//   const hearts = new HeartsRules(overHttp("http://127.0.0.1:8001"));
//   const { rules } = await hearts.preset({ name: "microsoft" });
//   const { state } = await hearts.newGame({ rules });

import { Operations } from "./operations.js";
import type { Op, Problem, Refusal, Requests, Results } from "./operations.js";
import type { Violation } from "./documents.js";

export type * from "./documents.js";
export type * from "./operations.js";

/** An answer of the service. */
export type Answer = { id: unknown; ok: true; result: unknown } | Refusal;

/** Sends requests to the rules and returns their answers. */
export interface Transport {
  send(op: Op, request: object): Promise<Answer>;
}

/** The rules or the protocol refuse a request. `problems` lists the reasons, each with its place in the request. */
export class Refused extends Error {
  readonly op: Op;
  readonly problems: ReadonlyArray<Problem>;

  constructor(op: Op, problems: ReadonlyArray<Problem>) {
    super(`${op}: ${problems.map((problem) => problem.message).join("; ")}`);
    this.name = "Refused";
    this.op = op;
    this.problems = problems;
  }

  /** The reasons of the rules against a move; empty if something else is wrong. */
  get violations(): ReadonlyArray<Violation> {
    return this.problems.flatMap((problem) => (problem.violation === undefined ? [] : [problem.violation]));
  }
}

/** There was no answer: the rules could not be reached, took too long, or sent something else. */
export class NoAnswer extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = "NoAnswer";
  }
}

/** The rules, with a method for each operation. Each method throws `Refused` or `NoAnswer`. */
export class HeartsRules extends Operations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super();
    this.#transport = transport;
  }

  /** Get the result of the operation with this name. Throws `Refused` or `NoAnswer`. */
  override async ask<O extends Op>(op: O, request: Requests[O]): Promise<Results[O]> {
    const answer = await this.#transport.send(op, request);
    if (!answer.ok) {
      throw new Refused(op, answer.problems);
    }
    return answer.result as Results[O];
  }
}

/** Return true if a value has the keys of an answer. */
function isAnswer(value: unknown): value is Answer {
  return (
    typeof value === "object" &&
    value !== null &&
    "ok" in value &&
    (value.ok === true ? "result" in value : "problems" in value && Array.isArray(value.problems))
  );
}

/** How requests are sent over HTTP. */
export interface HttpOptions {
  /** Another function in place of `fetch`. */
  fetch?: typeof fetch;
  /** The milliseconds until a request fails with `NoAnswer`. The default is 30,000. */
  timeout?: number;
  /** Makes a signal for each request, in place of the time-out. */
  signal?: () => AbortSignal;
}

/** Connect to `heartsrules serve` over HTTP. */
export function overHttp(url: string, options: HttpOptions = {}): Transport {
  const base = url.replace(/\/+$/, "");
  const signal = options.signal ?? (() => AbortSignal.timeout(options.timeout ?? 30_000));
  return {
    async send(op, request) {
      let answer: unknown;
      try {
        const response = await (options.fetch ?? fetch)(`${base}/v1/${op}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(request),
          signal: signal(),
        });
        answer = await response.json();
      } catch (cause) {
        throw new NoAnswer(`${op}: ${url} gave no answer`, { cause });
      }
      return checked(answer, `${op}: what ${url} sent is not an answer`);
    },
  };
}

/** Return an answer, or throw `NoAnswer` with this message. */
function checked(answer: unknown, message: string): Answer {
  if (!isAnswer(answer)) {
    throw new NoAnswer(message);
  }
  return answer;
}

/** A process with pipes, such as `spawn` of `node:child_process` returns. */
export interface LineProcess {
  readonly stdin: {
    write(text: string): unknown;
    end(): unknown;
    on(event: "error", listener: (error: Error) => void): unknown;
  };
  readonly stdout: { on(event: "data", listener: (chunk: Uint8Array) => void): unknown };
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

/**
 * Connect to the pipes of `heartsrules serve --stdio` or `python -m heartsrules.apps.serve`. Several requests can wait
 * at once. There is no time-out: a process that does not answer can be killed, and all requests then fail.
 */
export function overLines(child: LineProcess): Transport & { close(): void } {
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  const decoder = new TextDecoder();
  let rest = "";
  let next = 1;
  let gone: NoAnswer | undefined;

  const fail = (message: string, cause?: Error): void => {
    gone ??= new NoAnswer(message, { cause });
    for (const { reject } of waiting.values()) {
      reject(gone);
    }
    waiting.clear();
  };
  child.on("error", (error) => fail("the process could not be started", error));
  child.on("close", () => fail("the process has ended"));
  child.stdin.on("error", (error) => fail("the process takes no more requests", error));
  child.stdout.on("data", (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      let answer: unknown;
      try {
        answer = JSON.parse(line);
      } catch {
        answer = undefined;
      }
      // An answer without an id belongs to a line that could not be read: the oldest that waits.
      const id = isAnswer(answer) && typeof answer.id === "number" ? answer.id : waiting.keys().next().value;
      const asked = id === undefined ? undefined : waiting.get(id);
      if (id === undefined || asked === undefined) {
        continue;
      }
      waiting.delete(id);
      if (isAnswer(answer)) {
        asked.resolve(answer);
      } else {
        asked.reject(new NoAnswer("what the process sent is not an answer"));
      }
    }
  });
  return {
    send(op, request) {
      return new Promise((resolve, reject) => {
        if (gone !== undefined) {
          reject(gone);
          return;
        }
        const id = next++;
        waiting.set(id, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ id, op, ...request })}\n`);
      });
    },
    close() {
      child.stdin.end();
    },
  };
}

/** Python in WebAssembly, as `loadPyodide()` of the package `pyodide` returns it. */
export interface Pyodide {
  loadPackage(packages: string[], options: { messageCallback(message: string): void }): Promise<unknown>;
  runPython(code: string): unknown;
}

/**
 * Load the rules into this page or process, without a server. `wheels` are the addresses (in Node.js the paths) of the
 * wheels of heartsrules, attrs and msgspec. An answer keeps the page busy while it is computed: in a page that must not
 * stutter, load the rules in a worker. Throws `NoAnswer` if the rules cannot be loaded.
 */
export async function overPyodide(pyodide: Pyodide, wheels: readonly string[]): Promise<Transport> {
  let answered: (request: string) => string;
  try {
    await pyodide.loadPackage([...wheels], { messageCallback: () => undefined });
    answered = pyodide.runPython(ANSWERS) as (request: string) => string;
  } catch (cause) {
    throw new NoAnswer("the rules could not be loaded into Pyodide", { cause });
  }
  return {
    async send(op, request) {
      let answer: unknown;
      try {
        answer = JSON.parse(answered(JSON.stringify({ op, ...request })));
      } catch (cause) {
        throw new NoAnswer(`${op}: Pyodide gave no answer`, { cause });
      }
      return checked(answer, `${op}: what Pyodide returned is not an answer`);
    },
  };
}

/** Python code that makes a function from the text of a request to the text of its answer. */
const ANSWERS = `
def _heartsrules_answers():
    from heartsrules.apps.serve import Service

    service = Service()
    return lambda request: service.answer(request.encode()).body.decode()

_heartsrules_answers()
`;
