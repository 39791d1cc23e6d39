/** Choosing cards to pass or to show: what is chosen so far, and the reasons against each card. */

import { cardsOf } from "./cards.ts";
import { sorted } from "./preferences.ts";
import type { Card, Move, PassOptions, Reason, Shown } from "./types.ts";

export interface Choosing {
  /** By transfer, the chosen places in the hand. What is shown is the only one. */
  gifts: number[][];
  /** The transfer that the next card goes into. */
  gift: number;
  options: PassOptions | null;
  /** The pending question about the options, with the choice before it. */
  asked: { id: number; gifts: number[][] } | null;
}

export const NOTHING: Choosing = { gifts: [], gift: 0, options: null, asked: null };

/** The choice at the beginning of a question. */
export function started({ view, facts, choice }: Shown): Choosing {
  return { gifts: view.phase === "exposing" ? [[]] : facts.plan.map(() => []), gift: 0, options: choice.options, asked: null };
}

/** The cards of the hand, in the order in which they are shown. */
export const handOf = ({ view }: Pick<Shown, "view">, order?: string): Card[] => sorted(cardsOf(view.hand), order);

const reasonsOf = (reasons: readonly Reason[], against: readonly number[] = []): Reason[] => against.map((each) => reasons[each]);

/** The cards of the hand that may be played or shown. */
export const free = ({ view, choice }: Pick<Shown, "view" | "choice">): Card[] => handOf({ view }).filter((card) => choice.cards[card]?.length === 0);

/** The server's reasons against choosing a card at a place; empty if there are none. */
export function against({ view, choice }: Shown, { gifts, gift, options }: Choosing, card: Card, at: number): Reason[] {
  if (view.phase !== "passing" || !choice.mine) return reasonsOf(choice.reasons, choice.cards[card]);
  // A card that is chosen may always be taken back.
  return gifts.some((places) => places.includes(at)) || !options ? [] : reasonsOf(options.reasons, options.cards[gift]?.[card]);
}

/** The choice after a card was pressed. */
export function toggled(choosing: Choosing, at: number): Choosing {
  const of = choosing.gifts.findIndex((places) => places.includes(at));
  const gift = of >= 0 ? of : choosing.gift;
  const gifts = choosing.gifts.map((places, each) => (each !== gift ? places : of >= 0 ? places.filter((place) => place !== at) : [...places, at]));
  return { ...choosing, gifts, gift };
}

/** The choice after the answer about its options; without options, the last change was refused. */
export function answered(choosing: Choosing, options: PassOptions | null, id: number | null): Choosing {
  const { asked } = choosing;
  if (!asked || (id !== null && asked.id !== id)) return choosing;
  const now = { ...choosing, asked: null, options: options ?? choosing.options, gifts: options ? choosing.gifts : asked.gifts };
  const missing = now.options?.missing ?? [];
  if (!missing[now.gift]) now.gift = Math.max(0, missing.findIndex((count) => count > 0));
  return now;
}

/** The chosen pass as a move, complete or not. */
export function passOf({ gifts }: Choosing, hand: Card[]): Move {
  return { move: "pass", cards: gifts.map((places) => places.map((at) => hand[at]).join(" ")) };
}
