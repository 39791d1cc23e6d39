// The course of a game: the moves that can be made in a state, and the state that follows. States are documents of the
// wire format and are taken as valid; no function changes the one that it is given.

import { at, cardsAt, cardsOf, countOf, distinct, isHeart, sorted, suitOf, sum, textOf, without } from "./cards.js";
import type {
  AnyState, AwaitingDealDocument, Card, Cards, DealDocument, Event, Events, FinishedDealWire,
  Move, Phase, Rules, RulesWire, State, View,
} from "./documents.js";
import { exposuresOf, joined, MOVE, passesOf, unchosen } from "./moves.js";
import type { Moves, PassOptions } from "./moves.js";
import { breaksHearts, judge, suitsOf, winningPlace } from "./plays.js";
import type { DealProblem, Reason } from "./plays.js";
import { ANY_NUMBER, anyNumber, exposesBeforePass, rulesOf, seatAt, throughMiddle, wireOf } from "./rules.js";
import type { ResolvedRules } from "./rules.js";
import { chooserOf, scoreOf, winnersOf } from "./scoring.js";
import type { Effect, Outcome } from "./scoring.js";
import { dealOut, shuffled } from "./shuffle.js";

/** A state of some phases. */
export type In<P extends State["phase"]> = Extract<State, { phase: P }>;
/** A view of some phases. */
export type ViewOf<P extends View["phase"]> = Extract<View, { phase: P }>;
type MoveOf<K extends Move["move"]> = Extract<Move, { move: K }>;
/** The cards of a pass for each recipient; empty if the seat declined. */
type Given = readonly Cards[];
type Passes = ReadonlyArray<Given | null>;

/** The next state, and all events, which no player may see. */
export interface Transition {
  state: State;
  events: Events;
}

const MOST_DEALS = 1_000_000;

/** Return the state before the first deal. */
export function newGame(rules: Rules | RulesWire = {}): AwaitingDealDocument {
  return {
    phase: "awaiting-deal", heartsrules: 1, kind: "state", has_full_history: true, rules: wireOf(rules), deal_number: 0,
    scores: rulesOf(rules).seats.map(() => 0), score_sheet: [], first: 0, start: null, queen_taker: null, last_deal: null,
  };
}

const common = (state: State): AnyState => {
  const { has_full_history, rules, deal_number, scores, score_sheet, first, start, queen_taker } = state;
  const sheet = { scores, score_sheet, first, start, queen_taker };
  return { heartsrules: 1, kind: "state", has_full_history, rules, deal_number, ...sheet };
};

// ------------------------------------------------------------------------------------------------------ the legal moves

/** Return true if chance moves next: it deals the cards, or the pile in the middle. */
export const chanceToAct = (position: State | View): boolean =>
  position.phase === "awaiting-deal" || position.phase === "dealing-back";

/** Return the seats that can expose cards, of those that have not decided. */
export function toExpose(rules: ResolvedRules, dealNumber: number, left: readonly number[]): readonly number[] {
  if (rules.exposure === "together" || rules.exposure === "rounds") {
    return left;
  }
  const turn = left.find((seat) => !left.includes(seatAt(rules, seat, -1)));
  return [turn ?? seatAt(rules, rules.dealer(dealNumber), 1)];
}

/** Return the seats that can act, in ascending order. */
export function toAct(position: State | View): readonly number[] {
  switch (position.phase) {
    case "passing":
      return position.kind === "view" ? position.to_act : undecided(position.passes);
    case "exposing":
      return position.kind === "view"
        ? position.to_act
        : toExpose(rulesOf(position.rules), position.deal_number, undecided(position.exposures));
    case "playing":
      return [position.turn];
    case "choosing-moon":
      return [position.shooter];
    default:
      return [];
  }
}

/** Return the seats whose items are null. */
const undecided = (items: readonly unknown[]): number[] => [...items.keys()].filter((seat) => items[seat] === null);

type WithHands = "passing" | "exposing" | "playing";

