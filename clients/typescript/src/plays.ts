// Which cards can be played, and why not the others (section 5); what breaks hearts (6), and who wins a trick (7).
// It needs only the mover's own hand and what is face up, so it works from a state and from a view.

import { at, countOf, distinct, isHeart, QUEEN, rankOf, sorted, suitOf, textOf } from "./cards.js";
import type { Card, Suit, Violation } from "./documents.js";
import type { ResolvedRules } from "./rules.js";

type Bare<V> = V extends { readonly code: "bad-deal" }
  ? { readonly code: "bad-deal"; readonly problems: ReadonlyArray<DealProblem> }
  : V extends unknown ? Omit<V, "heartsrules" | "kind" | "message" | "arguments"> : never;
/** A reason against a move: a violation of the wire format without its envelope and its sentence. */
export type Reason = Bare<Violation>;
/** A problem of a deal, without its sentence. It names no card, so all players may see it. */
export interface DealProblem {
  readonly code: string;
  readonly detail?: "dealt";
  readonly fields: readonly [string];
  readonly params?: Readonly<Record<string, number | readonly []>>;
}
type PlayCode =
  | "must-follow-suit" | "opening-card" | "hearts-not-broken" | "exposed-card-restricted" | "queen-before-hearts"
  | "points-on-first-trick" | "card-compulsory";

/** Everything that decides which cards a player can play. */
export interface Situation {
  readonly hand: readonly Card[];
  /** The cards of the current trick, the lead first. */
  readonly trick: readonly Card[];
  readonly heartsBroken: boolean;
  /** The cards that the player has exposed. */
  readonly exposed: readonly Card[];
  /** The suits of the leads of the deal's earlier tricks. */
  readonly suitsLed: readonly Suit[];
}

/** Return the distinct cards of the hand in order, each with the reasons against playing it. */
export function judge(rules: ResolvedRules, situation: Situation): Map<Card, Reason[]> {
  const { hand, trick, heartsBroken } = situation;
  const faces = distinct(sorted(hand));
  const reasons = new Map<Card, Reason[]>(faces.map((card) => [card, []]));
  let legal = faces;
  const first = hand.length === rules.cardsPerHand;
  const led = trick[0] === undefined ? null : suitOf(trick[0]);
  const reasonOf = (code: PlayCode, card: Card): Reason => {
    switch (code) {
      case "must-follow-suit": {
        const suit = led ?? suitOf(card);
        return { code, card, suit, count: hand.filter((other) => suitOf(other) === suit).length };
      }
      case "opening-card":
        return { code, card, required: hand.some((other) => suitOf(other) === "C") ? rules.opening_card : "non-point" };
      case "hearts-not-broken":
        return { code, card, lead: rules.hearts_lead };
      case "points-on-first-trick":
        return { code, card, barred: rules.first_trick };
      case "card-compulsory":
        return { code, card, required: textOf(legal), when: rules.compulsory };
      case "queen-before-hearts":
        return { code };
      case "exposed-card-restricted":
        return { code, card };
    }
  };
  /** Apply one stage of section 5. It is waived if it would leave nothing; if it bars a card, it is a reason. */
  const stage = (code: PlayCode, allowed: (card: Card) => boolean): boolean => {
    const left = legal.filter(allowed);
    if (left.length > 0 && left.length < legal.length) {
      legal = left;
      faces.filter((card) => !allowed(card)).forEach((card) => reasons.get(card)?.push(reasonOf(code, card)));
    }
    return left.length > 0;
  };

  const leads = led === null;
  const discards = !leads && !hand.some((card) => suitOf(card) === led);
  const bare = (card: Card): boolean => rules.penalty(card) === 0;

  if (!leads && !discards) {
    stage("must-follow-suit", (card) => suitOf(card) === led);
  }
  let spared = false;
  if (leads && first && rules.opening_card !== "any") {
    const clubs = faces.filter((card) => suitOf(card) === "C");
    if (rules.opening_card === "lowest-club" && clubs.length > 0) {
      stage("opening-card", (card) => card === clubs[0]);
    } else if (rules.opening_card === "any-club" && clubs.length > 0) {
      stage("opening-card", (card) => suitOf(card) === "C");
    } else if (rules.opening_card !== "unrestricted") {
      stage("opening-card", bare);
    }
  } else if (leads && !heartsBroken && rules.hearts_lead !== "any-time") {
    const waits = (card: Card): boolean =>
      isHeart(card) || (rules.hearts_lead === "points-when-broken" && !bare(card));
    spared = rules.heart_lead_spares_queen && !waits(QUEEN) && hand.every((card) => isHeart(card) || card === QUEEN);
    if (!spared) {
      stage("hearts-not-broken", (card) => !waits(card));
    }
  }
  if (rules.exposed_card_play !== "free") {
    restrict(rules, situation, legal, spared, stage);
  }
  if (discards && rules.queen_discard_after_hearts && !heartsBroken) {
    stage("queen-before-hearts", (card) => card !== QUEEN);
  }
  if (discards && first) {
    if (rules.first_trick === "no-points") {
      stage("points-on-first-trick", bare);
    } else if (rules.first_trick === "no-hearts") {
      stage("points-on-first-trick", (card) => !isHeart(card));
    } else if (rules.first_trick === "no-scoring") {
      // A player who has nothing else plays a bonus card, or else a penalty card other than a heart.
      void (
        stage("points-on-first-trick", (card) => !rules.isScoring(card)) ||
        stage("points-on-first-trick", (card) => rules.isBonus(card) || !rules.isScoring(card)) ||
        stage("points-on-first-trick", (card) => !isHeart(card))
      );
    }
  }
  const due = (card: Card): boolean => rules.compulsoryCards.includes(card) && isDue(rules, card, trick, discards);
  stage("card-compulsory", due);
  return reasons;
}

