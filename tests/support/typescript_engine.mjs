// Tries the engine in TypeScript: node typescript_engine.mjs ENGINE games|faults [SUITE ...]
//
// games: standard input has a line for each deal that Python has played, and each step must be the same here.
// faults: standard input is an array of faults, each of which is planted alone; prints, for each, the line of the suite
// that notices it, or null.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

const [engine, task, ...paths] = process.argv.slice(2);
const load = (...names) => import(pathToFileURL(join(...names)).href);
const { filesOf, linesOf, mistakeIn } = await load(engine, "suite.mjs");

/** The first difference in a deal, or null. `deal.from` is the state before it, or null: that after the last deal. */
function differenceIn(hearts, deal, last) {
  let state = deal.from ?? last;
  for (const [told, legal, codes, view] of deal.steps) {
    // A card stands for the play of the seat whose turn it is.
    const move = typeof told === "string" ? { move: "play", seat: state.turn, card: told } : told;
    if (legal !== null) {
      const own = hearts.legalMoves(state, move.seat);
      const found = state.phase === "playing" ? own.map(({ card }) => card).join(" ") : own.length;
      if (found !== legal) {
        return [`legal are ${found} instead of ${legal}`, state];
      }
    }
    for (const [wrong, expected] of codes ?? []) {
      const own = hearts.reasons(state, wrong);
      if (!isDeepStrictEqual(own, expected)) {
        return [`${JSON.stringify(wrong)} is refused by ${own} instead of ${expected}`, state];
      }
    }
    if (view && !isDeepStrictEqual(hearts.viewOf(state, view.seat), view)) {
      return ["the view is another", state];
    }
    state = hearts.transition(state, move).state;
  }
  return isDeepStrictEqual(state, deal.to) ? [null, state] : [`the deal ends as ${JSON.stringify(state)}`, state];
}

async function games() {
  const hearts = await load(engine, "built", "hearts.js");
  let [count, steps, last] = [0, 0, null];
  for await (const text of createInterface({ input: process.stdin })) {
    const deal = JSON.parse(text);
    const [difference, state] = differenceIn(hearts, deal, last);
    if (difference !== null) {
      console.log(`${difference}\n${text}`);
      return 1;
    }
    [count, steps, last] = [count + 1, steps + deal.steps.length, state];
  }
  console.log(`${count} deals, ${steps} steps, no difference`);
  return 0;
}

/** A line of each rule set in turn: most faults are noticed sooner. */
function inTurn(lines) {
  const counts = new Map();
  const keyed = lines.map((line) => {
    const count = (counts.get(line.rules) ?? 0) + 1;
    counts.set(line.rules, count);
    return [line.kind === "case" ? count : 0, line];
  });
  return keyed.sort(([one], [other]) => one - other).map(([, line]) => line);
}

async function faults() {
  const ts = (await load(engine, "node_modules", "typescript", "lib", "typescript.js")).default;
  const lines = inTurn(paths.flatMap(filesOf).flatMap(linesOf));
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
  const folder = mkdtempSync(join(engine, "faults-"));
  for (const [number, { name, file, old, new: instead }] of JSON.parse(readFileSync(0, "utf8")).entries()) {
    const source = readFileSync(join(engine, file), "utf8");
    const made = join(folder, String(number));
    mkdirSync(made);
    cpSync(join(engine, "built"), made, { recursive: true });
    const changed = ts.transpileModule(source.replace(old, () => instead), { compilerOptions: options }).outputText;
    writeFileSync(join(made, file.replace(/ts$/, "js")), changed);
    const hearts = await load(made, "hearts.js");
    const line = lines.find((each) => mistakeIn(hearts, each) !== null);
    console.log(JSON.stringify([name, line?.id ?? null]));
  }
  return 0;
}

process.exitCode = await (task === "games" ? games() : faults());