/** Return the cards of a seat, or null if they are unknown here. */
function handOf(position: In<WithHands> | ViewOf<WithHands>, seat: number): Card[] | null {
  if (position.kind === "state") {
    return cardsAt(position.hands, seat);
  }
  return seat === position.seat ? cardsOf(position.hand) : null;
}

/** Return the cards that a seat exposed in earlier rounds. */
const openOf = (rules: ResolvedRules, { exposed }: In<"exposing"> | ViewOf<"exposing">, seat: number): Card[] =>
  (rules.exposure.startsWith("rounds") ? cardsAt(exposed ?? [], seat) : []);

/**
 * List the legal moves in the order of docs/reference/reproducibility.md, of one seat or of all seats that can act. With a view,
 * list those of its own seat. The moves of chance are too many to list.
 */
export function legalMoves(position: State | View, seat: number | null = null): Moves {
  if (position.kind === "view") {
    return toAct(position).some((each) => each === position.seat) ? movesOf(position, position.seat ?? 0) : [];
  }
  const seats = toAct(position).filter((each) => seat === null || each === seat);
  return joined(seats.map((each) => movesOf(position, each)));
}

function movesOf(position: State | View, seat: number): Moves {
  const rules = rulesOf(position.rules);
  switch (position.phase) {
    case "passing":
      return passesOf(rules, rules.passPlan(position.deal_number), seat, handOf(position, seat) ?? []);
    case "exposing":
      return exposuresOf(rules, seat, handOf(position, seat) ?? [], openOf(rules, position, seat));
    case "playing":
      return legalCards(position).map((card) => ({ ...MOVE, move: "play", seat, card }));
    default:
      return (["others-up", "shooter-down"] as const).map((effect) => ({ ...MOVE, move: "choose-moon", seat, effect }));
  }
}

/** The reasons against the cards of a state or view, computed once. */
const verdicts = new WeakMap<In<"playing"> | ViewOf<"playing">, Map<Card, Reason[]>>();

/** Return the reasons against each card of the hand whose turn it is. */
function judged(position: In<"playing"> | ViewOf<"playing">): Map<Card, Reason[]> {
  const { turn, trick, hearts_broken: heartsBroken, exposed, tricks } = position;
  const before = position.kind === "view" ? position.led_before : (position.resumed_from?.suits_led ?? []);
  const found = verdicts.get(position) ?? judge(rulesOf(position.rules), {
    hand: handOf(position, turn) ?? [], trick, heartsBroken, exposed: cardsAt(exposed, turn),
    suitsLed: [...before, ...suitsOf(tricks)],
  });
  verdicts.set(position, found);
  return found;
}

/** Return the cards that the seat to play can play. */
export function legalCards(position: In<"playing"> | ViewOf<"playing">): Card[] {
  return [...judged(position)].filter(([, reasons]) => reasons.length === 0).map(([card]) => card);
}

// ---------------------------------------------------------------------------------------------------------- the reasons

const PHASES: Record<State["phase"], Phase> = {
  "awaiting-deal": "deal", passing: "pass", "dealing-back": "deal-back", exposing: "expose", playing: "play",
  "choosing-moon": "moon", "game-over": "over",
};
const phaseOf = ({ move }: Move): Phase => (move === "choose-moon" ? "moon" : move);

/**
 * Return the reasons against a move in order of precedence; none if it is legal. A view gives the same reasons as the
 * state against a move of its own seat, and against the moves of other seats only those that all players can know.
 */
