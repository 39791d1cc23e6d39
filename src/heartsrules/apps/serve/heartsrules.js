// The rules of Hearts for TypeScript, through `heartsrules serve` (JSON over HTTP, or lines of JSON with a process
// beside the app), or without any server through Pyodide. One file without dependencies: copy it, or print it with
// `heartsrules serve --print client`, and as JavaScript with `--print javascript`.
//
// Whole states travel, with every hand. With a server it is for your backend: states must never reach a player. In a
// browser, through Pyodide, it is for games whose player may see everything that the page holds.
//
//   const hearts = new HeartsRules(overHttp("http://127.0.0.1:8001"));
//   const { state } = await hearts.ask("new-game", { rules: { heartsrules: 1, kind: "rules" } });
//
// It has nothing that must be compiled away but types: Node.js from 22.18 on runs it as it is.
/** The rules, or the protocol, refuse a request. `problems` says why, each with its place in the request. */
export class Refused extends Error {
    op;
    problems;
    constructor(op, problems) {
        super(`${op}: ${problems.map((problem) => problem.message).join("; ")}`);
        this.name = "Refused";
        this.op = op;
        this.problems = problems;
    }
    /** The reasons of the rules against a move; empty if something else is wrong. */
    get violations() {
        return this.problems.flatMap((problem) => (problem.violation === undefined ? [] : [problem.violation]));
    }
}
/** There was no answer: the rules cannot be reached, or what came is not an answer of theirs. */
export class NoAnswer extends Error {
    constructor(message, options) {
        super(message, options);
        this.name = "NoAnswer";
    }
}
/** Asks the rules. */
export class HeartsRules {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /** The result of an operation. Throws `Refused` or `NoAnswer`. */
    async ask(op, request) {
        const answer = await this.#transport.send(op, request);
        if (!answer.ok) {
            throw new Refused(op, answer.problems);
        }
        return answer.result;
    }
}
/** What an answer must be, whatever else it says. */
function isAnswer(value) {
    return (typeof value === "object" &&
        value !== null &&
        "ok" in value &&
        (value.ok === true ? "result" in value : "problems" in value && Array.isArray(value.problems)));
}
/** Over HTTP, to `heartsrules serve`. `options.signal` gives up waiting; `options.fetch` is for another `fetch`. */
export function overHttp(url, options = {}) {
    const base = url.replace(/\/+$/, "");
    return {
        async send(op, request) {
            let answer;
            try {
                const response = await (options.fetch ?? fetch)(`${base}/v1/${op}`, {
                    method: "POST",
                    headers: { "content-type": "application/json" },
                    body: JSON.stringify(request),
                    ...(options.signal === undefined ? {} : { signal: options.signal() }),
                });
                answer = await response.json();
            }
            catch (cause) {
                throw new NoAnswer(`${op}: ${url} gave no answer`, { cause });
            }
            if (!isAnswer(answer)) {
                throw new NoAnswer(`${op}: what ${url} said is not an answer`);
            }
            return answer;
        },
    };
}
/** Over the pipes of `heartsrules serve --stdio` or `python -m heartsrules.apps.serve`. Requests may overlap. */
export function overLines(child) {
    const waiting = new Map();
    const decoder = new TextDecoder();
    let rest = "";
    let next = 1;
    let gone;
    const fail = (message, cause) => {
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
            let answer;
            try {
                answer = JSON.parse(line);
            }
            catch {
                answer = undefined;
            }
            // An answer without the id of a request is to a line that could not be read: the oldest that waits.
            const id = isAnswer(answer) && typeof answer.id === "number" ? answer.id : waiting.keys().next().value;
            const asked = id === undefined ? undefined : waiting.get(id);
            if (id === undefined || asked === undefined) {
                continue;
            }
            waiting.delete(id);
            if (isAnswer(answer)) {
                asked.resolve(answer);
            }
            else {
                asked.reject(new NoAnswer("what the process said is not an answer"));
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
/**
 * In this page or process itself, without a server. `wheels` are the addresses (in Node.js the paths) of the wheels of
 * heartsrules, attrs and msgspec; Pyodide takes each wheel from there. An answer keeps the page busy for as long as it
 * takes: in a page that must not stutter, run it in a worker. Throws `NoAnswer` if the rules cannot be loaded.
 */
export async function overPyodide(pyodide, wheels) {
    let answered;
    try {
        await pyodide.loadPackage([...wheels], { messageCallback: () => undefined });
        answered = pyodide.runPython(ANSWERS);
    }
    catch (cause) {
        throw new NoAnswer("the rules could not be loaded into Pyodide", { cause });
    }
    return {
        async send(op, request) {
            let answer;
            try {
                answer = JSON.parse(answered(JSON.stringify({ op, ...request })));
            }
            catch (cause) {
                throw new NoAnswer(`${op}: Pyodide gave no answer`, { cause });
            }
            if (!isAnswer(answer)) {
                throw new NoAnswer(`${op}: what Pyodide said is not an answer`);
            }
            return answer;
        },
    };
}
/** In Python: a function from the text of a request to that of its answer. */
const ANSWERS = `
def _heartsrules_answers():
    from heartsrules.apps.serve import Service

    service = Service()
    return lambda request: service.answer(request.encode()).body.decode()

_heartsrules_answers()
`;
