/** The order of the cards in a hand. */

import { preference } from "./preferences.js";

const RANKS = "23456789TJQKA";
const SUITS = "CDSH";

/** By preference, the key that cards are sorted by; `suits` is the order of the server. @type {Record<string, (card: string) => number>} */
const KEYS = {
  high: (card) => SUITS.indexOf(card[1]) * 13 - RANKS.indexOf(card[0]),
  ranks: (card) => RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1]),
};

/**
 * The cards in the order that somebody prefers.
 * @param {string[]} cards
 */
export function sorted(cards) {
  const key = KEYS[preference("sorting")];
  return key ? cards.toSorted((one, other) => key(one) - key(other)) : cards;
}
