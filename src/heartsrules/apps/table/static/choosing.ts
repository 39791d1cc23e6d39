/** Choosing cards to pass or to show: what is chosen so far, and the reasons against each card. */

import { cardsOf } from "./cards.ts";
import { preference } from "./storage.ts";
import type { Card, Move, PassOptions, Reason, Shown } from "./types.ts";

export interface Choosing {
  /** By transfer, the chosen places in the hand. What is shown is the only one. */
  gifts: number[][];
  /** The transfer that the next card goes into. */
  gift: number;
  options: PassOptions | null;
  /** While the question about the options is pending, the transfers before the last change. */
  asked: number[][] | null;
}
export const NOTHING: Choosing = { gifts: [], gift: 0, options: null, asked: null };

export const started = ({ view, facts, choice: { options } }: Shown): Choosing =>
  ({ ...NOTHING, gifts: view.phase === "exposing" ? [[]] : facts.plan.map(() => []), options });

const RANKS = "23456789TJQKA";
const SUITS = "CDSH";
/** By preference, the key that the cards of a hand are sorted by; `suits` is the order of the server. */
const KEYS: Record<string, (card: Card) => number> = {
  high: (card) => SUITS.indexOf(card[1]) * 13 - RANKS.indexOf(card[0]),
  ranks: (card) => RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1]),
};

export function sorted(cards: Card[], order = preference("sorting")): Card[] {
  const key = KEYS[order];
  return key ? cards.toSorted((one, other) => key(one) - key(other)) : cards;
}

/** The cards of the hand, in the order in which they are shown. */
export const handOf = ({ view }: Pick<Shown, "view">): Card[] => sorted(cardsOf(view.hand));

/** The cards of the hand that may be played or shown. */
export const free = ({ view, choice }: Pick<Shown, "view" | "choice">): Card[] =>
  handOf({ view }).filter((card) => choice.cards[card]?.length === 0);

/** The server's reasons against choosing a card at a place; empty if there are none. */
export function against({ view, choice }: Shown, { gifts, gift, options }: Choosing, card: Card, at: number): Reason[] {
  const passing = view.phase === "passing" && choice.mine;
  // A card that is chosen may always be taken back.
  if (passing && gifts.some((places) => places.includes(at))) return [];
  const found = passing ? options?.cards[gift]?.[card] : choice.cards[card];
  return (found ?? []).map((each) => (passing && options ? options : choice).reasons[each]);
}

export function toggled(choosing: Choosing, at: number): Choosing {
  const of = choosing.gifts.findIndex((places) => places.includes(at));
  const gift = of >= 0 ? of : choosing.gift;
  const places = choosing.gifts[gift] ?? [];
  return { ...choosing, gift, gifts: choosing.gifts.with(gift, of >= 0 ? places.filter((each) => each !== at) : [...places, at]) };
}

/** The choice after the answer about its options; without options, the last change was refused. */
export function answered(choosing: Choosing, options: PassOptions | null): Choosing {
  const now = { ...choosing, asked: null, ...(options ? { options } : { gifts: choosing.asked ?? [] }) };
  const missing = now.options?.missing ?? [];
  if (!missing[now.gift]) now.gift = Math.max(0, missing.findIndex((count) => count > 0));
  return now;
}

export const passOf = ({ gifts }: Choosing, hand: Card[]): Move =>
  ({ move: "pass", cards: gifts.map((places) => places.map((at) => hand[at]).join(" ")) });
