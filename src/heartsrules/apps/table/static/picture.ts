/** Small pictures of rule sets: the seats, the teams and the special cards. */

import type { VNode } from "preact";
import { cardBack, cardFace } from "./cards.ts";
import { drawing, el } from "./dom.ts";
import type { Point } from "./layout.ts";
import type { RulesPicture } from "./types.ts";

const WIDE = 120;
const HIGH = 84;

/** The place of a seat in a picture; the first is at the bottom, the next at its left. */
function around(seat: number, players: number, rx: number, ry: number): Point {
  const angle = Math.PI * (0.5 + (2 * seat) / players);
  return { x: WIDE / 2 + rx * Math.cos(angle), y: HIGH / 2 + ry * Math.sin(angle) };
}

/** A picture of a rule set. It is hidden from assistive technology: what stands beside it says the same. */
export function picture({ players, decks, teams, cards, kitty }: RulesPicture): VNode {
  const seats = Array.from({ length: players }, (_, seat) => {
    const { x, y } = around(seat, players, 53, 35);
    return el("circle", { cx: x, cy: y, r: players > 8 ? 4.5 : 5.5, class: teams.length ? `dot team-${teams[seat]}` : "dot" });
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

/** A picture of a pass, for the player at the bottom: an arrow for each transfer, `offset` seats to the left. */
export function passPicture(players: number, offsets: number[]): VNode {
  const me = around(0, players, 40, 28);
  const seats = Array.from({ length: players }, (_, seat) => {
    const { x, y } = around(seat, players, 40, 28);
    return el("circle", { cx: x, cy: y, r: seat ? 4 : 6, class: seat ? "dot" : "dot own" });
  });
  const arrows = offsets.map((offset) => {
    const to = offset === 0 ? { x: WIDE / 2, y: HIGH / 2 } : around((offset + players) % players, players, 40, 28);
    const [x, y] = [to.x - me.x, to.y - me.y];
    const transform = `translate(${me.x} ${me.y}) rotate(${(Math.atan2(y, x) * 180) / Math.PI})`;
    return el("path", { class: "gift-arrow", transform, d: `M9 0h${(Math.hypot(x, y) - 18).toFixed(1)}m-6 5l6 -5l-6 -5` });
  });
  return drawing(`0 0 ${WIDE} ${HIGH}`, "pass-picture", seats, arrows);
}