export function reasons(position: State | View, move: Move): Reason[] {
  const rules = rulesOf(position.rules);
  const phase = PHASES[position.phase];
  if (position.phase === "game-over") {
    return [{ code: "game-over" }];
  }
  if (move.move === "deal" && (position.phase === "awaiting-deal" || position.phase === "dealing-back")) {
    return dealReasons(rules, position, move);
  }
  if (phase !== phaseOf(move) || move.move === "deal") {
    return [{ code: "wrong-phase", phase, move: phaseOf(move) }];
  }
  const { seat } = move;
  if (!rules.seats.includes(seat)) {
    return [{ code: "no-such-seat", seat, players: rules.players }];
  }
  const turn = toAct(position)[0] ?? 0;
  if (position.phase === "passing" && move.move === "pass") {
    return [
      ...when(!toAct(position).includes(seat), { code: "already-passed", seat }),
      ...passReasons(rules, position, move),
    ];
  }
  if (position.phase === "exposing" && move.move === "expose") {
    const decided = position.kind === "view" ? position.committed.includes(seat) : position.exposures[seat] !== null;
    return [
      ...when(!decided && !toAct(position).includes(seat), { code: "not-your-turn", seat, turn }),
      ...when(decided, { code: "already-decided", seat }),
      ...exposeReasons(rules, position, move),
    ];
  }
  if (position.phase === "playing" && move.move === "play") {
    const hand = handOf(position, seat);
    const early = when(seat !== turn, { code: "not-your-turn", seat, turn });
    if (hand !== null && !hand.includes(move.card)) {
      return [...early, { code: "not-in-hand", cards: move.card, too_often: "" }];
    }
    return early.length > 0 || hand === null ? early : (judged(position).get(move.card) ?? []);
  }
  if (position.phase === "choosing-moon" && move.move === "choose-moon") {
    const { effect } = move;
    return [
      ...when(seat !== turn, { code: "not-the-shooter", seat, shooter: turn }),
      ...when(!["others-up", "shooter-down"].includes(effect), { code: "no-such-effect", effect }),
    ];
  }
  return [];
}

const when = (holds: boolean, reason: Reason): Reason[] => (holds ? [reason] : []);

/** Give the reason against cards that a hand does not hold. */
const lacking = (hand: readonly Card[], cards: readonly Card[]): Reason[] => when(cards.length > 0, {
  code: "not-in-hand", cards: textOf(cards), too_often: textOf(cards.filter((card) => hand.includes(card))),
});

function dealReasons(rules: ResolvedRules, position: State | View, { hands, kitty }: DealDocument): Reason[] {
  if (position.phase === "awaiting-deal" && position.deal_number >= MOST_DEALS) {
    return [{ code: "too-many-deals", most: MOST_DEALS }];
  }
  const pile = toDeal(rules, position);
  if (pile === null) {
    return []; // No seat knows the pile in the middle.
  }
  const problems: DealProblem[] = hands.length === rules.players ? [] : [
    { code: "wrong-number-of-hands", fields: ["hands"], params: { count: hands.length, players: rules.players } },
  ];
  const note = (code: string, field: string, params: Record<string, number | readonly []>): number =>
    problems.push({ code, fields: [field], params, detail: "dealt" });
  hands.slice(0, rules.players).forEach((hand, seat) => {
    const [count, expected] = [cardsOf(hand).length, at(pile.due, seat)];
    if (count !== expected) {
      note("wrong-hand-size", `hands[${seat}]`, { seat, count, expected });
    }
  });
  const [count, expected] = [cardsOf(kitty).length, pile.rest];
  if (count !== expected) {
    note("wrong-kitty-size", "kitty", { count, expected });
  }
  const dealt = [...hands, kitty].flatMap(cardsOf);
  const left = without(dealt, pile.cards);
  const extra = left.filter((card) => pile.cards.includes(card));
  const foreign = without(left, extra);
  for (const [kind, { length }] of Object.entries({ missing: without(pile.cards, dealt), extra, foreign })) {
    if (length > 0) {
      note(`${kind}-cards`, "hands", { count: length, cards: [], more: length });
    }
  }
  if (problems.length > 0 && position.phase === "dealing-back") {
    // Details would reveal who declined.
    return [{ code: "bad-deal", problems: [{ code: "wrong-pile", fields: ["hands"] }] }];
  }
  return when(problems.length > 0, { code: "bad-deal", problems });
}

