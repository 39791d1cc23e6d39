/** Small pictures of rule sets: the seats, the teams and the special cards. */

import { cardBack, cardFace, cardsOf } from "./cards.js";
import { svg } from "./dom.js";
import { signed } from "./words.js";

const WIDE = 120;
const HIGH = 84;

/** The position of a seat in a picture; the first is at the bottom, the next at its left. */
function around(seat, players, rx, ry) {
  const angle = Math.PI * (0.5 + (2 * seat) / players);
  return { x: WIDE / 2 + rx * Math.cos(angle), y: HIGH / 2 + ry * Math.sin(angle) };
}

/** A card of a picture. */
function placed(card, x, y, width) {
  for (const [name, value] of Object.entries({ x, y, width, height: width * 1.4 })) card.setAttribute(name, String(value));
  return card;
}

/**
 * The special cards of rules, each with a sign: bonus cards, the doubler, and extra penalties.
 * @param {any} rules the values of all options
 * @returns {[string, string | undefined][]}
 */
function special(rules) {
  const removed = new Map();
  for (const card of cardsOf(rules.removed)) removed.set(card, (removed.get(card) ?? 0) + 1);
  const there = (card) => (removed.get(card) ?? 0) < rules.decks;
  // Where the highest total wins, penalties take points off.
  const turn = rules.score_display === "negative" ? -1 : 1;
  const penalty = rules.queen_points > 0 && there("QS") ? [["QS", rules.queen_points === 13 ? undefined : signed(turn * rules.queen_points)]] : [];
  const found = [
    ...penalty,
    ...rules.bonuses.map(({ card, points }) => [card, signed(-turn * points)]),
    ...(rules.doubler ? [[rules.doubler.card, `×${rules.doubler.factor}`]] : []),
    ...rules.extra_penalties.map(([card, points]) => [card, signed(turn * points)]),
  ];
  const hearts = Array.isArray(rules.heart_values) ? rules.heart_values.some(Boolean) : true;
  return (found.length < 2 && hearts ? [...found, ["AH", undefined]] : found).filter(([card]) => there(card)).slice(0, 3);
}

/** How many cards are left over after dealing; at least 0. */
function leftOver(rules) {
  const deck = 52 * rules.decks - cardsOf(rules.removed).length;
  const size = rules.hand_size ?? Math.floor(deck / rules.players);
  return rules.kitty === "none" ? 0 : Math.max(0, deck - size * rules.players);
}

/**
 * A picture of a rule set. It is hidden from assistive technology: what stands beside it says the same.
 * @param {any} rules the values of all options
 */
export function picture(rules) {
  const { players, decks, teams } = rules;
  const seats = Array.from({ length: players }, (_, seat) => {
    const { x, y } = around(seat, players, 53, 35);
    return svg("circle", { cx: x, cy: y, r: players > 8 ? 4.5 : 5.5, class: teams ? `dot team-${seat % teams}` : "dot" });
  });
  const cards = special(rules);
  const kitty = leftOver(rules);
  const each = cards.length + (kitty ? 1 : 0) > 3 || (decks > 1 && kitty) ? 19 : 24;
  const labelled = cards.some(([, sign]) => sign);
  const steps = [...cards.map(([card, sign]) => [() => cardFace(card), decks, sign]), ...(kitty ? [[cardBack, Math.min(2, kitty)]] : [])];
  const gap = 4;
  const width = (copies) => each + (copies - 1) * 5;
  let x = WIDE / 2 - (steps.reduce((sum, [, copies]) => sum + width(copies) + gap, -gap)) / 2;
  const drawn = [];
  const top = HIGH / 2 - each * 0.7 - (labelled ? 5 : 0);
  for (const [draw, copies, sign] of steps) {
    for (let copy = 0; copy < copies; copy++) drawn.push(placed(draw(), x + copy * 5, top + copy * 2, each));
    if (sign) drawn.push(svg("text", { class: "worth", x: x + width(copies) / 2, y: top + each * 1.4 + 10 }, sign));
    x += width(copies) + gap;
  }
  return svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "game-picture", "aria-hidden": "true" }, svg("ellipse", { cx: WIDE / 2, cy: HIGH / 2, rx: 53, ry: 35, class: "cloth" }), ...seats, ...drawn);
}

/**
 * A picture of a step of the pass, for the player at the bottom: an arrow for each gift.
 * @param {number} players
 * @param {[number, number][]} step
 */
export function passPicture(players, step) {
  const me = around(0, players, 40, 28);
  const seats = Array.from({ length: players }, (_, seat) => {
    const { x, y } = around(seat, players, 40, 28);
    return svg("circle", { cx: x, cy: y, r: seat ? 4 : 6, class: seat ? "dot" : "dot own" });
  });
  const arrows = step.map(([offset]) => {
    const to = offset === 0 ? { x: WIDE / 2, y: HIGH / 2 } : around((offset + players) % players, players, 40, 28);
    const long = Math.hypot(to.x - me.x, to.y - me.y) || 1;
    const [ux, uy] = [(to.x - me.x) / long, (to.y - me.y) / long];
    const end = { x: to.x - 9 * ux, y: to.y - 9 * uy };
    const point = (along, across) => `${(end.x + along * ux - across * uy).toFixed(1)} ${(end.y + along * uy + across * ux).toFixed(1)}`;
    return svg("path", { class: "gift-arrow", d: `M${(me.x + 9 * ux).toFixed(1)} ${(me.y + 9 * uy).toFixed(1)}L${point(0, 0)}M${point(-6, 5)}L${point(0, 0)}L${point(-6, -5)}` });
  });
  return svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "pass-picture", "aria-hidden": "true" }, ...seats, ...arrows);
}
