// The options of a rule set, and what follows from them. Section numbers are those of docs/reference/rules.md.

import { at, cardsOf, FACES, isHeart, QUEEN, RANKS, rankOf, without } from "./cards.js";
import type { Bag, Card } from "./cards.js";

/** What everybody passes in one deal: for each gift how far to the left it goes, and how many cards it has. */
export type PassPlan = readonly (readonly [offset: number, count: number])[];

/** A step of the pass cycle: a plan in which the offset to the seat opposite may be written "across". */
export type PassStep = readonly (readonly [offset: number | "across", count: number])[];
/** The count of a gift of any number of cards, which goes to the middle. */
export const ANY_NUMBER = 0;

export type Moon =
  | "off" | "others-up" | "shooter-down" | "both" | "others-pay" | "shooter-to-zero" | "shooter-wins"
  | "choice" | "auto-save" | "auto-extend";

/** The options of a rule set, as the wire format writes them. */
export interface Options {
  players: number;
  decks: number;
  removed: Bag;
  hand_size: number | null;
  kitty: "none" | "first-trick" | "first-point" | "first-heart" | "last-trick";
  kitty_shown_to: "taker" | "nobody" | "everybody";
  teams: number;
  first_dealer: number;
  pass_cycle: readonly PassStep[];
  pass_optional: "no" | "skip" | "unanimous";
  unpassable: Bag;
  exposable: Bag;
  exposure: "together" | "in-turn" | "rounds" | "rounds-in-turn";
  expose_before_pass: "never" | "middle" | "always";
  exposed_card_play: "free" | "wait-in-suit" | "wait-on-lead";
  opening_leader: "lowest-club" | "dealer-left" | "queen-taker";
  opening_card: "lowest-club" | "any-club" | "non-point" | "any" | "unrestricted";
  first_trick: "no-points" | "no-hearts" | "no-scoring" | "free";
  hearts_lead: "when-broken" | "points-when-broken" | "any-time";
  hearts_break: "played" | "not-led" | "discarded" | "never";
  queen_breaks: "never" | "led" | "discarded" | "played";
  heart_lead_spares_queen: boolean;
  compulsory: "no" | "discard" | "safe" | "not-lead" | "always";
  compulsory_cards: Bag;
  queen_discard_after_hearts: boolean;
  duplicates: "cancel" | "first-wins" | "last-wins";
  two_pairs_void: boolean;
  void_last_trick: "nobody" | "leader";
  heart_values: "one" | "spot" | "face" | "pips" | readonly number[];
  queen_points: number;
  extra_penalties: readonly (readonly [card: Card, points: number])[];
  bonuses: readonly { readonly card: Card; readonly points: number }[];
  bonus_floor: "none" | "deal" | "total";
  doubler: { readonly card: Card; readonly factor: number; readonly alone: number } | null;
  no_tricks_bonus: number;
  no_tricks_bonus_on_moon: boolean;
  total_floor: boolean;
  moon: Moon;
  moon_cards: "all" | "hearts-and-queen" | "hearts" | "every-card";
  moon_points: number | null;
  moon_factor: number;
  moon_needs_bonus: boolean;
  moon_scope: "player" | "team";
  sun: boolean;
  sun_scope: "player" | "team";
  sun_points: number | null;
  target: number | null;
  target_test: "reached" | "exceeded" | "exact-wins";
  target_scope: "side" | "player";
  bonus_target: number | null;
  max_deals: number | null;
  exact_resets: readonly (readonly [total: number, lower: number])[];
  tie: "extra-deal" | "shared";
  score_display: "penalty" | "negative" | "countdown";
}

/** A rule set as a document has it: the options that differ from the defaults. */
export type RulesDocument = Partial<Options>;

const LEFT: PassStep = [[1, 3]];
const RIGHT: PassStep = [[-1, 3]];
const ACROSS: PassStep = [["across", 3]];

function defaults(players: number): Options {
  return {
    players, decks: 1, removed: "", hand_size: null, kitty: "none", kitty_shown_to: "taker", teams: 0, first_dealer: 0,
    pass_cycle: players % 2 === 0 ? [LEFT, RIGHT, ACROSS, []] : [LEFT, RIGHT, []], pass_optional: "no", unpassable: "",
    exposable: "", exposure: "together", expose_before_pass: "never", exposed_card_play: "wait-in-suit",
    opening_leader: "lowest-club", opening_card: "lowest-club", first_trick: "no-points", hearts_lead: "when-broken",
    hearts_break: "played", queen_breaks: "never", heart_lead_spares_queen: false, compulsory: "no",
    compulsory_cards: QUEEN, queen_discard_after_hearts: false, duplicates: "cancel", two_pairs_void: false,
    void_last_trick: "nobody", heart_values: "one", queen_points: 13, extra_penalties: [], bonuses: [],
    bonus_floor: "none", doubler: null, no_tricks_bonus: 0, no_tricks_bonus_on_moon: true, total_floor: false,
    moon: "others-up", moon_cards: "all", moon_points: null, moon_factor: 1, moon_needs_bonus: false,
    moon_scope: "player", sun: false, sun_scope: "team", sun_points: null, target: 100, target_test: "reached", target_scope: "side",
    bonus_target: null, max_deals: null, exact_resets: [], tie: "extra-deal", score_display: "penalty",
  };
}

