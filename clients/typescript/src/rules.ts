// The options of a rule set, and what follows from them. Section numbers are those of docs/reference/rules.md.

import { at, cardsOf, FACES, isHeart, QUEEN, RANKS, rankOf, without } from "./cards.js";
import type { Card, Rules, RulesWire } from "./documents.js";

/** The pass of one deal: for each recipient its distance to the left, and the number of cards for it. */
export type PassPlan = readonly (readonly [offset: number, count: number])[];

/** The number of cards of a plan in which any number of cards goes to the middle. */
export const ANY_NUMBER = 0;

type Options = Required<RulesWire>;
type PassStep = Options["pass_cycle"][number];

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

/** A rule set with everything that follows from its options. */
export interface ResolvedRules extends Options {
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
  /** Return the penalty value of a card, before any is exposed (5.17, 5.19). */
  penalty(card: Card): number;
  isBonus(card: Card): boolean;
  /** True for a penalty card, a heart or a bonus card (5.18). */
  isScoring(card: Card): boolean;
  sideOf(seat: number): number;
  /** Return the dealer of a deal (1.3). */
  dealer(dealNumber: number): number;
  passPlan(dealNumber: number): PassPlan;
}

const resolved = new WeakMap<RulesWire, ResolvedRules>();

/** Fill in the defaults of a valid rule set, and compute what follows from its options. */
export function rulesOf(document: Rules | RulesWire): ResolvedRules {
  const found = resolved.get(document);
  if (found !== undefined) {
    return found;
  }
  const options: Options = { ...defaults(document.players ?? 4), ...wireOf(document) };
  const { players, teams } = options;
  const all = FACES.flatMap((card) => Array.from({ length: options.decks }, () => card));
  const deck = without(all, cardsOf(options.removed));
  const cardsPerHand = options.hand_size ?? Math.floor(deck.length / players);
  const hearts = typeof options.heart_values === "string" ? HEART_VALUES[options.heart_values] : options.heart_values;
  const penalties = new Map<Card, number>(FACES.map((card) => [card, isHeart(card) ? at(hearts, rankOf(card)) : 0]));
  penalties.set(QUEEN, options.queen_points);
  for (const [card, points] of options.extra_penalties) {
    penalties.set(card, (penalties.get(card) ?? 0) + points);
  }
  const seats = [...Array(players).keys()];
  const count = teams || players;
  const penalty = (card: Card): number => penalties.get(card) ?? 0;
  const isBonus = (card: Card): boolean => options.bonuses.some((bonus) => bonus.card === card);
  const rules: ResolvedRules = {
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
  resolved.set(document, rules);
  return rules;
}

/** Remove the envelope of a rule set. */
export function wireOf(document: Rules | RulesWire): RulesWire {
  const { heartsrules, kind, ...rest } = document as Partial<Rules>;
  return rest;
}

export const throughMiddle = (plan: PassPlan): boolean => plan.some(([offset]) => offset === 0);
export const anyNumber = (plan: PassPlan): boolean => plan.some(([, count]) => count === ANY_NUMBER);
/** Return the seat at a distance to the left of another, or to the right if it is negative. */
export const seatAt = (rules: ResolvedRules, seat: number, offset: number): number =>
  (seat + offset + rules.players) % rules.players;

/** Return true if cards are exposed before the pass in this deal (expose_before_pass.1). */
export function exposesBeforePass(rules: ResolvedRules, dealNumber: number): boolean {
  const plan = rules.passPlan(dealNumber);
  if (rules.exposableCards.length === 0 || plan.length === 0) {
    return false;
  }
  return rules.expose_before_pass === "always" || (rules.expose_before_pass === "middle" && throughMiddle(plan));
}
