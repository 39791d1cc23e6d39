// Cards and multisets of cards, as the wire format writes them.

import type { Card, Cards, Rank, Suit } from "./documents.js";

export const SUITS = "CDSH";
export const RANKS = "23456789TJQKA";
export const QUEEN: Card = "QS";

/** All 52 cards in card order: clubs, diamonds, spades, hearts, and in each suit from 2 to ace. */
export const FACES: readonly Card[] = [...SUITS].flatMap((suit) =>
  [...RANKS].map((rank): Card => `${rank as Rank}${suit as Suit}`));
const PLACES = new Map<string, number>(FACES.map((card, place) => [card, place]));

export const placeOf = (card: Card): number => PLACES.get(card) ?? -1;
export const suitOf = (card: Card): Suit => card.charAt(1) as Suit;
export const rankOf = (card: Card): number => placeOf(card) % RANKS.length;
export const isHeart = (card: Card): boolean => suitOf(card) === "H";

export const cardsOf = (cards: Cards): Card[] => (cards === "" ? [] : (cards.split(" ") as Card[]));
export const cardsAt = (hands: ReadonlyArray<Cards | null>, seat: number): Card[] => cardsOf(hands[seat] ?? "");
export const sorted = (cards: readonly Card[]): Card[] =>
  [...cards].sort((one, other) => placeOf(one) - placeOf(other));
export const textOf = (cards: readonly Card[]): Cards => sorted(cards).join(" ");
export const distinct = (cards: readonly Card[]): Card[] => [...new Set(cards)];
export const countOf = (cards: readonly Card[], card: Card): number => cards.filter((other) => other === card).length;

/** Remove the other cards, one copy for one copy. */
export function without(cards: readonly Card[], others: readonly Card[]): Card[] {
  const left = [...cards];
  for (const card of others) {
    const place = left.indexOf(card);
    if (place >= 0) {
      left.splice(place, 1);
    }
  }
  return left;
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Return an item that is known to be there. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) {
    throw new RangeError(`there is no item ${index} of ${items.length}`);
  }
  return item;
}
