// Tests of the engine: npm test. The conformance suite, and games that Python plays too, test its rules.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  advance, dealFor, legalMoves, newGame, passOptions, reasons, redacted, transition, viewOf,
} from "heartsrules/engine";

const dealt = (rules, seed = "table 7") => {
  const state = newGame(rules);
  return transition(state, dealFor(state, seed)).state;
};

test("a match, in which every seat follows the events", () => {
  let state = newGame({ target: 50 });
  let views = [0, 1, 2, 3, null].map((seat) => viewOf(state, seat));
  while (state.phase !== "game-over") {
    const move = state.phase === "awaiting-deal" ? dealFor(state, `deal ${state.deal_number}`) : legalMoves(state).at(0);
    const moved = transition(state, move);
    state = moved.state;
    views = views.map((view) => advance(view, redacted(moved.events, view.seat)));
    assert.deepEqual(views, [0, 1, 2, 3, null].map((seat) => viewOf(state, seat)));
  }
  assert.ok(Math.max(...state.scores) >= 50);
});

test("millions of passes are counted and not listed", () => {
  const state = dealt({ players: 3, pass_cycle: [[[1, 5], [2, 5]]] });
  const before = performance.now();
  const moves = legalMoves(state, 0);
  assert.equal(moves.length, 4_900_896);
  const [first, second] = moves;
  assert.deepEqual([moves.at(0), moves.at(1)], [first, second]);
  assert.deepEqual(reasons(state, moves.at(3_000_000)), []);
  assert.ok(performance.now() - before < 1000);
});

for (const rules of [
  { players: 6, decks: 2, pass_cycle: [[[1, 2], [2, 1]]], pass_optional: "skip" },
  { players: 5, pass_cycle: [[[0, 0]]] },
  { players: 4, exposable: "QS JD TC AH", pass_cycle: [[]] },
]) {
  test(`moves at an index are those of the list: ${JSON.stringify(rules)}`, () => {
    const moves = legalMoves(dealt(rules), 1);
    const listed = [...moves];
    assert.equal(listed.length, moves.length);
    assert.deepEqual(listed.map((_, index) => moves.at(index)), listed);
    assert.deepEqual([moves.at(-1), moves.at(moves.length), moves.at(0.5)], [listed.at(-1), undefined, undefined]);
    assert.equal(new Set(listed.map((move) => JSON.stringify(move))).size, listed.length);
  });
}

test("a move is a document, and a reason has its arguments", () => {
  const view = viewOf(dealt({ pass_cycle: [[]] }), 2);
  const [move] = legalMoves(view);
  assert.deepEqual(move, { heartsrules: 1, kind: "move", move: "play", seat: 2, card: "2C" });
  const [reason] = reasons(view, { ...move, card: "AH" });
  assert.deepEqual(reason, { code: "opening-card", card: "AH", required: "lowest-club" });
});

test("the cards of a pass are chosen one by one", () => {
  const view = viewOf(dealt({}), 0);
  const cards = view.hand.split(" ");
  const chosen = cards.slice(0, 2).join(" ");
  const { addable, missing, complete } = passOptions(view, [chosen]);
  assert.deepEqual([addable, missing, complete], [[cards.slice(2).join(" ")], [1], false]);
  assert.equal(passOptions(view, [cards.slice(0, 3).join(" ")]).complete, true);
  assert.throws(() => passOptions(view, [cards.slice(0, 4).join(" ")]), RangeError);
});