/** Return the cards to deal, the number for each seat and the number left over; null for a view of the middle. */
function toDeal(rules: ResolvedRules, position: State | View): { cards: Card[]; due: number[]; rest: number } | null {
  if (position.phase === "awaiting-deal") {
    return { cards: [...rules.deck], due: rules.seats.map(() => rules.cardsPerHand), rest: rules.kittySize };
  }
  if (position.phase !== "dealing-back" || position.kind === "view") {
    return null;
  }
  const { passes } = position;
  const pile = passes.map((given) => (moves(rules, passes) ? (given ?? []).flatMap(cardsOf) : []));
  return { cards: sorted(pile.flat()), due: pile.map((cards) => cards.length), rest: 0 };
}

function passReasons(
  rules: ResolvedRules, position: In<"passing"> | ViewOf<"passing">, { seat, cards: given }: MoveOf<"pass">,
): Reason[] {
  const plan = rules.passPlan(position.deal_number);
  if (given.length === 0) {
    return when(rules.pass_optional === "no" && !anyNumber(plan), { code: "may-not-decline" });
  }
  const [code, gifts] = ["wrong-number-of-cards" as const, plan.length];
  const size = { code, gift: null, count: given.length, expected: gifts, gifts };
  const found: Reason[] = when(given.length !== gifts, size);
  if (found.length === 0) {
    given.forEach((cards, gift) => {
      const expected = at(plan, gift)[1];
      const count = cardsOf(cards).length;
      const wrong = expected === ANY_NUMBER ? count === 0 : count !== expected;
      found.push(...when(wrong, { code, gift, count, expected, gifts }));
    });
  }
  const hand = handOf(position, seat);
  if (hand !== null) {
    const missing: Card[] = [];
    let left = hand;
    for (const cards of given.map(cardsOf)) {
      missing.push(...without(without(cards, left), missing));
      left = without(left, cards);
    }
    found.push(...lacking(hand, missing));
  }
  const locked = distinct(given.flatMap(cardsOf)).filter((card) => rules.unpassableCards.includes(card));
  return [...found, ...when(locked.length > 0, { code: "card-may-not-be-passed", cards: textOf(locked) })];
}

function exposeReasons(
  rules: ResolvedRules, position: In<"exposing"> | ViewOf<"exposing">, { seat, cards: text }: MoveOf<"expose">,
): Reason[] {
  const cards = cardsOf(text);
  const hand = handOf(position, seat);
  const able = (card: Card): boolean => rules.exposableCards.includes(card);
  const twice = hand === null ? distinct(cards).filter((card) => able(card) && countOf(cards, card) > 1) : [];
  const foreign = [...cards.filter((card) => !able(card)), ...twice];
  const again = distinct(cards).filter((card) => openOf(rules, position, seat).includes(card));
  return [
    ...(hand === null ? [] : lacking(hand, without(cards, hand))),
    ...when(foreign.length > 0, { code: "not-exposable", cards: textOf(foreign) }),
    ...when(again.length > 0, { code: "already-exposed", cards: textOf(again) }),
  ];
}

/**
 * Return how the player of a view, who has chosen some cards to pass, can continue. `chosen` are the cards for each
 * recipient, in order. Throws `RangeError` if they are not part of a pass.
 */
export function passOptions(view: ViewOf<"passing">, chosen: readonly Cards[] = []): PassOptions<Reason> {
  const rules = rulesOf(view.rules);
  const { plan, seat } = view;
  const left = unchosen(cardsOf(view.hand), chosen);
  const sizes = plan.map((_, place) => cardsAt(chosen, place).length);
  const locked = (card: Card): boolean => rules.unpassableCards.includes(card);
  if (left === null || chosen.length > plan.length || chosen.flatMap(cardsOf).some(locked) ||
    plan.some(([, count], place) => count !== ANY_NUMBER && at(sizes, place) > count)) {
    throw new RangeError("the chosen cards are not part of a pass");
  }
  const done = seat !== null && view.committed.includes(seat);
  const missing = plan.map(([, count], place) => (count === ANY_NUMBER ? 0 : count - at(sizes, place)));
  const against = plan.map(([, expected], gift) => sorted(left).map((card): readonly [Card, Reason[]] => [card, [
    ...when(done, { code: "already-passed", seat: seat ?? 0 }),
    ...when(expected !== ANY_NUMBER && missing[gift] === 0, {
      code: "wrong-number-of-cards", gift, count: expected + 1, expected, gifts: plan.length,
    }),
    ...when(locked(card), { code: "card-may-not-be-passed", cards: card }),
  ]]));
  const addable = against.map((cards) => textOf(cards.filter(([, why]) => why.length === 0).map(([card]) => card)));
  const complete = seat !== null && !done && missing.every((count) => count === 0);
  return { addable, missing, complete, reasons: against };
}

