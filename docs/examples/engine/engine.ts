// The course of a game: what may be done in a state, and the state that follows. A state is a document of the wire format
// (docs/reference/wire.md), which is taken as valid; no function changes the one that it is given.

import { at, bagOf, cardsOf, countOf, facesOf, isHeart, sorted, sum, suitOf, without } from "./cards.js";
import type { Bag, Card } from "./cards.js";
import { bagAt, breaksHearts, judge, suitsOf, winningPlace } from "./plays.js";
import type { PlayCode } from "./plays.js";
import { ANY_NUMBER, anyNumber, rulesOf, seatAt, showsBeforePass, throughMiddle } from "./rules.js";
import type { Rules, RulesDocument, PassPlan } from "./rules.js";
import { chooserOf, scoreOf, winnersOf } from "./scoring.js";
import type { Effect, Outcome, Row } from "./scoring.js";
import { dealOut, shuffled } from "./shuffle.js";

// ------------------------------------------------------------------------------------------------------ the documents

export interface Trick {
  leader: number;
  plays: Card[];
  winner: number | null;
}

/** How things stood before the first trick of a deal whose beginning is not known. */
export interface MidDealPosition {
  leader: number;
  captured: Bag[];
  tricks_won: number[];
  set_aside: Bag;
  kitty_winner: number | null;
  hearts_broken: boolean;
  suits_led: string[];
}

/** The gifts of a seat; none: it declined. */
export type Gifts = Bag[];

/** What is known of a deal from its first lead on. */
export interface DealRecord {
  kitty: Bag;
  passes: Gifts[];
  dealt_back?: Bag[];
  exposed: Bag[];
  tricks: Trick[];
  resumed_from: MidDealPosition | null;
}

interface Common {
  heartsrules: 1;
  kind: "state";
  has_full_history: boolean;
  rules: RulesDocument;
  deal_number: number;
  scores: number[];
  score_sheet: Row[];
  /** The number of the first deal in the score sheet. */
  first: number;
  /** The totals before that deal; null: the sheet begins with deal 0. */
  start: number[] | null;
  /** The seat that captured the queen of spades in the deal before that one. */
  queen_taker: number | null;
}

export interface AwaitingDeal extends Common {
  phase: "awaiting-deal";
  last_deal: DealRecord | null;
}
export interface Passing extends Common {
  phase: "passing";
  hands: Bag[];
  kitty: Bag;
  passes: (Gifts | null)[];
}
export interface DealingBack extends Common {
  phase: "dealing-back";
  hands: Bag[];
  kitty: Bag;
  passes: Gifts[];
}
export interface Exposing extends Common {
  phase: "exposing";
  hands: Bag[];
  kitty: Bag;
  passes: Gifts[];
  dealt_back?: Bag[];
  exposures: (Bag | null)[];
  /** In rounds, the cards that lie open; left out while none do. */
  exposed?: Bag[];
}
export interface Playing extends Common, DealRecord {
  phase: "playing";
  hands: Bag[];
  leader: number;
  trick: Card[];
  turn: number;
  hearts_broken: boolean;
}
export interface ChoosingMoon extends Common {
  phase: "choosing-moon";
  last_deal: DealRecord;
  shooter: number;
}
export interface GameOver extends Common {
  phase: "game-over";
  last_deal: DealRecord;
  winners: number[];
}
export type State = AwaitingDeal | Passing | DealingBack | Exposing | Playing | ChoosingMoon | GameOver;

export type Move =
  | { move: "deal"; hands: Bag[]; kitty: Bag }
  | { move: "pass"; seat: number; cards: Gifts }
  | { move: "expose"; seat: number; cards: Bag }
  | { move: "play"; seat: number; card: Card }
  | { move: "choose-moon"; seat: number; effect: string };
type MoveOf<Kind extends Move["move"]> = Extract<Move, { move: Kind }>;