/** Restrict exposed cards until their suit was led in an earlier trick (5.8 to 5.11). */
function restrict(
  rules: ResolvedRules, { trick, exposed, suitsLed }: Situation, legal: readonly Card[], spared: boolean,
  stage: (code: PlayCode, allowed: (card: Card) => boolean) => boolean,
): void {
  const waits = (card: Card): boolean => exposed.includes(card) && !suitsLed.includes(suitOf(card));
  if (trick.length === 0 && rules.exposed_card_play === "wait-on-lead") {
    if (!legal.every(waits)) {
      stage("exposed-card-restricted", (card) => !waits(card) || (spared && card === QUEEN));
    }
    return;
  }
  const others = (card: Card): boolean =>
    legal.some((other) => suitOf(other) === suitOf(card) && !exposed.includes(other));
  const follows = (card: Card): boolean => trick.length === 0 || suitOf(card) === suitOf(at(trick, 0));
  stage("exposed-card-restricted", (card) =>
    !(exposed.includes(card) && !suitsLed.includes(suitOf(card)) && follows(card) && others(card)));
}

/** Return true if the option `compulsory` calls for a compulsory card. */
function isDue(rules: ResolvedRules, card: Card, trick: readonly Card[], discards: boolean): boolean {
  switch (rules.compulsory) {
    case "no":
      return false;
    case "discard":
      return discards;
    case "safe":
      return discards || trick.some((other) => [card, at(trick, 0)].every((each) => suitOf(each) === suitOf(other)) &&
        rankOf(other) > rankOf(card) && (rules.duplicates !== "cancel" || countOf(trick, other) === 1));
    case "not-lead":
      return trick.length > 0;
    case "always":
      return true;
  }
}

/** Return true if a card breaks hearts when it is played to a trick. */
export function breaksHearts(rules: ResolvedRules, card: Card, trick: readonly Card[]): boolean {
  const leads = trick.length === 0;
  const discards = !leads && suitOf(card) !== suitOf(at(trick, 0));
  if (isHeart(card)) {
    const how = rules.hearts_break;
    return how === "played" || (how === "not-led" && !leads) || (how === "discarded" && discards);
  }
  if (card !== QUEEN) {
    return false;
  }
  const when = rules.queen_breaks;
  return when === "played" || (when === "led" && leads) || (when === "discarded" && discards);
}

/** Return the index of the card that wins the trick, or null if no card does. */
export function winningPlace(rules: ResolvedRules, trick: readonly Card[]): number | null {
  const cancels = rules.duplicates === "cancel";
  const pairs = distinct(trick).filter((card) => countOf(trick, card) > 1);
  if (rules.two_pairs_void && pairs.length > 1) {
    return null;
  }
  const led = suitOf(at(trick, 0));
  const able = trick.filter((card) => suitOf(card) === led && !(cancels && pairs.includes(card)));
  const best = able.reduce<Card | null>((one, card) => (one === null || rankOf(card) > rankOf(one) ? card : one), null);
  if (best === null) {
    return null;
  }
  return rules.duplicates === "last-wins" ? trick.lastIndexOf(best) : trick.indexOf(best);
}

/** Return the suits of the leads of tricks. */
export const suitsOf = (tricks: readonly { readonly plays: readonly Card[] }[]): Suit[] =>
  tricks.map(({ plays }) => suitOf(at(plays, 0)));