// -------------------------------------------------------------------------------------------------- what follows a move

/** Deal with the seeded shuffle: the deck, or the pile in the middle. */
export function dealFor(state: In<"awaiting-deal" | "dealing-back">, seed: string): DealDocument {
  const rules = rulesOf(state.rules);
  const { cards, due } = toDeal(rules, state) ?? { cards: [], due: [] };
  const label = state.phase === "awaiting-deal" ? "deal" : "middle";
  const pack = shuffled(cards, seed, `${label} ${state.deal_number}`);
  return { ...MOVE, move: "deal", ...dealOut(rules, pack, due, state.deal_number) };
}

/** Make a move. Throws `RangeError` for a move that the rules refuse. */
export function transition(state: State, move: Move): Transition {
  const against = reasons(state, move);
  if (against.length > 0) {
    throw new RangeError(`the rules refuse the move: ${against.map(({ code }) => code).join(", ")}`);
  }
  const rules = rulesOf(state.rules);
  const events: Event[] = [];
  const next = after(rules, state, move, events);
  return { state: next, events: { heartsrules: 1, kind: "events", events } };
}

function after(rules: ResolvedRules, state: State, move: Move, events: Event[]): State {
  if (state.phase === "awaiting-deal" && move.move === "deal") {
    return deal(rules, state, move, events);
  }
  if (state.phase === "dealing-back" && move.move === "deal") {
    return exchange(rules, state, state.passes, move.hands, events);
  }
  if (state.phase === "passing" && move.move === "pass") {
    return pass(rules, state, move, events);
  }
  if (state.phase === "exposing" && move.move === "expose") {
    return expose(rules, state, move, events);
  }
  if (state.phase === "playing" && move.move === "play") {
    return play(rules, state, move, events);
  }
  if (state.phase === "choosing-moon" && move.move === "choose-moon") {
    const { seat, effect } = move;
    events.push({ code: "moon-chosen", seat, effect });
    return scored(rules, state, state.last_deal, effect, events);
  }
  throw new RangeError("the move is of another phase");
}

function deal(rules: ResolvedRules, state: AwaitingDealDocument, { hands, kitty }: MoveOf<"deal">, events: Event[]): State {
  events.push({ code: "cards-dealt", hands, kitty });
  const dealt = { ...common(state), has_full_history: state.first === 0, hands: hands.map(ordered), kitty: ordered(kitty) };
  if (exposesBeforePass(rules, state.deal_number)) {
    return { ...dealt, phase: "exposing", passes: [], exposures: rules.seats.map(() => null) };
  }
  return toPass(rules, dealt, events);
}

const ordered = (cards: Cards): Cards => textOf(cardsOf(cards));
type Dealt = AnyState & { hands: readonly Cards[]; kitty: Cards };

function toPass(rules: ResolvedRules, dealt: Dealt, events: Event[]): State {
  if (rules.passPlan(dealt.deal_number).length === 0) {
    return exposeOrLead(rules, { ...dealt, passes: [] }, events);
  }
  return { ...dealt, phase: "passing", passes: rules.seats.map(() => null) };
}

function pass(rules: ResolvedRules, state: In<"passing">, { seat, cards }: MoveOf<"pass">, events: Event[]): State {
  const passes = state.passes.map((own, owner) => (owner === seat ? cards.map(ordered) : own));
  events.push({ code: "pass-committed", seat, cards });
  if (passes.includes(null)) {
    return { ...state, passes };
  }
  if (throughMiddle(rules.passPlan(state.deal_number))) {
    return { ...state, phase: "dealing-back", passes };
  }
  return exchange(rules, state, passes, null, events);
}