export type Event =
  | { code: "cards-dealt"; hands: Bag[]; kitty: Bag }
  | { code: "pass-committed"; seat: number; cards: Gifts }
  | { code: "cards-passed"; passed: Bag[]; received: Bag[]; counts: number[] }
  | { code: "exposure-committed"; seat: number; cards: Bag }
  | { code: "cards-exposed"; seat: number; cards: Bag }
  | { code: "play-began"; leader: number }
  | { code: "card-played"; seat: number; card: Card }
  | { code: "hearts-broken"; seat: number; card: Card }
  | { code: "trick-won"; winner: number; cards: Bag }
  | { code: "trick-void"; cards: Bag }
  | { code: "kitty-taken"; seat: number; cards: Bag; shown_to: "taker" | "nobody" | "everybody" }
  | { code: "moon-shot"; shooter: number; others_up: Row; shooter_down: Row }
  | { code: "moon-chosen"; seat: number; effect: string }
  | { code: "deal-scored"; score: Row }
  | { code: "game-ended"; winners: number[] };

/** The codes of the reasons against a move, in order of precedence. */
export type Code =
  | "game-over" | "wrong-phase" | "too-many-deals" | "no-such-seat" | "not-your-turn" | "already-passed"
  | "already-decided" | "not-the-shooter" | "no-such-effect" | "bad-deal" | "may-not-decline" | "wrong-number-of-cards"
  | "not-in-hand" | "card-may-not-be-passed" | "not-exposable" | "already-exposed" | PlayCode;

export interface Transition {
  state: State;
  events: Event[];
}

const MOST_DEALS = 1_000_000;

/** The state before the first deal. */
export function newGame(document: RulesDocument = {}): AwaitingDeal {
  const scores = rulesOf(document).seats.map(() => 0);
  return {
    phase: "awaiting-deal", heartsrules: 1, kind: "state", has_full_history: true, rules: document, deal_number: 0, scores,
    score_sheet: [], first: 0, start: null, queen_taker: null, last_deal: null,
  };
}

const common = (state: State): Common => {
  const { has_full_history, rules, deal_number, scores, score_sheet, first, start, queen_taker } = state;
  return { heartsrules: 1, kind: "state", has_full_history, rules, deal_number, scores, score_sheet, first, start, queen_taker };
};

// --------------------------------------------------------------------------------------------------- what may be done

/** Whether chance is to move: to deal the cards, or the pile in the middle back. */
export const chanceToAct = (state: State): state is AwaitingDeal | DealingBack =>
  state.phase === "awaiting-deal" || state.phase === "dealing-back";

/** The seat whose turn it is to show cards, or null: all who have not decided may. */
export function turnToShow(rules: Rules, { exposures, deal_number }: Pick<Exposing, "exposures" | "deal_number">): number | null {
  if (rules.exposure === "together" || rules.exposure === "rounds") {
    return null;
  }
  const decided = (seat: number): boolean => exposures[seat] !== null;
  const next = rules.seats.find((seat) => !decided(seat) && decided(seatAt(rules, seat, -1)));
  return next ?? seatAt(rules, rules.dealer(deal_number), 1);
}

/** The seats that may act, in ascending order. */
export function toAct(state: State): number[] {
  const rules = rulesOf(state.rules);
  switch (state.phase) {
    case "passing":
      return rules.seats.filter((seat) => state.passes[seat] === null);
    case "exposing": {
      const turn = turnToShow(rules, state);
      return turn === null ? rules.seats.filter((seat) => state.exposures[seat] === null) : [turn];
    }
    case "playing":
      return [state.turn];
    case "choosing-moon":
      return [state.shooter];
    default:
      return [];
  }
}

