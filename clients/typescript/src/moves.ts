// Lists of moves in the order of docs/reference/reproducibility.md. Passes and exposures can be too many to be listed: their number
// is counted, and a move is computed when it is asked for.

import { at, cardsOf, countOf, distinct, sorted, sum, textOf, without } from "./cards.js";
import type { Card, Cards, ExposeDocument, Move, PassDocument } from "./documents.js";
import { anyNumber } from "./rules.js";
import type { PassPlan, ResolvedRules } from "./rules.js";

/** Moves in order. An array is one, too. */
export interface Moves<M extends Move = Move> extends Iterable<M> {
  readonly length: number;
  /** Return the move at an index, counted from the end if it is negative. */
  at(index: number): M | undefined;
}

/** The envelope of a move. */
export const MOVE = { heartsrules: 1, kind: "move" } as const;

function lazy<M extends Move>(length: number, moveAt: (index: number) => M, all: () => Iterable<M>): Moves<M> {
  return {
    length,
    at(index) {
      const place = index < 0 ? length + index : index;
      return Number.isInteger(place) && place >= 0 && place < length ? moveAt(place) : undefined;
    },
    [Symbol.iterator]: () => all()[Symbol.iterator](),
  };
}

/** Join lists of moves. */
export function joined(parts: readonly Moves[]): Moves {
  const length = sum(parts.map((part) => part.length));
  const moveAt = (index: number): Move => {
    let left = index;
    const part = parts.find((part) => left < part.length || ((left -= part.length), false));
    return part?.at(left) as Move;
  };
  return lazy(length, moveAt, function* () {
    for (const part of parts) {
      yield* part;
    }
  });
}

/** List the passes of a hand. */
export function passesOf(
  rules: ResolvedRules, plan: PassPlan, seat: number, hand: readonly Card[],
): Moves<PassDocument> {
  const free = sorted(hand).filter((card) => !rules.unpassableCards.includes(card));
  const pass = (cards: readonly Cards[]): PassDocument => ({ ...MOVE, move: "pass", seat, cards });
  if (anyNumber(plan)) {
    return subsets(free, (cards) => pass(cards === "" ? [] : [cards]));
  }
  const counts = plan.map(([, count]) => count);
  const ways = waysToPass(free, [], counts);
  const declined = rules.pass_optional === "no" ? 0 : 1;
  const moveAt = (index: number): PassDocument => pass(index < ways ? passAt(free, counts, index) : []);
  return lazy(ways + declined, moveAt, function* () {
    for (const cards of allPasses(free, counts)) {
      yield pass(cards);
    }
    if (declined) {
      yield pass([]);
    }
  });
}

/** List the exposures of a hand, some cards of which can be face up already. */
export function exposuresOf(
  rules: ResolvedRules, seat: number, hand: readonly Card[], open: readonly Card[],
): Moves<ExposeDocument> {
  const able = sorted(hand).filter((card) => rules.exposableCards.includes(card) && !open.includes(card));
  return subsets(able, (cards) => ({ ...MOVE, move: "expose", seat, cards }));
}

/** List all subsets, counted like binary numbers over the cards. */
function subsets<M extends Move>(cards: readonly Card[], moveOf: (cards: Cards) => M): Moves<M> {
  const length = 2 ** cards.length;
  const chosen = (index: number): Card[] => cards.filter((_, place) => Math.floor(index / 2 ** place) % 2 === 1);
  const moveAt = (index: number): M => moveOf(textOf(chosen(index)));
  return lazy(length, moveAt, function* () {
    for (let index = 0; index < length; index++) {
      yield moveAt(index);
    }
  });
}

/** List all passes of these numbers of the sorted cards. */
function* allPasses(cards: readonly Card[], [count, ...counts]: readonly number[]): Generator<Cards[]> {
  if (count === undefined) {
    yield [];
    return;
  }
  for (const chosen of choices(cards, count)) {
    for (const rest of allPasses(without(cards, chosen), counts)) {
      yield [textOf(chosen), ...rest];
    }
  }
}