/** Return false if no cards move because a seat declines where all have to agree (pass_optional.3). */
const moves = (rules: ResolvedRules, passes: Passes): boolean =>
  rules.pass_optional !== "unanimous" || passes.every((given) => given !== null && given.length > 0);

/** Return the cards that each seat passed and received, without those that stay, and the numbers of committed cards. */
export function passed(
  rules: ResolvedRules, dealNumber: number, passes: Passes, dealtBack: readonly Cards[] | undefined,
): { passed: Cards[]; received: Cards[]; counts: number[] } {
  const given: Card[][] = rules.seats.map(() => []);
  const got: Card[][] = rules.seats.map(() => []);
  const committed = passes.map((cards) => cards ?? []);
  const counts = committed.map((cards) => cards.flatMap(cardsOf).length);
  const takesPart = (seat: number): boolean => rules.pass_optional !== "skip" || at(committed, seat).length > 0;
  if (!moves(rules, passes)) {
    return { passed: given.map(textOf), received: got.map(textOf), counts };
  }
  if (dealtBack !== undefined) {
    rules.seats.forEach((seat) => {
      at(given, seat).push(...at(committed, seat).flatMap(cardsOf));
      at(got, seat).push(...cardsAt(dealtBack, seat));
    });
  } else {
    committed.forEach((cards, giver) => cards.forEach((part, place) => {
      const offset = at(rules.passPlan(dealNumber), place)[0];
      let taker = seatAt(rules, giver, offset);
      while (!takesPart(taker)) {
        taker = seatAt(rules, taker, offset);
      }
      if (taker !== giver) {
        at(given, giver).push(...cardsOf(part));
        at(got, taker).push(...cardsOf(part));
      }
    }));
  }
  return { passed: given.map(textOf), received: got.map(textOf), counts };
}

/** Move the passed cards, or the cards from the middle that are dealt back. */
function exchange(
  rules: ResolvedRules, state: In<"passing" | "dealing-back">, passes: Passes, dealtBack: readonly Cards[] | null,
  events: Event[],
): State {
  const moved = passed(rules, state.deal_number, passes, dealtBack ?? undefined);
  events.push({ code: "cards-passed", ...moved });
  const hands = state.hands.map((hand, seat) =>
    textOf([...without(cardsOf(hand), cardsAt(moved.passed, seat)), ...cardsAt(moved.received, seat)]));
  const back = dealtBack === null ? {} : { dealt_back: dealtBack.map(ordered) };
  return exposeOrLead(rules, { ...common(state), hands, kitty: state.kitty, passes, ...back }, events);
}

type Exchanged = Dealt & { passes: Passes; dealt_back?: readonly Cards[] };

function exposeOrLead(rules: ResolvedRules, dealt: Exchanged, events: Event[]): State {
  if (rules.exposableCards.length === 0) {
    return firstLead(rules, dealt, [], events);
  }
  return { ...dealt, phase: "exposing", exposures: rules.seats.map(() => null) };
}

/** Return the key for the cards dealt back from the middle, if any were. */
const backOf = ({ dealt_back }: In<"exposing" | "playing">): { dealt_back?: readonly Cards[] } =>
  (dealt_back === undefined ? {} : { dealt_back });

/** Return true if the pass follows if no seat exposes a card. */
export const beforePass = (rules: ResolvedRules, { passes, deal_number }: In<"exposing">): boolean =>
  passes.length === 0 && exposesBeforePass(rules, deal_number);