/** The legal moves of a seat, in the order of docs/reference/order.md. Those of chance are too many to list. */
export function legalMoves(state: State, seat: number): Move[] {
  if (!toAct(state).includes(seat)) {
    return [];
  }
  const rules = rulesOf(state.rules);
  switch (state.phase) {
    case "passing":
      return passesOf(rules, rules.passPlan(state.deal_number), seat, bagAt(state.hands, seat));
    case "exposing":
      return exposuresOf(rules, seat, bagAt(state.hands, seat), bagAt(state.exposed ?? [], seat));
    case "playing":
      return legalCards(state).map((card) => ({ move: "play", seat, card }));
    default:
      return ["others-up", "shooter-down"].map((effect) => ({ move: "choose-moon", seat, effect }));
  }
}

/** What was judged of a state once. */
const verdicts = new WeakMap<Playing, Map<Card, PlayCode[]>>();

/** The reasons against each card of the hand whose turn it is. */
function judged(state: Playing): Map<Card, PlayCode[]> {
  const found = verdicts.get(state) ?? judge(rulesOf(state.rules), {
    hand: bagAt(state.hands, state.turn),
    trick: state.trick,
    heartsBroken: state.hearts_broken,
    exposed: bagAt(state.exposed, state.turn),
    suitsLed: [...(state.resumed_from?.suits_led ?? []), ...suitsOf(state.tricks)],
  });
  verdicts.set(state, found);
  return found;
}

export function legalCards(state: Playing): Card[] {
  return [...judged(state)].filter(([, reasons]) => reasons.length === 0).map(([card]) => card);
}

/** The passes of a hand. */
export function passesOf(rules: Rules, plan: PassPlan, seat: number, hand: readonly Card[]): MoveOf<"pass">[] {
  const free = sorted(hand).filter((card) => !rules.unpassableCards.includes(card));
  const pass = (gifts: Gifts): MoveOf<"pass"> => ({ move: "pass", seat, cards: gifts });
  if (anyNumber(plan)) {
    return subsets(free).map((cards) => pass(cards.length === 0 ? [] : [bagOf(cards)]));
  }
  let found: { gifts: Gifts; left: Card[] }[] = [{ gifts: [], left: free }];
  for (const [, count] of plan) {
    found = found.flatMap(({ gifts, left }) =>
      choices(left, count).map((cards) => ({ gifts: [...gifts, bagOf(cards)], left: without(left, cards) })));
  }
  return [...found.map(({ gifts }) => pass(gifts)), ...(rules.pass_optional === "no" ? [] : [pass([])])];
}

/** The exposures of a hand, some cards of which may lie open. */
export function exposuresOf(
  rules: Rules, seat: number, hand: readonly Card[], open: readonly Card[],
): MoveOf<"expose">[] {
  const able = sorted(hand).filter((card) => rules.exposableCards.includes(card) && !open.includes(card));
  return subsets(able).map((cards) => ({ move: "expose", seat, cards: bagOf(cards) }));
}

/** All subsets, counted like binary numbers over the cards. */
function subsets(cards: readonly Card[]): Card[][] {
  return cards.reduce<Card[][]>((found, card) => [...found, ...found.map((one) => [...one, card])], [[]]);
}

/** All bags of so many of the sorted cards, the first card changing last. */
function choices(cards: readonly Card[], count: number): Card[][] {
  if (count === 0) {
    return [[]];
  }
  return cards.flatMap((card, place) =>
    cards.indexOf(card) < place ? [] : choices(cards.slice(place + 1), count - 1).map((rest) => [card, ...rest]));
}

// ------------------------------------------------------------------------------------------------ what may not be done

