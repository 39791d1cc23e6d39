// The game that the preset `microsoft` plays, written from the documentation alone, and checked with its suite:
//
//   node engine.mjs SUITE/microsoft.jsonl            does the engine agree with every case?
//   node engine.mjs SUITE/microsoft.jsonl --faults   does the suite notice each fault that is planted in the engine?
//
// A document goes in and a document comes out: `legalCards`, `refusal` and `next` are all that a client of this game
// needs. `faulty(NAME)` is true while a fault of that name is planted; leave these calls out of an engine of your own.
//
// Exit codes: 0 all is well, 1 it is not, 2 there is no such file.

import { readFileSync } from "node:fs";
import process from "node:process";
import { isDeepStrictEqual } from "node:util";

const SEATS = 4;
const RANKS = "23456789TJQKA";
const SUITS = "CDSH";
const OFFSETS = [1, -1, 2, 0]; // left, right, across, hold
const GIFT = 3;
const TARGET = 100;
const MOON = 26;

const FAULTS = [
  "a tie ends the game",
  "the target must be exceeded",
  "a hand of penalty cards is stuck on the first trick",
  "a heart that is led does not break hearts",
  "points are free on the first trick",
  "the queen is free on the first trick",
  "hearts are never free on a later trick",
  "any club opens",
  "the queen breaks hearts",
  "hearts are led unbroken",
  "hearts alone may not be led",
  "a lone queen is spared",
  "nobody follows suit",
  "the last card of a suit may be kept",
  "the highest card of any suit wins",
  "the winner's left leads",
  "left and right change places",
  "nobody holds",
  "a hold writes empty passes",
  "the number of the deal counts on at the end",
  "a moon takes every trick",
  "the shooter goes down",
  "a moon goes by 25 points",
  "the queen costs 12",
  "any tie goes on",
  "the highest total wins",
  "a shooter is one who took the queen",
];
let planted = null;
const faulty = (name) => {
  if (!FAULTS.includes(name)) {
    throw new Error(`there is no fault "${name}"`);
  }
  return planted === name;
};

// ------------------------------------------------------------------------------------------------------------- cards

const suit = (card) => card[1];
const rank = (card) => RANKS.indexOf(card[0]);
const isHeart = (card) => suit(card) === "H";
const cardsOf = (bag) => (bag === "" ? [] : bag.split(" "));
const place = (card) => SUITS.indexOf(suit(card)) * RANKS.length + rank(card);
const bagOf = (cards) => [...cards].sort((one, other) => place(one) - place(other)).join(" ");
const points = (card) => (isHeart(card) ? 1 : card === "QS" ? (faulty("the queen costs 12") ? 12 : 13) : 0);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const seats = [...Array(SEATS).keys()];

// ---------------------------------------------------------------------------------------------------------- the play

/** The cards that the seat whose turn it is may play, with the reason against each other card of its hand. */
function judged(state) {
  const hand = cardsOf(state.hands[state.turn]);
  const first = hand.length === 13;
  const reasons = new Map();
  let legal = hand;
  /** One stage: what it would leave, unless that is nothing. */
  const stage = (code, allowed, stuck = false) => {
    const left = legal.filter(allowed);
    if (left.length > 0 || stuck) {
      legal.filter((card) => !left.includes(card)).forEach((card) => reasons.set(card, code));
      legal = left;
    }
  };
  if (state.trick.length > 0) {
    const led = suit(state.trick[0]);
    const following = hand.filter((card) => suit(card) === led);
    const may = faulty("nobody follows suit") || (faulty("the last card of a suit may be kept") && following.length === 1);
    if (following.length > 0 && !may) {
      stage("must-follow-suit", (card) => suit(card) === led);
    }
    if (following.length === 0) {
      if (first && !faulty("points are free on the first trick")) {
        const free = (card) => card === "QS" && faulty("the queen is free on the first trick");
        const stuck = faulty("a hand of penalty cards is stuck on the first trick");
        stage("points-on-first-trick", (card) => points(card) === 0 || free(card), stuck);
      }
      if (!first && faulty("hearts are never free on a later trick")) {
        stage("points-on-first-trick", (card) => !isHeart(card));
      }
    }
  } else if (first) {
    const clubs = hand.filter((card) => suit(card) === "C").sort((one, other) => rank(one) - rank(other));
    stage("opening-card", (card) => card === clubs[0] || (suit(card) === "C" && faulty("any club opens")));
  } else if (!state.hearts_broken && !faulty("hearts are led unbroken")) {
    const lone = hand.every((card) => isHeart(card) || card === "QS");
    if (!(lone && faulty("a lone queen is spared"))) {
      stage("hearts-not-broken", (card) => !isHeart(card), faulty("hearts alone may not be led"));
    }
  }
  return { legal, reasons };
}

export const legalCards = (state) => judged(state).legal;

