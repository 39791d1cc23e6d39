/** Cards: their names, their faces and their backs as drawings. A card is a text of rank and suit, as in `QS`. */

import type { VNode } from "preact";
import drawings from "../../../pictures/svg/faces.json" with { type: "json" };
import { SEEN, drawing, el, spoken, type Child } from "./dom.ts";
import type { Card, Move } from "./types.ts";
import { say } from "./words.ts";

interface Path {
  path: string;
}
type Place = [x: number, y: number, scale: number];
type Suit = keyof typeof drawings.suits;
/** The one set of drawings, which the package draws its own pictures from too. */
const { width, height, corner, stroke, suits, sign: place, full } = drawings;
const letters: Record<string, Path> = { ...drawings.letters, ...drawings.ranks };
const pipsOf = full.pips as object as Record<string, Place[]>;
const figures: Record<string, string[][]> = full.courts.parts;
const suitOf = (suit: string) => suits[suit as Suit];
export const cardName = (card: Card): string => say("card", { rank: card[0], suit: card[1] });

/** A card in two signs, as in `♠Q`. */
export const cardSign = (card: Card): string => say("card.short", { rank: card[0], suit: card[1] });

const MARK = "\ue000";

/** A card within a text for `pictured`. */
export const marked = (card: Card): string => MARK + card;

/** A text with a picture in place of each card of `marked`, and its name for assistive technology. */
export const pictured = (text: string, card: (card: Card) => Child = cardInText): Child[] =>
  text.split(new RegExp(`${MARK}(..)`)).map((part, at) => (at % 2 ? card(part as Card) : part));

/** The cards of a list of them, as in `2C QS`. */
export const cardsOf = (cards: string | null | undefined): Card[] => cards ? (cards.split(" ") as Card[]) : [];

/** The cards of each transfer of a move; a play has one with its card. */
export const listsOfMove = ({ card, cards }: Move): Card[][] => [cards ?? card ?? ""].flat().map((each) => cardsOf(each));
const face = (card: Card) => `face ${suitOf(card[1]).red ? "red" : "black"} suit-${card[1]}`;
const box = `0 0 ${width} ${height}`;
const sheet = (kind = "sheet", inset = 0.5, round = corner) =>
  el("rect", { class: kind, x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset, rx: round });

/** A part of a face: a pip, a rank, or with a path a part of a figure. One of a scale below 0 is upside down. */
type Part = [kind: string, ...Place, path?: string];
const part = (card: Card) => ([kind, x, y, scale, path]: Part): VNode => {
  const d = path ?? (kind === "pip" ? suitOf(card[1]) : letters[say("card.rank", { rank: card[0] })]).path;
  return el("path", { class: kind, d, transform: `translate(${x} ${y}) scale(${scale})`, "stroke-width": kind === "rank" && stroke });
};

/** A card as high as a line of text, hidden: its holder has the name. */
export const cardSmall = (card: Card): VNode =>
  drawing("0 0 48 30", face(card),
    el("rect", { class: "sheet", x: 0.5, y: 0.5, width: 47, height: 29, rx: 5 }),
    ([["rank", 27, 5.5, 0.95], ["pip", 3, 4.5, 0.88]] as Part[]).map(part(card)));

/** A small card with its name. */
export const cardInText = (card: Card): VNode => el("span", { class: "card-in-text" }, cardSmall(card), spoken(cardName(card)));

export const pip = (suit: string): VNode =>
  drawing("0 0 24 24", `suit ${suitOf(suit).red ? "red" : "black"}`, el("path", { d: suitOf(suit).path }));

/** The parts of a face: its pips, or the same figure twice, and the index twice. */
function parts([rank]: string): Part[] {
  const half = (figures[rank] ?? []).map(([kind, path]): Part => [kind, width / 2, height / 2, 1, path]);
  if (half.length) half.push(["pip", ...(full.courts.pip as Place)]);
  half.push(["rank", ...(full.index.rank as Place)], ["pip", ...(full.index.pip as Place)]);
  const pips = (pipsOf[rank] ?? []).map((place): Part => ["pip", ...place]);
  return [...pips, ...half, ...half.map(([kind, x, y, scale, path]): Part => [kind, width - x, height - y, -scale, path])];
}

/** Least visible width of the label of a covered card in a full hand on a phone. */
const LABEL = 22.5;

/** The label in the corner of a card, narrow enough to be read there. */
function label(sign: string): VNode[] {
  const size = Math.min(place.size, 42 / sign.length);
  const wide = Math.min(0.62 * size * sign.length, LABEL - 4.5);
  const fitted = { textLength: wide, lengthAdjust: "spacingAndGlyphs" };
  return [
    el("rect", { class: "sheet label", x: 1, y: height - 21, width: wide + 4, height: 18, rx: 4 }),
    el("text", { x: 3, y: height - 12 + size / 2.8, class: "sign", "font-size": size, ...fitted }, sign),
  ];
}

const frame = { class: "frame", x: full.courts.x, y: full.courts.y, width: full.courts.width, height: full.courts.height, rx: 2 };
const heart = { class: "heart", d: suits.H.path, transform: "translate(18 30)" };

/** The face of a card, with a sign in its corner. Like all these it is hidden: its holder has the name. */
export const cardFace = (card: Card, sign?: string, place?: object): VNode =>
  el("svg", { key: card, viewBox: box, class: face(card), ...SEEN, ...place },
    sheet(), card[0] in figures && el("rect", frame), parts(card).map(part(card)), sign && label(sign));

export const cardBack = (place?: object): VNode =>
  el("svg", { viewBox: box, class: "back", ...SEEN, ...place }, sheet(), sheet("pattern", 5, corner - 3), el("path", heart));