/** The reasons against a move; none if it is legal. */
export function reasons(state: State, move: Move): Code[] {
  const rules = rulesOf(state.rules);
  if (state.phase === "game-over") {
    return ["game-over"];
  }
  if (move.move === "deal") {
    return chanceToAct(state) ? dealReasons(rules, state, move) : ["wrong-phase"];
  }
  const kinds = { passing: "pass", exposing: "expose", playing: "play", "choosing-moon": "choose-moon" };
  if (chanceToAct(state) || move.move !== kinds[state.phase]) {
    return ["wrong-phase"];
  }
  if (!rules.seats.includes(move.seat)) {
    return ["no-such-seat"];
  }
  if (state.phase === "passing" && move.move === "pass") {
    const again: Code[] = state.passes[move.seat] === null ? [] : ["already-passed"];
    return [...again, ...passReasons(rules, state, move)];
  }
  if (state.phase === "exposing" && move.move === "expose") {
    return exposeReasons(rules, state, move);
  }
  if (state.phase === "playing" && move.move === "play") {
    const early: Code[] = move.seat === state.turn ? [] : ["not-your-turn"];
    if (!bagAt(state.hands, move.seat).includes(move.card)) {
      return [...early, "not-in-hand"];
    }
    return early.length > 0 ? early : (judged(state).get(move.card) ?? []);
  }
  const found: Code[] = [];
  if (state.phase === "choosing-moon" && move.move === "choose-moon") {
    found.push(...when(move.seat !== state.shooter, "not-the-shooter"));
    found.push(...when(move.effect !== "others-up" && move.effect !== "shooter-down", "no-such-effect"));
  }
  return found;
}

const when = (holds: boolean, code: Code): Code[] => (holds ? [code] : []);
const lacks = (hand: readonly Card[], cards: readonly Card[]): boolean =>
  facesOf(cards).some((card) => countOf(cards, card) > countOf(hand, card));

function dealReasons(rules: Rules, state: AwaitingDeal | DealingBack, { hands, kitty }: MoveOf<"deal">): Code[] {
  if (state.phase === "awaiting-deal" && state.deal_number >= MOST_DEALS) {
    return ["too-many-deals"];
  }
  const { cards, due, rest } = toDeal(rules, state);
  const sizes = hands.map((hand) => cardsOf(hand).length);
  const right = hands.length === rules.players && due.every((count, seat) => sizes[seat] === count) &&
    cardsOf(kitty).length === rest && bagOf([...hands, kitty].flatMap(cardsOf)) === bagOf(cards);
  return when(!right, "bad-deal");
}

/** What chance deals, how many cards to each seat, and how many are left over. */
function toDeal(rules: Rules, state: AwaitingDeal | DealingBack): { cards: Card[]; due: number[]; rest: number } {
  if (state.phase === "awaiting-deal") {
    return { cards: [...rules.deck], due: rules.seats.map(() => rules.cardsPerHand), rest: rules.kittySize };
  }
  const laid = state.passes.map((gifts) => (moves(rules, state.passes) ? gifts.flatMap(cardsOf) : []));
  return { cards: sorted(laid.flat()), due: laid.map((cards) => cards.length), rest: 0 };
}

function passReasons(rules: Rules, state: Passing, { seat, cards: gifts }: MoveOf<"pass">): Code[] {
  const plan = rules.passPlan(state.deal_number);
  if (gifts.length === 0) {
    return when(rules.pass_optional === "no" && !anyNumber(plan), "may-not-decline");
  }
  const found: Code[] = [];
  if (gifts.length !== plan.length) {
    found.push("wrong-number-of-cards");
  } else {
    gifts.forEach((gift, place) => {
      const count = at(plan, place)[1];
      const size = cardsOf(gift).length;
      found.push(...when(count === ANY_NUMBER ? size === 0 : size !== count, "wrong-number-of-cards"));
    });
  }
  const hand = bagAt(state.hands, seat);
  const cards = gifts.flatMap(cardsOf);
  found.push(...when(lacks(hand, cards), "not-in-hand"));
  return [...found, ...when(cards.some((card) => rules.unpassableCards.includes(card)), "card-may-not-be-passed")];
}

function exposeReasons(rules: Rules, state: Exposing, { seat, cards: bag }: MoveOf<"expose">): Code[] {
  const turn = turnToShow(rules, state);
  const decided = state.exposures[seat] !== null;
  const cards = cardsOf(bag);
  const foreign = cards.some((card) => !rules.exposableCards.includes(card));
  const again = cards.some((card) => bagAt(state.exposed ?? [], seat).includes(card));
  return [
    ...when(!decided && turn !== null && turn !== seat, "not-your-turn"),
    ...when(decided, "already-decided"),
    ...when(lacks(bagAt(state.hands, seat), cards), "not-in-hand"),
    ...when(foreign, "not-exposable"),
    ...when(again, "already-exposed"),
  ];
}

