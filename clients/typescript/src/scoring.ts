// The score of a deal (section 9) and the end of the game (10).

import { at, cardsOf, countOf, distinct, isHeart, QUEEN, sum, textOf } from "./cards.js";
import type { Card, Cards, DealScoreWire } from "./documents.js";
import { seatAt } from "./rules.js";
import type { ResolvedRules } from "./rules.js";

/** What a moon that was shot does. */
export type Effect = NonNullable<DealScoreWire["effect"]>;

/** A deal that is played out. Arrays are by seat. */
export interface Outcome {
  /** The captured cards, the kitty's included. */
  readonly piles: readonly (readonly Card[])[];
  readonly tricksWon: readonly number[];
  /** True if tricks were left over that no player won. */
  readonly leftOver: boolean;
  /** The cards that each seat exposed; empty if no seat exposed any. */
  readonly exposed: readonly Cards[];
  /** The totals before the deal. */
  readonly totals: readonly number[];
  readonly dealNumber: number;
}

/** A moon that was shot. */
interface Shot {
  readonly shooter: number;
  /** What its cards count for the shooter's side, instead of points. */
  readonly value: number;
  /** True for a card of the moon, which counts no points of its own. */
  readonly isMoon: (card: Card) => boolean;
  readonly sun: boolean;
}

/** Return 2 for a card that was exposed, or for a heart if any heart was, else 1 (9.2, 9.3). */
const timesOf = (exposed: readonly Card[], card: Card): number =>
  (isHeart(card) ? exposed.some(isHeart) : exposed.includes(card)) ? 2 : 1;

/** Return the value of a captured card. */
const valueOf = (rules: ResolvedRules, exposed: readonly Card[], card: Card): number =>
  rules.penalty(card) * timesOf(exposed, card);

/** Return the moon that was shot, or null (9.7 to 9.10). */
function shotOf(rules: ResolvedRules, { piles, tricksWon, leftOver, exposed, dealNumber }: Outcome): Shot | null {
  if (rules.moon === "off") {
    return null;
  }
  const open = exposed.flatMap(cardsOf);
  const value = (cards: readonly Card[]): number => sum(cards.map((card) => valueOf(rules, open, card)));
  const needed = rules.deck.filter((card) => {
    switch (rules.moon_cards) {
      case "all":
        return rules.penalty(card) > 0;
      case "hearts":
        return isHeart(card);
      case "hearts-and-queen":
        return isHeart(card) || card === QUEEN;
      case "every-card":
        return true;
    }
  });
  if (needed.length === 0) {
    return null;
  }
  const bonuses = rules.moon_needs_bonus ? rules.deck.filter(rules.isBonus) : [];
  const groups = rules.moon_scope === "team" ? rules.sides : rules.seats.map((seat) => [seat]);
  for (const group of groups) {
    const pile = group.flatMap((seat) => at(piles, seat));
    const has = (cards: readonly Card[]): boolean =>
      distinct(cards).every((card) => countOf(pile, card) === countOf(rules.deck, card));
    if (!has(needed) || !has(bonuses)) {
      continue;
    }
    const queens = rules.moon_cards === "hearts" ? rules.deck.filter((card) => card === QUEEN) : [];
    const alsoQueens = queens.length > 0 && has(queens);
    const side = at(rules.sides, rules.sideOf(at(group, 0)));
    const winners = rules.seats.filter((seat) => at(tricksWon, seat) > 0);
    const together = rules.sun_scope === "team" ? winners.every((seat) => side.includes(seat)) : winners.length === 1;
    const sun = rules.sun && !leftOver && together;
    const usual = ((rules.moon_points ?? value(needed)) + (alsoQueens ? value(queens) : 0)) * rules.moon_factor;
    // Of a team the shooter is the member with most points, on a tie the first from the dealer's left (moon_scope.2).
    const points = (seat: number): number => value(at(piles, seat));
    const fromLeft = rules.seats.map((_, place) => seatAt(rules, rules.dealer(dealNumber), place + 1));
    const members = fromLeft.filter((seat) => group.includes(seat));
    return {
      shooter: members.reduce((best, seat) => (points(seat) > points(best) ? seat : best)),
      value: sun ? (rules.sun_points ?? 2 * usual) : usual,
      isMoon: (card) => needed.includes(card) || (alsoQueens && card === QUEEN),
      sun,
    };
  }
  return null;
}

/** Return the seat that chooses what the moon does, or null. */
export function chooserOf(rules: ResolvedRules, outcome: Outcome): number | null {
  return rules.moon === "choice" ? (shotOf(rules, outcome)?.shooter ?? null) : null;
}

/** Return the row of a deal; `chosen` is the shooter's choice. */
export function scoreOf(rules: ResolvedRules, outcome: Outcome, chosen: Effect | null = null): DealScoreWire {
  const shot = shotOf(rules, outcome);
  if (shot === null) {
    return rowOf(rules, outcome, null, null);
  }
  switch (rules.moon) {
    case "off":
    case "choice":
      return rowOf(rules, outcome, shot, chosen);
    case "auto-save":
    case "auto-extend": {
      const added = rowOf(rules, outcome, shot, "others-up");
      const winners = winnersOf(rules, added, outcome.dealNumber + 1);
      const stays = winners === null || (rules.moon === "auto-save" && winners.includes(shot.shooter));
      return stays ? added : rowOf(rules, outcome, shot, "shooter-down");
    }
    default:
      return rowOf(rules, outcome, shot, rules.moon);
  }
}

