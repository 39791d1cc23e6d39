// Which cards may be played, and why not the others (section 5); what breaks hearts (6), and who wins a trick (7).
// Nothing here needs more than the mover's own hand and what lies open, so an app can ask it for a state and for a view.

import { at, cardsOf, countOf, facesOf, isHeart, QUEEN, rankOf, sorted, suitOf } from "./cards.js";
import type { Card } from "./cards.js";
import type { Rules } from "./rules.js";

/** The codes of the reasons against a card. */
export type PlayCode =
  | "must-follow-suit" | "opening-card" | "hearts-not-broken" | "exposed-card-restricted" | "queen-before-hearts"
  | "points-on-first-trick" | "card-compulsory";

/** What a player knows who is to play a card. */
export interface Situation {
  readonly hand: readonly Card[];
  /** The cards of the current trick, the lead first. */
  readonly trick: readonly Card[];
  readonly heartsBroken: boolean;
  /** The cards that the player has shown. */
  readonly exposed: readonly Card[];
  /** The suits that earlier tricks of the deal were led in. */
  readonly suitsLed: readonly string[];
}

/** Each face of the hand, in card order, with the reasons against playing it: none if it may be played. */
export function judge(rules: Rules, situation: Situation): Map<Card, PlayCode[]> {
  const { hand, trick, heartsBroken } = situation;
  const faces = facesOf(sorted(hand));
  const reasons = new Map<Card, PlayCode[]>(faces.map((card) => [card, []]));
  let legal = faces;
  /** One stage of section 5: it is waived if it would leave nothing. Where it bars a card, it is a reason against all. */
  const stage = (code: PlayCode, allowed: (card: Card) => boolean): boolean => {
    const left = legal.filter(allowed);
    if (left.length > 0 && left.length < legal.length) {
      legal = left;
      faces.filter((card) => !allowed(card)).forEach((card) => reasons.get(card)?.push(code));
    }
    return left.length > 0;
  };

  const first = hand.length === rules.cardsPerHand;
  const led = trick[0] === undefined ? null : suitOf(trick[0]);
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
    holdBack(rules, situation, legal, spared, stage);
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
      // Whoever has nothing else plays a bonus card, else a penalty card other than a heart.
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

/** A shown card waits until a trick was led in its suit (5.8 to 5.11). */
function holdBack(
  rules: Rules, { trick, exposed, suitsLed }: Situation, legal: readonly Card[], spared: boolean,
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

/** Whether `compulsory` calls for a compulsory card that may be played. */
function isDue(rules: Rules, card: Card, trick: readonly Card[], discards: boolean): boolean {
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

/** Whether a card breaks hearts when it is played to a trick. */
export function breaksHearts(rules: Rules, card: Card, trick: readonly Card[]): boolean {
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

/** The place in the trick of the card that wins it, or null: nobody wins. */
export function winningPlace(rules: Rules, trick: readonly Card[]): number | null {
  const cancels = rules.duplicates === "cancel";
  const pairs = facesOf(trick).filter((card) => countOf(trick, card) > 1);
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

/** The suits of the leads of tricks. */
export const suitsOf = (tricks: readonly { readonly plays: readonly Card[] }[]): string[] =>
  tricks.map(({ plays }) => suitOf(at(plays, 0)));
export const bagAt = (bags: readonly string[], seat: number): Card[] => cardsOf(bags[seat] ?? "");
