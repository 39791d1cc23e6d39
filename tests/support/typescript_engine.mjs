// Tries the engine in TypeScript: node typescript_engine.mjs ENGINE games|faults [SUITE ...]
//
// games: standard input has a line for each deal that Python has played, and each step must be the same here. A deal
// begins from its `start`, with `again` from the last one that was told, or from the state after the deal before.
// faults: standard input is an array of faults, each of which is planted alone; prints, for each, the line of the suite
// that notices it, or null.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [engine, task, ...paths] = process.argv.slice(2);
const load = (...names) => import(pathToFileURL(join(...names)).href);
const { filesOf, linesOf, mistakeIn } = await load(engine, "tests", "suite.mjs");

const MOVE = { heartsrules: 1, kind: "move" };

/** Whether two documents are the same, as `isDeepStrictEqual` says of them, which takes longer. */
function isSame(one, other) {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return Object.is(one, other);
  }
  const keys = Object.keys(one);
  return Array.isArray(one) === Array.isArray(other) && keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}

/** The views of all seats and of spectators, which follow the events. */
let views = new Map();

/** Find the first difference in a step of a deal, or null. */
function differenceAt(hearts, state, move, step) {
  const { legal, at, view, reasons, tried, refused, options } = step;
  if (legal !== undefined) {
    const own = hearts.legalMoves(state, move.seat);
    const found = typeof legal === "string" ? [...own].map(({ card }) => card).join(" ") : own.length;
    if (found !== legal) {
      return `legal are ${found} instead of ${legal}`;
    }
    const chosen = hearts.legalMoves(state).at(at);
    if (!isSame(chosen, move)) {
      return `the move at ${at} is ${JSON.stringify(chosen)}`;
    }
  }
  if (view === undefined) {
    return null;
  }
  if (!isSame(hearts.viewOf(state, view.seat), view)) {
    return "the view is another";
  }
  if (reasons !== undefined) {
    const { turn: seat } = state;
    const plays = hearts.distinct(hearts.cardsOf(state.hands[seat])).map((card) => ({ ...MOVE, move: "play", seat, card }));
    for (const position of [state, views.get(seat)]) {
      const own = plays.map((play) => hearts.reasons(position, play));
      if (!isSame(own, reasons)) {
        return `the cards are refused by ${JSON.stringify(own)} instead of ${JSON.stringify(reasons)}`;
      }
    }
  }
  const own = [state, view].map((position) => hearts.reasons(position, tried));
  if (!isSame(own, refused)) {
    return `${JSON.stringify(tried)} is refused by ${JSON.stringify(own)} instead of ${JSON.stringify(refused)}`;
  }
  if (options !== undefined && !isSame(hearts.passOptions(view, options[0]), options[1])) {
    return `the options of a pass are ${JSON.stringify(hearts.passOptions(view, options[0]))}`;
  }
  return null;
}

/** Find the first difference in a deal, or null, and the state at its end. */
function differenceIn(hearts, deal, before) {
  let state = before;
  for (const [number, step] of deal.steps.entries()) {
    // A card is the play of the seat whose turn it is.
    const move = typeof step.move === "string" ? { ...MOVE, move: "play", seat: state.turn, card: step.move } : step.move;
    const difference = differenceAt(hearts, state, move, step);
    if (difference !== null) {
      return [difference, state];
    }
    const moved = hearts.transition(state, move);
    state = moved.state;
    // To save time, after a play only one view in turn is compared.
    const due = move.move === "play" && state.phase === "playing" ? number % views.size : null;
    for (const [place, [seat, view]] of [...views].entries()) {
      const after = hearts.advance(view, hearts.redacted(moved.events, seat));
      if ((due ?? place) === place && !isSame(after, hearts.viewOf(state, seat))) {
        return [`the view of ${seat} that followed the events is ${JSON.stringify(after)}`, state];
      }
      views.set(seat, after);
    }
  }
  return isSame(state, deal.to) ? [null, state] : [`the deal ends as ${JSON.stringify(state)}`, state];
}

async function games() {
  const hearts = await load(engine, "dist", "engine.js");
  let [count, whole, steps, start, state] = [0, 0, 0, null, null];
  for await (const text of createInterface({ input: process.stdin })) {
    const deal = JSON.parse(text);
    start = deal.start ?? start;
    if (deal.start || deal.again) {
      state = start;
      views = new Map([...state.scores.keys(), null].map((seat) => [seat, hearts.viewOf(start, seat)]));
    }
    const [difference, after] = differenceIn(hearts, deal, state);
    if (difference !== null) {
      console.log(`${difference}\n${text}`);
      process.stdin.destroy(); // so that Python plays no more
      return 1;
    }
    [count, whole, steps, state] = [count + 1, whole + (after.phase === "game-over"), steps + deal.steps.length, after];
  }
  console.log(`${count} deals, ${steps} steps, ${whole} games to their end: no difference`);
  return 0;
}

/** A case of each kind of position in turn, the others between them: so most faults are noticed soonest. */
function inTurn(lines) {
  const counts = new Map();
  const counted = lines.map((line) => {
    const kind = /\/position\/\w+-\w+/.exec(line.id)?.[0];
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [counts.get(kind), line];
  });
  return counted.sort(([one], [other]) => one - other).map(([, line]) => line);
}

async function faults() {
  const ts = (await load(engine, "node_modules", "typescript", "lib", "typescript.js")).default;
  const lines = inTurn(paths.flatMap(filesOf).flatMap(linesOf));
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
  const folder = mkdtempSync(join(engine, "faults-"));
  for (const [number, { name, file, old, new: instead }] of JSON.parse(readFileSync(0, "utf8")).entries()) {
    const source = readFileSync(join(engine, "src", file), "utf8");
    const made = join(folder, String(number));
    mkdirSync(made);
    cpSync(join(engine, "dist"), made, { recursive: true });
    const changed = ts.transpileModule(source.replace(old, () => instead), { compilerOptions: options }).outputText;
    writeFileSync(join(made, file.replace(/ts$/, "js")), changed);
    const hearts = await load(made, "engine.js");
    const line = lines.find((each) => mistakeIn(hearts, each) !== null);
    console.log(JSON.stringify([name, line?.id ?? null]));
  }
  return 0;
}

process.exitCode = await (task === "games" ? games() : faults());
