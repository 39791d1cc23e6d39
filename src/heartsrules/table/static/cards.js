/** Cards: their names, and their faces as drawings. A card is a text of rank and suit, as in `QS`. */

import { svg } from "./dom.js";

/** The one set of drawings, which the package draws its own pictures from too. */
const { width, height, corner, stroke, ranks, suits, face, sign: place } = await (await fetch("/api/cards")).json();

/**
 * The name of a card, as it is read aloud.
 * @param {string} card
 */
export function cardName(card) {
  return `${ranks[card[0]].name} of ${suits[card[1]].name}`;
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
  const part = ({ draw, x, y, scale }) => {
    const transform = `translate(${x} ${y}) scale(${scale})`;
    return draw === "rank"
      ? svg("path", { class: "rank", d: ranks[rank].path, transform, "stroke-width": stroke })
      : svg("path", { class: "pip", d: suits[suit].path, transform });
  };
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: `face ${suits[suit].red ? "red" : "black"}`, "aria-hidden": "true" },
    svg("rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: corner }),
    ...face.map(part),
    ...(sign ? [svg("text", { x: place.x, y: place.y, class: "sign", "text-anchor": "end", "font-size": place.size }, sign)] : []),
  );
}