function expose(rules: ResolvedRules, state: In<"exposing">, { seat, cards }: MoveOf<"expose">, events: Event[]): State {
  const inRounds = rules.exposure.startsWith("rounds");
  const together = rules.exposure === "together";
  const { exposures: before, exposed: open, ...rest } = state;
  const own = textOf([...cardsAt(open ?? [], seat), ...cardsOf(cards)]);
  const again = inRounds && cards !== "";
  const exposures = before.map((exposed, owner) => (owner === seat ? own : again ? null : exposed));
  const faceUp = rules.seats.map((owner) => (owner === seat ? own : (open?.[owner] ?? "")));
  events.push({ code: together ? "exposure-committed" : "cards-exposed", seat, cards });
  if (exposures.includes(null)) {
    return { ...rest, exposures, ...(inRounds && faceUp.some((own) => own !== "") ? { exposed: faceUp } : {}) };
  }
  const exposed = inRounds ? faceUp : exposures.map((own) => own ?? "");
  const any = exposed.some((own) => own !== "");
  if (together) {
    exposed.forEach((own, owner) => own === "" || events.push({ code: "cards-exposed", seat: owner, cards: own }));
  }
  const { hands, kitty, passes } = state;
  if (beforePass(rules, state) && !any) {
    return toPass(rules, { ...common(state), hands, kitty }, events);
  }
  return firstLead(rules, { ...common(state), hands, kitty, passes, ...backOf(state) }, any ? exposed : [], events);
}

/** Begin the play (section 3). */
function firstLead(rules: ResolvedRules, dealt: Exchanged, exposed: readonly Cards[], events: Event[]): State {
  const left = seatAt(rules, rules.dealer(dealt.deal_number), 1);
  const row = dealt.score_sheet.at(-1);
  const taker = row === undefined ? dealt.queen_taker : row.queen_taker;
  let leader = left;
  if (rules.opening_leader === "lowest-club") {
    leader = holderOfLowest(rules, dealt.hands, "C", left);
  } else if (rules.opening_leader === "queen-taker") {
    leader = taker ?? holderOfLowest(rules, dealt.hands, "S", left);
  }
  events.push({ code: "play-began", leader });
  return {
    ...dealt, phase: "playing", exposed, tricks: [], leader, trick: [], turn: leader, hearts_broken: false, resumed_from: null,
  };
}

/** Return the holder of the lowest card of a suit in any hand, the first from a seat on. */
function holderOfLowest(rules: ResolvedRules, hands: readonly Cards[], suit: string, first: number): number {
  const lowest = sorted(hands.flatMap(cardsOf)).find((card) => suitOf(card) === suit);
  const seats = rules.seats.map((_, place) => seatAt(rules, first, place));
  return seats.find((seat) => lowest !== undefined && cardsAt(hands, seat).includes(lowest)) ?? first;
}

function play(rules: ResolvedRules, state: In<"playing">, { seat, card }: MoveOf<"play">, events: Event[]): State {
  const trick = [...state.trick, card];
  const breaks = !state.hearts_broken && breaksHearts(rules, card, state.trick);
  events.push({ code: "card-played", seat, card });
  if (breaks) {
    events.push({ code: "hearts-broken", seat, card });
  }
  const hands = state.hands.map((hand, owner) => (owner === seat ? textOf(without(cardsOf(hand), [card])) : hand));
  const played: In<"playing"> = {
    ...state, hands, trick, turn: seatAt(rules, seat, 1), hearts_broken: state.hearts_broken || breaks,
  };
  if (trick.length < rules.players) {
    return played;
  }
  const last = hands.every((hand) => hand === "");
  const place = winningPlace(rules, trick) ?? (last && rules.void_last_trick === "leader" ? 0 : null);
  const winner = place === null ? null : seatAt(rules, state.leader, place);
  const { kitty, passes, exposed, resumed_from } = state;
  const tricks = [...state.tricks, { leader: state.leader, plays: trick, winner }];
  const record: FinishedDealWire = { kitty, passes, ...backOf(state), exposed, tricks, resumed_from };
  const before = tableOf(rules, { ...record, tricks: state.tricks }, false);
  const now = tableOf(rules, record, last);
  if (winner === null) {
    events.push({ code: "trick-void", cards: textOf(now.setAside) });
  } else {
    events.push({ code: "trick-won", winner, cards: textOf([...before.setAside, ...trick]) });
    if (now.kittyWinner !== before.kittyWinner) {
      events.push({ code: "kitty-taken", seat: winner, cards: kitty, shown_to: rules.kitty_shown_to });
    }
  }
  if (!last) {
    const leader = winner ?? state.leader;
    return { ...played, tricks, leader, trick: [], turn: leader };
  }
  const outcome = outcomeOf(rules, state, record);
  const shooter = chooserOf(rules, outcome);
  if (shooter === null) {
    return scored(rules, state, record, null, events);
  }
  const [others_up, shooter_down] = [scoreOf(rules, outcome, "others-up"), scoreOf(rules, outcome, "shooter-down")];
  events.push({ code: "moon-shot", shooter, others_up, shooter_down });
  return { ...common(state), phase: "choosing-moon", last_deal: record, shooter };
}