// -------------------------------------------------------------------------------------------------- what follows a move

/** A deal by the seeded shuffle: of the pack, or of the pile in the middle. */
export function dealFor(state: AwaitingDeal | DealingBack, seed: string): MoveOf<"deal"> {
  const rules = rulesOf(state.rules);
  const { cards, due } = toDeal(rules, state);
  const label = state.phase === "awaiting-deal" ? "deal" : "middle";
  const pack = shuffled(cards, seed, `${label} ${state.deal_number}`);
  return { move: "deal", ...dealOut(rules, pack, due, state.deal_number) };
}

/** The state after a move, and what happened. Throws `RangeError` for a move that the rules refuse. */
export function transition(state: State, move: Move): Transition {
  const against = reasons(state, move);
  if (against.length > 0) {
    throw new RangeError(`the rules refuse the move: ${against.join(", ")}`);
  }
  const rules = rulesOf(state.rules);
  const events: Event[] = [];
  return { state: after(rules, state, move, events), events };
}

function after(rules: Rules, state: State, move: Move, events: Event[]): State {
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
    return scored(rules, state, state.last_deal, effect as Effect, events);
  }
  throw new RangeError("the move is of another phase");
}

function deal(rules: Rules, state: AwaitingDeal, { hands, kitty }: MoveOf<"deal">, events: Event[]): State {
  events.push({ code: "cards-dealt", hands, kitty });
  const dealt = { ...common(state), has_full_history: state.first === 0, hands: hands.map(ordered), kitty: ordered(kitty) };
  if (showsBeforePass(rules, state.deal_number)) {
    return { ...dealt, phase: "exposing", passes: [], exposures: rules.seats.map(() => null) };
  }
  return toPass(rules, dealt, events);
}

const ordered = (bag: Bag): Bag => bagOf(cardsOf(bag));
type Dealt = Common & { hands: Bag[]; kitty: Bag };

function toPass(rules: Rules, dealt: Dealt, events: Event[]): State {
  if (rules.passPlan(dealt.deal_number).length === 0) {
    return toExpose(rules, { ...dealt, passes: [] }, events);
  }
  return { ...dealt, phase: "passing", passes: rules.seats.map(() => null) };
}

function pass(rules: Rules, state: Passing, { seat, cards: gifts }: MoveOf<"pass">, events: Event[]): State {
  const passes = state.passes.map((own, owner) => (owner === seat ? gifts.map(ordered) : own));
  events.push({ code: "pass-committed", seat, cards: gifts });
  const all = passes.filter((gifts) => gifts !== null);
  if (all.length < passes.length) {
    return { ...state, passes };
  }
  if (throughMiddle(rules.passPlan(state.deal_number))) {
    return { ...state, phase: "dealing-back", passes: all };
  }
  return exchange(rules, state, all, null, events);
}

/** Whether any cards move: not if one declines where all have to agree (pass_optional.3). */
const moves = (rules: Rules, passes: readonly Gifts[]): boolean =>
  rules.pass_optional !== "unanimous" || passes.every((gifts) => gifts.length > 0);

