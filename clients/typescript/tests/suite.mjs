// Checks the engine with a conformance suite: node tests/suite.mjs SUITE ... (files of lines, or folders of them)
//
// Exit codes: 0 all lines agree, 1 some do not, 2 the suite cannot be read.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

/** List the files of a suite. */
export function filesOf(path) {
  const names = statSync(path).isDirectory() ? readdirSync(path).filter((name) => name.endsWith(".jsonl")).sort() : null;
  return names === null ? [path] : names.map((name) => join(path, name));
}

/** Read the lines of a file, except the last, which counts them. */
export function linesOf(path) {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").map((text) => JSON.parse(text));
  const end = lines.pop();
  const counted = (kind) => lines.filter((line) => line.kind === kind && line.conformance === 1).length;
  const [rules, cases] = [counted("rules"), counted("case")];
  if (end?.kind !== "end" || end.rules !== rules || end.cases !== cases || rules + cases !== lines.length) {
    throw new Error(`${path} is cut off, or of another version`);
  }
  return lines;
}

const json = (value) => JSON.stringify(value);
/** A document without its envelope. */
const bare = ({ heartsrules, kind, ...rest }) => rest;

/** Where two objects differ. */
function* differences(name, own, expected) {
  for (const key of new Set([...Object.keys(own), ...Object.keys(expected)])) {
    if (!isDeepStrictEqual(own[key], expected[key])) {
      yield `${name}.${key} is ${json(own[key])} instead of ${json(expected[key])}`;
    }
  }
}

/** Find where the engine differs from the line of a rule set. */
function* inRules(hearts, { rules, id, seed, kind, conformance, ...expected }) {
  const own = hearts.rulesOf(rules);
  const penalties = hearts.distinct(own.deck).map((card) => [card, own.penalty(card)]);
  yield* differences("rules", {
    deck: hearts.textOf(own.deck), cards_per_hand: own.cardsPerHand, kitty_size: own.kittySize,
    penalties: penalties.filter(([, points]) => points !== 0), penalty_total: hearts.sum(own.deck.map(own.penalty)),
  }, expected);
}

/** Find where the engine differs from a case. */
function* inCase(hearts, line) {
  const { state, seat, view, legal, illegal, move, deal_seed, next, seen_events, public_events, seen_next, other, scores } = line;
  yield* differences("view", hearts.viewOf(state, seat), view);
  if (seat !== null) {
    const listed = legal.moves.map((each) => json(bare(each)));
    for (const own of [[...hearts.legalMoves(state, seat)], [...hearts.legalMoves(view)]]) {
      const texts = own.map((each) => json(bare(each)));
      const places = listed.map((each) => texts.indexOf(each));
      if (own.length !== legal.count || places.some((place, index) => place <= (places[index - 1] ?? -1))) {
        yield `${own.length} legal moves instead of ${legal.count}: ${texts.slice(0, 20).join(" ")}`;
      }
    }
  }
  for (const { move: wrong, codes } of illegal) {
    const own = hearts.reasons(state, wrong).map(({ code }) => code);
    if (!isDeepStrictEqual(own, codes)) {
      yield `${json(bare(wrong))} is refused by ${json(own)} instead of ${json(codes)}`;
    }
  }
  if (move === null) {
    return;
  }
  if (deal_seed !== null) {
    yield* differences("deal", hearts.dealFor(state, deal_seed), move);
  }
  const after = hearts.transition(state, move);
  yield* differences("state", after.state, next.state);
  yield* differences("events", after.events.events, next.events);
  yield* differences("seen_events", hearts.redacted(after.events, seat), seen_events);
  yield* differences("public_events", hearts.redacted(after.events, null), public_events);
  yield* differences("seen_next", hearts.viewOf(after.state, seat), seen_next);
  yield* differences("advanced", hearts.advance(view, seen_events), seen_next);
  if (other !== null) {
    yield* differences("other.view", hearts.viewOf(state, other.seat), other.view);
    yield* differences("other.seen_events", hearts.redacted(after.events, other.seat), other.seen_events);
    yield* differences("other.seen_next", hearts.viewOf(after.state, other.seat), other.seen_next);
    yield* differences("other.advanced", hearts.advance(other.view, other.seen_events), other.seen_next);
  }
  if (scores !== null) {
    const rules = hearts.rulesOf(state.rules);
    const totals = after.state.scores;
    yield* differences("scores", {
      row: after.state.score_sheet.at(-1), standings: hearts.standingsOf(rules, totals),
      shown: totals.map((total) => hearts.displayScore(rules, total)),
    }, { ...scores, row: bare(scores.row) });
  }
}

/** Return the first mistake of an engine in a line, or null. */
export function mistakeIn(hearts, line) {
  try {
    return (line.kind === "rules" ? inRules : inCase)(hearts, line).next().value ?? null;
  } catch (error) {
    return String(error);
  }
}

async function main(paths) {
  const hearts = await import("../dist/engine.js");
  let [cases, wrong] = [0, 0];
  for (const path of paths.flatMap(filesOf)) {
    for (const line of linesOf(path)) {
      cases += line.kind === "case" ? 1 : 0;
      const mistake = mistakeIn(hearts, line);
      wrong += mistake === null ? 0 : 1;
      if (mistake !== null && wrong <= 20) {
        console.error(`${line.id}: ${mistake.slice(0, 1000)}`);
      }
    }
  }
  console.log(`${cases} cases, ${wrong} wrong`);
  return wrong > 0 || cases === 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const paths = process.argv.slice(2);
  try {
    if (paths.length === 0) {
      throw new Error("usage: node tests/suite.mjs SUITE ...");
    }
    process.exitCode = await main(paths);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}