/** The captured cards after the completed tricks of a deal. */
export interface Table {
  /** The captured cards of each seat, the kitty's with its winner. */
  piles: Card[][];
  tricksWon: number[];
  /** The cards of tricks that no player won. */
  setAside: Card[];
  kittyWinner: number | null;
  /** The number of completed tricks. */
  tricks: number;
}

/** Go through the completed tricks (7, 8). If `over`, the last of them is the last of the deal. */
export function tableOf(rules: ResolvedRules, { kitty, tricks, resumed_from }: FinishedDealWire, over: boolean): Table {
  const piles = rules.seats.map((seat) => cardsAt(resumed_from?.captured ?? [], seat));
  const tricksWon = rules.seats.map((seat) => resumed_from?.tricks_won?.[seat] ?? 0);
  let setAside = cardsOf(resumed_from?.set_aside ?? "");
  let kittyWinner = resumed_from?.kitty_winner ?? null;
  const gone = sum(piles.map((pile) => pile.length)) + setAside.length - (kittyWinner === null ? 0 : rules.kittySize);
  tricks.forEach(({ plays, winner }, index) => {
    if (winner === null) {
      setAside = [...setAside, ...plays];
      return;
    }
    const won = [...setAside, ...plays];
    at(piles, winner).push(...won);
    tricksWon[winner] = at(tricksWon, winner) + 1;
    setAside = [];
    if (kittyWinner === null && rules.kittySize > 0 && takesKitty(rules, won, over && index === tricks.length - 1)) {
      kittyWinner = winner;
      at(piles, winner).push(...cardsOf(kitty));
    }
  });
  return { piles, tricksWon, setAside, kittyWinner, tricks: tricks.length + gone / rules.players };
}

function takesKitty(rules: ResolvedRules, won: readonly Card[], last: boolean): boolean {
  const takes = {
    none: false, "first-trick": true, "first-point": won.some((card) => rules.penalty(card) > 0),
    "first-heart": won.some(isHeart), "last-trick": last,
  };
  return takes[rules.kitty];
}

/** Return the outcome of a deal that is over. */
export function outcomeOf(rules: ResolvedRules, state: State, record: FinishedDealWire): Outcome {
  const { piles, tricksWon, setAside } = tableOf(rules, record, true);
  return {
    piles, tricksWon, leftOver: setAside.length > 0, exposed: record.exposed, totals: state.scores,
    dealNumber: state.deal_number,
  };
}

/** Score a deal, and go on to the next deal or to the end. */
function scored(rules: ResolvedRules, state: State, record: FinishedDealWire, chosen: Effect | null, events: Event[]): State {
  const score = scoreOf(rules, outcomeOf(rules, state, record), chosen);
  const winners = winnersOf(rules, score, state.deal_number + 1);
  events.push({ code: "deal-scored", score });
  const after = {
    ...common(state), scores: score.totals, score_sheet: [...state.score_sheet, score], last_deal: record,
  };
  if (winners === null) {
    return { ...after, phase: "awaiting-deal", deal_number: state.deal_number + 1 };
  }
  events.push({ code: "game-ended", winners });
  return { ...after, phase: "game-over", winners };
}
