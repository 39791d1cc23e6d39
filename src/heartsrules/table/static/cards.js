/** Cards: their names, and their faces as drawings. A card is a text of rank and suit, as in `QS`. */

import { svg } from "./dom.js";

const RANKS = {
  2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
  T: "ten", J: "jack", Q: "queen", K: "king", A: "ace",
};
const SUITS = { C: "clubs", D: "diamonds", S: "spades", H: "hearts" };
const SHAPES = {
  C: "M12 2a4.6 4.6 0 0 1 4 6.9 4.6 4.6 0 1 1-2.6 8.2L15 22H9l1.6-4.9A4.6 4.6 0 1 1 8 8.9 4.6 4.6 0 0 1 12 2Z",
  D: "M12 1.5 20 12l-8 10.5L4 12Z",
  S: "M12 2c6 6 10 9 10 13a4.6 4.6 0 0 1-8.6 2.2L15 22H9l1.6-4.8A4.6 4.6 0 0 1 2 15C2 11 6 8 12 2Z",
  H: "M12 21.5C5 15.5 2 11.5 2 7.8A5.1 5.1 0 0 1 12 6a5.1 5.1 0 0 1 10 1.8c0 3.7-3 7.7-10 13.7Z",
};

/**
 * The name of a card, as it is read aloud.
 * @param {string} card
 */
export function cardName(card) {
  return `${RANKS[card[0]]} of ${SUITS[card[1]]}`;
}

/**
 * The cards of a bag.
 * @param {string} bag as in `2C QS`
 * @returns {string[]}
 */
export function cardsOf(bag) {
  return bag ? bag.split(" ") : [];
}

/**
 * The face of a card. It is hidden from assistive technology: whatever holds it has the name.
 * @param {string} card
 * @param {string} [sign] what stands in its corner
 */
export function cardFace(card, sign) {
  const [rank, suit] = card;
  const shape = (x, y, size) =>
    svg("path", { d: SHAPES[suit], transform: `translate(${x} ${y}) scale(${size / 24})` });
  return svg(
    "svg",
    { viewBox: "0 0 60 84", class: `face suit-${suit}`, "aria-hidden": "true" },
    svg("rect", { x: 1, y: 1, width: 58, height: 82, rx: 7 }),
    svg("text", { x: 15, y: 25, "text-anchor": "middle", ...(rank === "T" && { textLength: 22, lengthAdjust: "spacingAndGlyphs" }) }, rank === "T" ? "10" : rank),
    shape(6, 29, 18),
    shape(22, 44, 32),
    ...(sign ? [svg("text", { x: 55, y: 17, class: "sign", "text-anchor": "end" }, sign)] : []),
  );
}
