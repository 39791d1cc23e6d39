// Tests of the engine: npm test. The conformance suite, and games that Python plays too, test its rules.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  advance, chanceToAct, dealFor, legalMoves, newGame, passOptions, reasonArguments, reasons, redacted, transition, viewOf,
} from "heartsrules/engine";

const dealt = (rules, seed = "table 7") => {
  const state = newGame(rules);
  return transition(state, dealFor(state, seed)).state;
};

/** Play a match, in which every seat and a spectator follow the events. Returns the last state. */
function followed(rules) {
  let state = newGame(rules);
  const seats = [...state.scores.keys(), null];
  let views = seats.map((seat) => viewOf(state, seat));
  for (let number = 1; state.phase !== "game-over"; number += 1) {
    const moves = chanceToAct(state) ? [dealFor(state, `deal ${state.deal_number}`)] : legalMoves(state);
    const moved = transition(state, moves.at((number * 7919) % moves.length));
    state = moved.state;
    views = views.map((view) => advance(view, redacted(moved.events, view.seat)));
    assert.deepEqual(views, seats.map((seat) => viewOf(state, seat)));
  }
  return state;
}

test("a match, in which every seat follows the events", () => {
  assert.ok(Math.max(...followed({ target: 50 }).scores) >= 50);
});

const open = { exposable: "QS JD TC AH", max_deals: 6, target: null };
for (const rules of [
  { ...open, exposure: "together" },
  { ...open, exposure: "in-turn", expose_before_pass: "always" },
  { ...open, exposure: "rounds", moon: "choice" },
  { ...open, exposure: "rounds-in-turn", pass_optional: "skip" },
  { ...open, exposure: "rounds", expose_before_pass: "always", pass_cycle: [[[1, 3]], [[0, 2]], []] },
  { players: 3, hand_size: 16, kitty: "first-trick", kitty_shown_to: "taker", pass_optional: "unanimous", max_deals: 4 },
  { players: 3, hand_size: 16, kitty: "last-trick", kitty_shown_to: "nobody", pass_cycle: [[[0, 0]]], max_deals: 4 },
  { players: 6, decks: 2, hand_size: 16, kitty: "first-point", kitty_shown_to: "everybody", max_deals: 3 },
]) {
  test(`every seat follows the events: ${JSON.stringify(rules)}`, () => {
    assert.equal(followed(rules).phase, "game-over");
  });
}

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

test("a move is a document, and a reason has its values and arguments", () => {
  const view = viewOf(dealt({ pass_cycle: [[]] }), 2);
  const [move] = legalMoves(view);
  assert.deepEqual(move, { heartsrules: 1, kind: "move", move: "play", seat: 2, card: "2C" });
  const [reason] = reasons(view, { ...move, card: "AH" });
  assert.deepEqual(reason, { code: "opening-card", card: "AH", required: "lowest-club" });
  const fill = (key, { rank = "", suit }) => `${key} ${rank}${suit}`;
  assert.deepEqual(reasonArguments(reason, fill), {
    card: "term.card AH", card_count: 1, card_suit: "H", card_suit_name: "term.suit H", required: "lowest_club",
  });
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
