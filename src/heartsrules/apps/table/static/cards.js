/** Cards: their names, their faces and their backs as drawings. A card is a text of rank and suit, as in `QS`. */

import drawings from "../../../pictures/svg/faces.json" with { type: "json" };
import { el, svg } from "./dom.js";
import { say } from "./words.js";

/** The one set of drawings, which the package draws its own pictures from too. */
const { width, height, corner, stroke, ranks, letters, suits, sign: place, full } = drawings;

/**
 * The name of a card, as it is read aloud.
 * @param {string} card
 */
export function cardName(card) {
  return say("card", { rank: card[0], suit: card[1] });
}

/**
 * A card in two signs, as in `Q♠`.
 * @param {string} card
 */
export function cardSign(card) {
  return say("card.short", { rank: card[0], suit: card[1] });
}

/**
 * A card as its rank and a drawing of its suit, in the order of the language.
 * @param {string} card
 */
export function cardDrawn(card) {
  return cardSign(card).split(/([♣♦♠♥])/).map((part) => (/[♣♦♠♥]/.test(part) ? pip(card[1]) : part));
}

const MARK = "\ue000";

/** A card within a text for `pictured`. */
export function marked(card) {
  return MARK + card;
}

/**
 * A text with a picture in place of each card of `marked`, and its name for assistive technology.
 * @param {string} text
 */
export function pictured(text) {
  return text.split(new RegExp(`${MARK}(..)`)).map((part, at) => (at % 2 ? cardInText(part) : part));
}

/** A card as high as a line of text: rank and suit in the order of the language. */
export function cardInText(card) {
  const [x, y] = /^[♣♦♠♥]/.test(cardSign(card)) ? [27, 3] : [5, 23];
  return el("span", { class: "card-in-text" },
    svg("svg", { viewBox: "0 0 48 30", class: `face ${suits[card[1]].red ? "red" : "black"} suit-${card[1]}`, "aria-hidden": "true" },
      svg("rect", { class: "sheet", x: 0.5, y: 0.5, width: 47, height: 29, rx: 5 }),
      svg("path", { class: "rank", d: drawnRank(card[0]), transform: at(x, 5.5, 0.95), "stroke-width": stroke }),
      svg("path", { class: "pip", d: suits[card[1]].path, transform: at(y, 4.5, 0.88) })),
    el("span", { class: "sr" }, cardName(card)));
}

/** A sentence of the server with signs in place of cards such as `QS`. */
export function withSigns(sentence) {
  return sentence.replace(/\b[2-9TJQKA][CDSH]\b/g, cardSign);
}

/** The sentences of rules, as list items. */
export function ruleSentences(sentences) {
  return sentences.map((sentence) => el("li", {}, withSigns(sentence)));
}

/**
 * The cards of a bag.
 * @param {string} bag as in `2C QS`
 * @returns {string[]}
 */
export function cardsOf(bag) {
  return bag ? bag.split(" ") : [];
}

/** The sign of a suit alone. */
export function pip(suit) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: `suit ${suits[suit].red ? "red" : "black"}`, "aria-hidden": "true" },
    svg("path", { d: suits[suit].path }),
  );
}

/** A rank as it is written on cards in this language. */
function drawnRank(rank) {
  const letter = say("card.rank", { rank });
  return (ranks[letter] ?? letters[letter]).path;
}

const at = (x, y, scale, turned) => `translate(${x} ${y}) scale(${turned ? -scale : scale})`;

/** Rank and suit in a corner. */
function index([rank, suit], turned) {
  const { rank: r, suit: s } = full.index;
  return svg(
    "g",
    turned ? { transform: `rotate(180 ${width / 2} ${height / 2})` } : {},
    svg("path", { class: "rank", d: drawnRank(rank), transform: at(r.x, r.y, r.scale), "stroke-width": stroke }),
    svg("path", { class: "pip", d: suits[suit].path, transform: at(s.x, s.y, s.scale) }),
  );
}

/** The suit signs in the middle of a face, the lower ones upside down. */
function pips([rank, suit]) {
  return full.pips[rank].map(([x, y, scale = full.scale]) => {
    const turned = y > height / 2;
    const half = turned ? -12 * scale : 12 * scale;
    return svg("path", { class: "pip", d: suits[suit].path, transform: at(x - half, y - half, scale, turned) });
  });
}

/** A jack, a queen or a king: the same figure twice. */
function court([rank, suit]) {
  const { x, y, width: w, height: h, parts } = full.courts;
  const figure = (turn) =>
    svg(
      "g",
      { transform: `translate(${width / 2} ${height / 2})${turn}` },
      ...parts[rank].map(([kind, path]) => svg("path", { class: kind, d: path })),
      svg("path", { class: "pip", d: suits[suit].path, transform: at(-w / 2 + 0.8, -h / 2 + 1.2, 0.3) }),
    );
  return [svg("rect", { class: "frame", x, y, width: w, height: h, rx: 2 }), figure(""), figure(" rotate(180)")];
}

/** Least visible width of the label of a covered card in a full hand on a phone. */
const LABEL = 22.5;

/** The label in the corner of a card, narrow enough to be read there. */
function label(sign) {
  const size = Math.min(place.size, 42 / sign.length);
  const wide = Math.min(0.62 * size * sign.length, LABEL - 4.5);
  return [
    svg("rect", { class: "sheet label", x: 1, y: height - 21, width: wide + 4, height: 18, rx: 4 }),
    svg("text", { x: 3, y: height - 12 + size / 2.8, class: "sign", "font-size": size, textLength: wide, lengthAdjust: "spacingAndGlyphs" }, sign),
  ];
}

/**
 * The face of a card. It is hidden from assistive technology: whatever holds it has the name.
 * @param {string} card
 * @param {string} [sign] what stands in its corner
 */
export function cardFace(card, sign) {
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: `face ${suits[card[1]].red ? "red" : "black"} suit-${card[1]}`, "aria-hidden": "true" },
    svg("rect", { class: "sheet", x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: corner }),
    ...(card[0] in full.pips ? pips(card) : court(card)),
    index(card, false),
    index(card, true),
    ...(sign ? label(sign) : []),
  );
}

/**
 * A small card: its rank over its suit, as large as possible. It is hidden from assistive technology.
 * @param {string} card
 */
export function cardSmall(card) {
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: `face ${suits[card[1]].red ? "red" : "black"} suit-${card[1]}`, "aria-hidden": "true" },
    svg("rect", { class: "sheet", x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: corner }),
    svg("path", { class: "rank", d: drawnRank(card[0]), transform: at(17.75, 7, 1.75), "stroke-width": stroke }),
    svg("path", { class: "pip", d: suits[card[1]].path, transform: at(13.8, 46, 1.35) }),
  );
}

/** The back of a card. */
export function cardBack() {
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "back", "aria-hidden": "true" },
    svg("rect", { class: "sheet", x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: corner }),
    svg("rect", { class: "pattern", x: 5, y: 5, width: width - 10, height: height - 10, rx: corner - 3 }),
    svg("path", { class: "heart", d: suits.H.path, transform: "translate(18 30)" }),
  );
}
