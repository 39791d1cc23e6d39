/** What somebody has chosen for every table of this browser. */

import { get, set } from "./storage.ts";

const DEFAULTS = { sound: "off", phrases: "on", notify: "off", speed: "usual", colours: "two", sorting: "suits", forced: "off", claim: "off", keys: "on", motion: "on" };
export type Preference = keyof typeof DEFAULTS;

const listeners = new Set<(name: Preference) => void>();

/** The value of a preference. */
export const preference = (name: Preference): string => get(name === "motion" ? name : `prefers-${name}`) ?? DEFAULTS[name];

/** Whether a preference that is on or off is on. */
export const prefers = (name: Preference): boolean => preference(name) === "on";

/** Set a preference, and call all listeners. */
export function prefer(name: Preference, value: string): void {
  set(name === "motion" ? name : `prefers-${name}`, value);
  apply();
  for (const listener of listeners) listener(name);
}

/** Call a function after each change; the result ends that. */
export function onPreference(listener: (name: Preference) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Apply what a style sheet shows. */
export function apply(): void {
  document.documentElement.toggleAttribute("data-four-colours", preference("colours") === "four");
  document.documentElement.toggleAttribute("data-still", !prefers("motion"));
}

const RANKS = "23456789TJQKA";
const SUITS = "CDSH";
/** By preference, the key that the cards of a hand are sorted by; `suits` is the order of the server. */
const KEYS: Record<string, (card: string) => number> = {
  high: (card) => SUITS.indexOf(card[1]) * 13 - RANKS.indexOf(card[0]),
  ranks: (card) => RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1]),
};

/** The cards in the order that somebody prefers. */
export function sorted<Card extends string>(cards: Card[], order = preference("sorting")): Card[] {
  const key = KEYS[order];
  return key ? cards.toSorted((one, other) => key(one) - key(other)) : cards;
}