/** List the multisets of this number of the sorted cards, the first card changing last. */
function* choices(cards: readonly Card[], count: number): Generator<Card[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (const [place, card] of cards.entries()) {
    if (cards[place - 1] !== card) {
      for (const rest of choices(cards.slice(place + 1), count - 1)) {
        yield [card, ...rest];
      }
    }
  }
}

/** Return the pass at an index. */
function passAt(cards: readonly Card[], counts: readonly number[], index: number): Cards[] {
  let left = cards;
  return counts.map((count, place) => {
    const later = counts.slice(place + 1);
    const chosen: Card[] = [];
    let [passedOver, tail] = [[] as readonly Card[], left];
    while (chosen.length < count) {
      const [card, after] = [at(tail, 0), tail.slice(1)];
      const ways = waysToPass(after, passedOver, [count - chosen.length - 1, ...later]);
      if (index < ways) {
        chosen.push(card);
        tail = after;
      } else {
        index -= ways;
        // The other copy of the card makes the same passes.
        const copies = tail.filter((other) => other === card);
        [passedOver, tail] = [[...passedOver, ...copies], without(tail, copies)];
      }
    }
    left = without(left, chosen);
    return textOf(chosen);
  });
}

/** Count the passes of these numbers of cards, the first of them of the first cards only. */
function waysToPass(first: readonly Card[], others: readonly Card[], counts: readonly number[]): number {
  const faces = distinct([...first, ...others]);
  if (faces.length === first.length + others.length) {
    const [own = 0, ...rest] = counts;
    let left = faces.length - own;
    return rest.reduce((ways, count) => ways * binomial((left -= count) + count, count), binomial(first.length, own));
  }
  const counted = new Map<string, number>();
  const from = (index: number, counts: readonly number[]): number => {
    const card = faces[index];
    if (card === undefined) {
      return counts.every((count) => count === 0) ? 1 : 0;
    }
    const key = `${index} ${counts}`;
    let ways = counted.get(key);
    if (ways === undefined) {
      const most = countOf(first, card);
      ways = share(index, counts, 0, most, most + countOf(others, card));
      counted.set(key, ways);
    }
    return ways;
  };
  /** Give copies of a card to the recipients from a place on, at most this many to the first. */
  const share = (index: number, counts: readonly number[], place: number, most: number, copies: number): number => {
    if (place === counts.length || copies === 0) {
      return from(index + 1, counts);
    }
    let ways = 0;
    for (let count = 0; count <= Math.min(most, at(counts, place)); count++) {
      const left = counts.map((each, other) => (other === place ? each - count : each));
      ways += share(index, left, place + 1, copies - count, copies - count);
    }
    return ways;
  };
  return from(0, counts);
}

/** Count the choices of some of a number of things. */
function binomial(number: number, chosen: number): number {
  let ways = number < chosen ? 0 : 1;
  for (let place = 1; place <= chosen; place++) {
    ways = (ways * (number - chosen + place)) / place; // always whole
  }
  return ways;
}

/** How a player who has chosen some cards to pass can continue. Arrays have one item for each recipient. */
export interface PassOptions<R> {
  /** The cards that can be added. */
  addable: Cards[];
  /** The number of cards that are still missing; 0 where any number can be passed. */
  missing: number[];
  /** True if the chosen cards are a legal pass. Where any number can be passed, none are the pass without cards. */
  complete: boolean;
  /** Each card of the hand that is not chosen, with the reasons why it cannot be added. */
  reasons: (readonly [card: Card, reasons: R[]])[][];
}

/** The cards of a hand that are in none of the chosen ones, or null if these are not part of a hand. */
export function unchosen(hand: readonly Card[], chosen: readonly Cards[]): Card[] | null {
  const cards = chosen.flatMap(cardsOf);
  const left = without(hand, cards);
  return left.length === hand.length - cards.length ? left : null;
}