/** Why a move of the seat is refused, as the code that comes first, or null: it is legal. Not for deals. */
export function refusal(state, move) {
  if (state.phase === "game-over") {
    return "game-over";
  }
  if (!seats.includes(move.seat)) {
    return "no-such-seat";
  }
  if (state.phase === "passing" && move.move === "pass") {
    if (state.passes[move.seat] !== null) {
      return "already-passed";
    }
    const hand = cardsOf(state.hands[move.seat]);
    const cards = move.gifts.flatMap(cardsOf);
    if (move.gifts.length === 0) {
      return "may-not-decline";
    }
    if (move.gifts.length !== 1 || cards.length !== GIFT) {
      return "wrong-number-of-cards";
    }
    return cards.every((card, index) => hand.includes(card) && cards.indexOf(card) === index) ? null : "not-in-hand";
  }
  if (state.phase === "playing" && move.move === "play") {
    if (move.seat !== state.turn) {
      return "not-your-turn";
    }
    if (!cardsOf(state.hands[move.seat]).includes(move.card)) {
      return "not-in-hand";
    }
    const { legal, reasons } = judged(state);
    return legal.includes(move.card) ? null : (reasons.get(move.card) ?? null);
  }
  return "wrong-phase";
}

// ------------------------------------------------------------------------------------------------- the state that follows

/** The state document after a legal move. The claim `whole` is left as it was. */
export function next(state, move) {
  return { deal, pass, play }[move.move](state, move);
}

/** The keys that a state has in every phase. */
const common = ({ heartsrules, kind, whole, rules, deal_number, scores, deal_scores, start }) => {
  return { heartsrules, kind, whole, rules, deal_number, scores, deal_scores, start };
};

function offsetOf(dealNumber) {
  const offset = OFFSETS[dealNumber % (faulty("nobody holds") ? 3 : 4)];
  return faulty("left and right change places") ? -offset : offset;
}

function deal(state, { hands, kitty }) {
  if (offsetOf(state.deal_number) === 0) {
    return firstLead(state, hands, kitty, faulty("a hold writes empty passes") ? seats.map(() => []) : []);
  }
  return { ...common(state), phase: "passing", hands, kitty, passes: seats.map(() => null) };
}

function pass(state, { seat, gifts }) {
  const passes = state.passes.map((own, owner) => (owner === seat ? gifts : own));
  if (passes.includes(null)) {
    return { ...state, passes };
  }
  const offset = offsetOf(state.deal_number);
  const hands = state.hands.map((hand, owner) => {
    const kept = cardsOf(hand).filter((card) => !cardsOf(passes[owner][0]).includes(card));
    return bagOf([...kept, ...cardsOf(passes[(owner - offset + SEATS) % SEATS][0])]);
  });
  return firstLead(state, hands, state.kitty, passes);
}

function firstLead(state, hands, kitty, passes) {
  const leader = hands.findIndex((hand) => cardsOf(hand).includes("2C"));
  return {
    ...common(state), phase: "playing", hands, kitty, passes, shown: [], tricks: [], leader, trick: [], turn: leader,
    hearts_broken: false, middle: null,
  };
}

function breaks(state, card) {
  if (card === "QS") {
    return faulty("the queen breaks hearts");
  }
  return isHeart(card) && !(state.trick.length === 0 && faulty("a heart that is led does not break hearts"));
}

function play(state, { seat, card }) {
  const kept = cardsOf(state.hands[seat]).filter((other) => other !== card);
  const after = {
    ...state,
    hands: state.hands.map((hand, owner) => (owner === seat ? bagOf(kept) : hand)),
    trick: [...state.trick, card],
    turn: (seat + 1) % SEATS,
    hearts_broken: state.hearts_broken || breaks(state, card),
  };
  if (after.trick.length < SEATS) {
    return after;
  }
  const led = suit(after.trick[0]);
  const able = after.trick.filter((other) => suit(other) === led || faulty("the highest card of any suit wins"));
  const best = able.reduce((one, other) => (rank(other) > rank(one) ? other : one));
  const winner = (state.leader + after.trick.indexOf(best)) % SEATS;
  const tricks = [...state.tricks, { leader: state.leader, cards: after.trick, winner }];
  if (after.hands.every((hand) => hand === "")) {
    return score(state, tricks);
  }
  const leader = faulty("the winner's left leads") ? (winner + 1) % SEATS : winner;
  return { ...after, tricks, leader, trick: [], turn: leader };
}

// --------------------------------------------------------------------------------------------------------- the score