const HEART_VALUES = {
  one: RANKS.split("").map(() => 1),
  spot: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
  face: [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5],
  pips: [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10],
};

/** A rule set with what follows from its options. */
export interface Rules extends Options {
  /** The cards in play, in card order. */
  readonly deck: readonly Card[];
  readonly cardsPerHand: number;
  readonly kittySize: number;
  readonly seats: readonly number[];
  /** The seats of each team, or of each player alone. */
  readonly sides: readonly (readonly number[])[];
  readonly exposableCards: readonly Card[];
  readonly compulsoryCards: readonly Card[];
  readonly unpassableCards: readonly Card[];
  /** The penalty value of a card, before any is shown (5.17, 5.19). */
  penalty(card: Card): number;
  isBonus(card: Card): boolean;
  /** Whether a card is a penalty card, a heart or a bonus card (5.18). */
  isScoring(card: Card): boolean;
  sideOf(seat: number): number;
  /** The dealer of a deal (1.3). */
  dealer(dealNumber: number): number;
  passPlan(dealNumber: number): PassPlan;
}

const compiled = new WeakMap<RulesDocument, Rules>();

/** Fill in the defaults, and work out what follows. A rule set is taken as valid. */
export function rulesOf(document: RulesDocument): Rules {
  const found = compiled.get(document);
  if (found !== undefined) {
    return found;
  }
  const options: Options = { ...defaults(document.players ?? 4), ...document };
  const { players, teams } = options;
  const all = FACES.flatMap((card) => Array.from({ length: options.decks }, () => card));
  const deck = without(all, cardsOf(options.removed));
  const cardsPerHand = options.hand_size ?? Math.floor(deck.length / players);
  const hearts = typeof options.heart_values === "string" ? HEART_VALUES[options.heart_values] : options.heart_values;
  const penalties = new Map(FACES.map((card) => [card, isHeart(card) ? at(hearts, rankOf(card)) : 0]));
  penalties.set(QUEEN, options.queen_points);
  for (const [card, points] of options.extra_penalties) {
    penalties.set(card, (penalties.get(card) ?? 0) + points);
  }
  const seats = [...Array(players).keys()];
  const count = teams || players;
  const penalty = (card: Card): number => penalties.get(card) ?? 0;
  const isBonus = (card: Card): boolean => options.bonuses.some((bonus) => bonus.card === card);
  const rules: Rules = {
    ...options, deck, cardsPerHand, kittySize: deck.length - players * cardsPerHand, seats,
    sides: [...Array(count).keys()].map((side) => seats.filter((seat) => seat % count === side)),
    exposableCards: cardsOf(options.exposable),
    compulsoryCards: cardsOf(options.compulsory_cards),
    unpassableCards: cardsOf(options.unpassable),
    penalty,
    isBonus,
    isScoring: (card) => penalty(card) > 0 || isHeart(card) || isBonus(card),
    sideOf: (seat) => seat % count,
    dealer: (dealNumber) => (options.first_dealer + dealNumber) % players,
    passPlan: (dealNumber) =>
      at(options.pass_cycle, dealNumber % options.pass_cycle.length)
        .map(([offset, count]) => [offset === "across" ? options.players / 2 : offset, count]),
  };
  compiled.set(document, rules);
  return rules;
}

export const throughMiddle = (plan: PassPlan): boolean => plan.some(([offset]) => offset === 0);
export const anyNumber = (plan: PassPlan): boolean => plan.some(([, count]) => count === ANY_NUMBER);
/** A seat so many places to the left of another, or to the right for a negative offset. */
export const seatAt = (rules: Rules, seat: number, offset: number): number =>
  (seat + offset + rules.players) % rules.players;

/** Whether cards are shown before the pass in this deal (expose_before_pass.1). */
export function showsBeforePass(rules: Rules, dealNumber: number): boolean {
  const plan = rules.passPlan(dealNumber);
  if (rules.exposableCards.length === 0 || plan.length === 0) {
    return false;
  }
  return rules.expose_before_pass === "always" || (rules.expose_before_pass === "middle" && throughMiddle(plan));
}