/** By seat what was passed and received, and how many cards were committed. Cards that stay count as neither. */
export function passed(
  rules: Rules, dealNumber: number, passes: readonly Gifts[], dealtBack: readonly Bag[] | undefined,
): { passed: Bag[]; received: Bag[]; counts: number[] } {
  const given: Card[][] = rules.seats.map(() => []);
  const got: Card[][] = rules.seats.map(() => []);
  const counts = passes.map((gifts) => gifts.flatMap(cardsOf).length);
  const takesPart = (seat: number): boolean => rules.pass_optional !== "skip" || at(passes, seat).length > 0;
  if (!moves(rules, passes)) {
    return { passed: given.map(bagOf), received: got.map(bagOf), counts };
  }
  if (dealtBack !== undefined) {
    rules.seats.forEach((seat) => {
      at(given, seat).push(...at(passes, seat).flatMap(cardsOf));
      at(got, seat).push(...bagAt(dealtBack, seat));
    });
  } else {
    passes.forEach((gifts, giver) => gifts.forEach((gift, place) => {
      const offset = at(rules.passPlan(dealNumber), place)[0];
      let taker = seatAt(rules, giver, offset);
      while (!takesPart(taker)) {
        taker = seatAt(rules, taker, offset);
      }
      if (taker !== giver) {
        at(given, giver).push(...cardsOf(gift));
        at(got, taker).push(...cardsOf(gift));
      }
    }));
  }
  return { passed: given.map(bagOf), received: got.map(bagOf), counts };
}

/** The cards change hands: the gifts, or the pile in the middle that is dealt back. */
function exchange(
  rules: Rules, state: Passing | DealingBack, passes: Gifts[], dealtBack: Bag[] | null, events: Event[],
): State {
  const moved = passed(rules, state.deal_number, passes, dealtBack ?? undefined);
  events.push({ code: "cards-passed", ...moved });
  const hands = state.hands.map((hand, seat) =>
    bagOf([...without(cardsOf(hand), bagAt(moved.passed, seat)), ...bagAt(moved.received, seat)]));
  const back = dealtBack === null ? {} : { dealt_back: dealtBack.map(ordered) };
  return toExpose(rules, { ...common(state), hands, kitty: state.kitty, passes, ...back }, events);
}

type Exchanged = Dealt & { passes: Gifts[]; dealt_back?: Bag[] };

function toExpose(rules: Rules, dealt: Exchanged, events: Event[]): State {
  if (rules.exposableCards.length === 0) {
    return firstLead(rules, dealt, [], events);
  }
  return { ...dealt, phase: "exposing", exposures: rules.seats.map(() => null) };
}

/** Whether the pass follows if nobody shows a card. */
export const beforePass = (rules: Rules, { passes, deal_number }: Pick<Exposing, "passes" | "deal_number">): boolean =>
  passes.length === 0 && showsBeforePass(rules, deal_number);

function expose(rules: Rules, state: Exposing, { seat, cards }: MoveOf<"expose">, events: Event[]): State {
  const inRounds = rules.exposure === "rounds" || rules.exposure === "rounds-in-turn";
  const together = rules.exposure === "together";
  const { exposures: before, exposed: open, ...rest } = state;
  const own = bagOf([...bagAt(open ?? [], seat), ...cardsOf(cards)]);
  const again = inRounds && cards !== "";
  const exposures = before.map((exposed, owner) => (owner === seat ? own : again ? null : exposed));
  const lying = rules.seats.map((owner) => (owner === seat ? own : (open?.[owner] ?? "")));
  events.push({ code: together ? "exposure-committed" : "cards-exposed", seat, cards });
  if (exposures.includes(null)) {
    return { ...rest, exposures, ...(inRounds && lying.some((bag) => bag !== "") ? { exposed: lying } : {}) };
  }
  const exposed = inRounds ? lying : exposures.map((bag) => bag ?? "");
  const any = exposed.some((bag) => bag !== "");
  if (together) {
    exposed.forEach((bag, owner) => bag === "" || events.push({ code: "cards-exposed", seat: owner, cards: bag }));
  }
  const { hands, kitty, passes, dealt_back } = state;
  if (beforePass(rules, state) && !any) {
    return toPass(rules, { ...common(state), hands, kitty }, events);
  }
  const back = dealt_back === undefined ? {} : { dealt_back };
  return firstLead(rules, { ...common(state), hands, kitty, passes, ...back }, any ? exposed : [], events);
}