function rowOf(rules: ResolvedRules, outcome: Outcome, shot: Shot | null, effect: Effect | null): DealScoreWire {
  const { piles, tricksWon, exposed, totals } = outcome;
  const open = exposed.flatMap(cardsOf);
  const value = (cards: readonly Card[]): number => sum(cards.map((card) => valueOf(rules, open, card)));
  const times = (card: Card): number => timesOf(open, card);
  const points = rules.seats.map((seat) => {
    const pile = at(piles, seat);
    const total = at(totals, seat);
    let result = value(pile.filter((card) => shot === null || !shot.isMoon(card)));
    if (shot !== null && effect !== null) {
      result += moonPoints(rules, shot, effect, seat);
    }
    const before = result;
    result -= sum(rules.bonuses.map((bonus) => bonus.points * countOf(pile, bonus.card) * times(bonus.card)));
    if (rules.bonus_floor === "deal") {
      result = Math.max(result, Math.min(before, 0));
    } else if (rules.bonus_floor === "total") {
      result = Math.max(result, Math.min(before, 0 - total));
    }
    result = doubled(rules, pile, result, times);
    if (at(tricksWon, seat) === 0 && (shot === null || rules.no_tricks_bonus_on_moon)) {
      result -= rules.no_tricks_bonus;
    }
    if (effect === "shooter-to-zero" && seat === shot?.shooter && total + result > 0) {
      result = 0 - total;
    }
    return rules.total_floor ? Math.max(result, Math.min(total, 0) - total) : result;
  });
  const queens = countOf(rules.deck, QUEEN) === 1 ? piles.findIndex((pile) => pile.includes(QUEEN)) : -1;
  return {
    points, card_points: piles.map(value), shooter: shot?.shooter ?? null, effect, sun: shot?.sun ?? false,
    tricks_won: [...tricksWon],
    totals: points.map((each, seat) => totalAfter(rules, at(totals, seat), each)),
    queen_taker: queens < 0 ? null : queens,
    exposed: rules.exposableCards.length === 0 ? [] : rules.seats.map((seat) => textOf(cardsOf(exposed[seat] ?? ""))),
  };
}

/** Return what a moon counts for a seat, besides its other cards. */
function moonPoints(rules: ResolvedRules, { shooter, value }: Shot, effect: Effect, seat: number): number {
  const others = rules.seats.filter((other) => rules.sideOf(other) !== rules.sideOf(shooter));
  if (others.includes(seat)) {
    return effect === "shooter-down" || effect === "shooter-to-zero" ? 0 : value;
  }
  if (seat !== shooter) {
    return 0;
  }
  if (effect === "others-pay") {
    return 0 - value * others.length;
  }
  return effect === "shooter-down" || effect === "both" ? -value : 0;
}

/** Apply the doubler: it multiplies the points of a pile with a scoring card, or subtracts points (9.12). */
function doubled(rules: ResolvedRules, pile: readonly Card[], points: number, times: (card: Card) => number): number {
  const { doubler } = rules;
  const copies = doubler === null ? 0 : countOf(pile, doubler.card);
  if (doubler === null || copies === 0) {
    return points;
  }
  return pile.some(rules.isScoring)
    ? points * (doubler.factor * times(doubler.card)) ** copies
    : points - doubler.alone * copies * times(doubler.card);
}

/** Return a total after a deal with these points, with its reset (9.14, 9.15). */
function totalAfter(rules: ResolvedRules, total: number, points: number): number {
  const after = total + points;
  const reset = points === 0 ? undefined : rules.exact_resets.find(([exact]) => exact === after);
  if (reset === undefined) {
    return after;
  }
  return rules.total_floor ? Math.max(reset[1], 0) : reset[1];
}

/** Return the winners after a row of the sheet, or null if another deal follows. */
export function winnersOf(rules: ResolvedRules, row: DealScoreWire, deals: number): number[] | null {
  if (row.effect === "shooter-wins" && row.shooter !== null) {
    return [...at(rules.sides, rules.sideOf(row.shooter))];
  }
  const totals = rules.sides.map((side) => sum(side.map((seat) => at(row.totals, seat))));
  const tested = rules.target_scope === "player" ? row.totals : totals;
  const exceeded = rules.target_test === "exceeded";
  const passes = (total: number, limit: number | null): boolean =>
    limit !== null && (exceeded ? total > limit : total >= limit);
  const over = tested.some((total) => passes(total, rules.target) || passes(-total, rules.bonus_target));
  if (!over && (rules.max_deals === null || deals < rules.max_deals)) {
    return null;
  }
  const best = standingsOf(rules, row.totals).filter(({ place }) => place === 1).map(({ seats }) => seats);
  return best.length > 1 && rules.tie === "extra-deal" ? null : best.flat().sort((one, other) => one - other);
}

/** A side's place: the lowest total is first, but a total of exactly the target goes before it where that wins. */
export interface Standing {
  place: number;
  seats: number[];
  total: number;
}

type Side = Omit<Standing, "place">;

export function standingsOf(rules: ResolvedRules, totals: readonly number[]): Standing[] {
  const sides = rules.sides.map((side) => ({ seats: [...side], total: sum(side.map((seat) => at(totals, seat))) }));
  const hits = ({ seats, total }: Side): boolean => {
    const tested = rules.target_scope === "player" ? seats.map((seat) => at(totals, seat)) : [total];
    return rules.target_test === "exact-wins" && tested.some((each) => each === rules.target);
  };
  const ahead = (one: Side, other: Side): boolean => (hits(one) === hits(other) ? one.total < other.total : hits(one));
  const placed = sides.map((side) => ({ ...side, place: 1 + sides.filter((other) => ahead(other, side)).length }));
  return placed.sort((one, other) => one.place - other.place);
}

/** Convert a total to the form in which the players see it. */
export function displayScore(rules: ResolvedRules, total: number): number {
  switch (rules.score_display) {
    case "penalty":
      return total;
    case "negative":
      return 0 - total;
    case "countdown":
      return (rules.target ?? 0) - total;
  }
}