/** What follows the last trick: the next deal, or the end. */
function score(state, tricks) {
  const piles = seats.map((seat) => [
    ...cardsOf(state.middle?.captured[seat] ?? ""),
    ...tricks.filter((trick) => trick.winner === seat).flatMap((trick) => trick.cards),
  ]);
  const won = seats.map(
    (seat) => (state.middle?.tricks_won[seat] ?? 0) + tricks.filter((trick) => trick.winner === seat).length,
  );
  const cardPoints = piles.map((pile) => sum(pile.map(points)));
  const shooter = seats.find((seat) => shoots(piles[seat], won[seat], cardPoints[seat])) ?? null;
  const row = seats.map((seat) => {
    if (shooter === null) {
      return cardPoints[seat];
    }
    if (faulty("the shooter goes down")) {
      return seat === shooter ? -MOON : 0;
    }
    return seat === shooter ? 0 : MOON;
  });
  const totals = state.scores.map((total, seat) => total + row[seat]);
  const queen = piles.findIndex((pile) => pile.includes("QS"));
  const written = {
    points: row, card_points: cardPoints, shooter, effect: shooter === null ? null : "others-up", sun: false,
    tricks_won: won, totals, queen_taker: queen < 0 ? null : queen, shown: [],
  };
  const { kitty, passes, shown, middle } = state;
  const after = {
    ...common(state), scores: totals, deal_scores: [...state.deal_scores, written],
    last_deal: { kitty, passes, shown, tricks, middle },
  };
  const winners = winnersOf(totals);
  if (winners === null) {
    return { ...after, phase: "awaiting-deal", deal_number: state.deal_number + 1 };
  }
  const deal_number = state.deal_number + (faulty("the number of the deal counts on at the end") ? 1 : 0);
  return { ...after, phase: "game-over", deal_number, winners };
}

function shoots(pile, tricksWon, value) {
  if (faulty("a moon takes every trick") && tricksWon < 13) {
    return false;
  }
  if (faulty("a shooter is one who took the queen") && pile.includes("QS")) {
    return pile.filter(isHeart).length >= 12;
  }
  if (faulty("a moon goes by 25 points")) {
    return value >= 25;
  }
  return pile.includes("QS") && pile.filter(isHeart).length === 13;
}

/** The winners, or null: the game goes on. */
function winnersOf(totals) {
  const end = faulty("the target must be exceeded") ? TARGET + 1 : TARGET;
  if (Math.max(...totals) < end) {
    return null;
  }
  const best = faulty("the highest total wins") ? Math.max(...totals) : Math.min(...totals);
  const winners = seats.filter((seat) => totals[seat] === best);
  const tied = faulty("any tie goes on") ? new Set(totals).size < SEATS : winners.length > 1;
  return tied && !faulty("a tie ends the game") ? null : winners;
}

// --------------------------------------------------------------------------------------------------------- the suite

/** What the engine says otherwise than a case. */
function* mistakes({ state, seat, legal, illegal, move, next: expected, scores }) {
  if (state.phase === "playing") {
    const own = legalCards(state);
    const listed = legal.moves.map(({ card }) => card);
    if (own.length !== legal.count || !listed.every((card) => own.includes(card))) {
      yield `legal cards are ${own.join(" ")} instead of ${listed.join(" ")}`;
    }
  } else if (state.phase === "passing" && !legal.moves.every((each) => refusal(state, each) === null)) {
    yield "a legal pass is refused";
  }
  for (const { move: wrong, codes } of seat === null ? [] : illegal) {
    const code = refusal(state, wrong);
    if (code !== codes[0]) {
      yield `${JSON.stringify(wrong)} is refused by ${code} instead of ${codes[0]}`;
    }
  }
  if (move === null) {
    return;
  }
  const after = next(state, move);
  for (const key of new Set([...Object.keys(after), ...Object.keys(expected.state)])) {
    if (key !== "whole" && !isDeepStrictEqual(after[key], expected.state[key])) {
      yield `${key} is ${JSON.stringify(after[key])} instead of ${JSON.stringify(expected.state[key])}`;
    }
  }
  if (scores !== null && !isDeepStrictEqual(scores.shown, after.scores)) {
    yield "the totals are others";
  }
}

/** The ids of the cases that the engine gets wrong, each with its first mistake. */
function* wrongCases(cases) {
  for (const each of cases) {
    let mistake;
    try {
      mistake = mistakes(each).next().value;
    } catch (error) {
      mistake = error.message;
    }
    if (mistake !== undefined) {
      yield [each.id, mistake];
    }
  }
}

function main([path, flag]) {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  const cases = lines.filter(({ kind }) => kind === "case");
  if (flag !== "--faults") {
    const wrong = [...wrongCases(cases)];
    wrong.slice(0, 20).forEach(([id, mistake]) => console.error(`${id}: ${mistake}`));
    console.log(`${cases.length} cases, ${wrong.length} wrong`);
    return wrong.length > 0 || cases.length === 0 ? 1 : 0;
  }
  let missed = 0;
  for (const fault of FAULTS) {
    planted = fault;
    const { value } = wrongCases(cases).next();
    missed += value === undefined ? 1 : 0;
    console.log(`${fault}: ${value === undefined ? "not noticed" : value[0]}`);
  }
  console.log(`${FAULTS.length} faults, ${missed} not noticed`);
  return missed > 0 ? 1 : 0;
}

if (process.argv.length < 3) {
  console.error("usage: node engine.mjs FILE [--faults]");
  process.exitCode = 2;
} else {
  try {
    process.exitCode = main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}