/** The play begins (section 3). */
function firstLead(rules: Rules, dealt: Exchanged, exposed: Bag[], events: Event[]): State {
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

/** The holder of the lowest card of a suit in any hand, the first from a seat on. */
function holderOfLowest(rules: Rules, hands: readonly Bag[], suit: string, first: number): number {
  const lowest = sorted(hands.flatMap(cardsOf)).find((card) => suitOf(card) === suit);
  const seats = rules.seats.map((_, place) => seatAt(rules, first, place));
  return seats.find((seat) => lowest !== undefined && bagAt(hands, seat).includes(lowest)) ?? first;
}

function play(rules: Rules, state: Playing, { seat, card }: MoveOf<"play">, events: Event[]): State {
  const trick = [...state.trick, card];
  const breaks = !state.hearts_broken && breaksHearts(rules, card, state.trick);
  events.push({ code: "card-played", seat, card });
  if (breaks) {
    events.push({ code: "hearts-broken", seat, card });
  }
  const hands = state.hands.map((hand, owner) => (owner === seat ? bagOf(without(cardsOf(hand), [card])) : hand));
  const played: Playing = {
    ...state, hands, trick, turn: seatAt(rules, seat, 1), hearts_broken: state.hearts_broken || breaks,
  };
  if (trick.length < rules.players) {
    return played;
  }
  const place = winningPlace(rules, trick);
  const last = hands.every((hand) => hand === "");
  let winner = place === null ? null : seatAt(rules, state.leader, place);
  if (winner === null && last && rules.void_last_trick === "leader") {
    winner = state.leader;
  }
  const { kitty, passes, dealt_back, exposed, resumed_from } = state;
  const back = dealt_back === undefined ? {} : { dealt_back };
  const tricks = [...state.tricks, { leader: state.leader, plays: trick, winner }];
  const record: DealRecord = { kitty, passes, ...back, exposed, tricks, resumed_from };
  const before = tableOf(rules, { ...record, tricks: state.tricks }, false);
  const now = tableOf(rules, record, last);
  if (winner === null) {
    events.push({ code: "trick-void", cards: bagOf(now.setAside) });
  } else {
    events.push({ code: "trick-won", winner, cards: bagOf([...before.setAside, ...trick]) });
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

/** What lies before the players after the completed tricks of a deal. */
export interface Table {
  /** By seat, the captured cards, the kitty's with its taker. */
  piles: Card[][];
  tricksWon: number[];
  /** The cards of tricks that nobody won. */
  setAside: Card[];
  kittyWinner: number | null;
  /** How many tricks were completed. */
  tricks: number;
}

/** Go through the completed tricks (7, 8). `over` says whether the last of them is the last of the deal. */
export function tableOf(rules: Rules, { kitty, tricks, resumed_from }: DealRecord, over: boolean): Table {
  const piles = rules.seats.map((seat) => bagAt(resumed_from?.captured ?? [], seat));
  const tricksWon = rules.seats.map((seat) => resumed_from?.tricks_won[seat] ?? 0);
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

function takesKitty(rules: Rules, won: readonly Card[], last: boolean): boolean {
  switch (rules.kitty) {
    case "none":
      return false;
    case "first-trick":
      return true;
    case "first-point":
      return won.some((card) => rules.penalty(card) > 0);
    case "first-heart":
      return won.some(isHeart);
    case "last-trick":
      return last;
  }
}

/** A deal that is over, as it is scored. */
export function outcomeOf(rules: Rules, state: State, record: DealRecord): Outcome {
  const { piles, tricksWon, setAside } = tableOf(rules, record, true);
  return {
    piles, tricksWon, leftOver: setAside.length > 0, exposed: record.exposed, totals: state.scores,
    dealNumber: state.deal_number,
  };
}

/** What follows a deal: the next one, or the end. */
function scored(rules: Rules, state: State, record: DealRecord, chosen: Effect | null, events: Event[]): State {
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
