/** Small pictures of rule sets: the seats, the teams and the special cards. */

import type { VNode } from "preact";
import { cardBack, cardFace } from "./cards.ts";
import { drawing, el } from "./dom.ts";
import type { RulesPicture } from "./types.ts";

const WIDE = 120;
const HIGH = 84;

/** A picture of a rule set. It is hidden from assistive technology: what stands beside it says the same. */
export function picture({ players, decks, teams, cards, kitty }: RulesPicture): VNode {
  const seats = Array.from({ length: players }, (_, seat) => {
    const angle = Math.PI * (0.5 + (2 * seat) / players);
    return el("circle", { cx: WIDE / 2 + 53 * Math.cos(angle), cy: HIGH / 2 + 35 * Math.sin(angle), r: players > 8 ? 4.5 : 5.5, class: teams.length ? `dot team-${teams[seat]}` : "dot" });
  });
  const each = cards.length + (kitty ? 1 : 0) > 3 || (decks > 1 && kitty) ? 19 : 24;
  const piles = [
    ...cards.map(({ card, sign }) => ({ draw: (place: object) => cardFace(card, undefined, place), copies: decks, sign })),
    ...(kitty ? [{ draw: cardBack, copies: Math.min(2, kitty), sign: null }] : []),
  ];
  // Each pile has the room of the widest one.
  const wide = each + (Math.max(0, ...piles.map(({ copies }) => copies)) - 1) * 5;
  const top = HIGH / 2 - each * 0.7 - (cards.some(({ sign }) => sign) ? 5 : 0);
  const drawn = piles.map(({ draw, copies, sign }, at) => {
    const left = WIDE / 2 + (at - piles.length / 2) * (wide + 4) + 2;
    return [
      Array.from({ length: copies }, (_, copy) => el("g", {}, draw({ x: left + copy * 5, y: top + copy * 2, width: each, height: each * 1.4 }))),
      sign && el("text", { class: "worth", x: left + wide / 2, y: top + each * 1.4 + 10 }, sign),
    ];
  });
  return drawing(`0 0 ${WIDE} ${HIGH}`, "game-picture", el("ellipse", { cx: WIDE / 2, cy: HIGH / 2, rx: 53, ry: 35, class: "cloth" }), seats, drawn);
}
