/** The hand: a fan of cards, the reasons against each, and the cards chosen to be passed or shown. */

import type { VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { cardFace, cardsOf, listsOfMove } from "./cards.ts";
import { against, handOf, type Choosing } from "./choosing.ts";
import { SEEN, el, useArranged, type Child } from "./dom.ts";
import { fan } from "./layout.ts";
import { called, cardNamed, giftTexts, mark, sentence, type Position } from "./position.ts";
import type { Card, Reason } from "./types.ts";
import { known, say } from "./words.ts";

/** What is said of a card of the hand, and whether that is good. */
export interface Verdict {
  text: string;
  told: string;
  good: boolean;
}

interface HandProps {
  position: Position;
  choosing: Choosing;
  /** What is said of cards, by card. */
  verdicts?: ReadonlyMap<Card, Verdict>;
  onChoose: (card: Card, at: number) => void;
  /** Called with the reason against a card that somebody looks at, or an empty text. */
  onWhy: (text: string) => void;
}

export const reasons = (position: Position, found: readonly Reason[]): string =>
  found.map(({ code, sentence: parts }) => {
    const key = `why.${code}`;
    return known(key) ? say(key, { name: called(position, position.now.choice.to_act[0] ?? 0) }) : sentence(parts, position);
  }).join(". ");

/** The cards that a hint is about, each with what it says of them. */
function advised(position: Position): [Card, string][] {
  const gifts = giftTexts(position);
  const told = (at: number) => (gifts.length > 1 ? `${say("hint.card")}, ${gifts[at]}` : say("hint.card"));
  const lists = listsOfMove(position.hint?.move ?? {});
  return lists.flatMap((cards, at) => cards.map((card): [Card, string] => [card, told(at)]));
}

/** The cards that this seat has committed to pass or to show, while the others still choose. */
function committed({ now: { view: { phase, exposure, commitment }, choice } }: Position): Card[] {
  if (choice.mine) return [];
  if (phase === "exposing") return cardsOf(exposure);
  return phase === "passing" || phase === "dealing-back" ? (commitment ?? []).flatMap((cards) => cardsOf(cards)) : [];
}

const buttonsOf = (node: HTMLElement | null) => [...(node?.querySelectorAll<HTMLElement>(".card") ?? [])];

export function Hand({ position, choosing, verdicts, onChoose, onWhy }: HandProps): VNode {
  const { now } = position;
  const { view, choice } = now;
  const cards = handOf(now);
  // The first size of the hand in this deal.
  const node = useArranged((hand) => arrange(hand, Math.max(cards.length, ...now.facts.hand_sizes) + (view.trick_number ?? 0)));
  /** The place of the card that has the focus. */
  const had = node.current?.contains(document.activeElement) && (document.activeElement as HTMLElement).dataset.at;
  useLayoutEffect(() => {
    // The focused card was played: focus the one in its place.
    const buttons = buttonsOf(node.current);
    if (had && !node.current?.contains(document.activeElement)) buttons[Math.min(Number(had), buttons.length - 1)]?.focus();
  });
  const passing = view.phase === "passing" && choice.mine;
  const gifts = giftTexts(position);
  const [hints, sent] = [advised(position), committed(position)];
  const seen = new Map<string, number>();
  const items = cards.map((card, at) => {
    const copy = seen.get(card) ?? 0;
    seen.set(card, copy + 1);
    const hint = hints.filter(([each]) => each === card)[copy]?.[1];
    const committed = sent.filter((each) => each === card).length > copy;
    const found = against(now, choosing, card, at);
    const gift = choosing.gifts.findIndex((places) => places.includes(at));
    const dim = !committed && found.some(({ kind }) => kind !== "turn");
    const why = reasons(position, found);
    const verdict = verdicts?.get(card);
    const into = passing && gifts.length > 1 && gifts[gift];
    const told = [cardNamed(position, card), into, hint, committed && say("hand.committed"), verdict?.told];
    const classes = [dim ? "dim" : found.length ? "waiting" : "free", hint !== undefined && "advised", committed && "committed"];
    const look = () => onWhy(dim ? why : "");
    return el("li", { key: `${card} ${copy}`, class: classes.filter(Boolean).join(" ") },
      el("button", {
        class: "card", "data-card": card, "data-at": at,
        "aria-label": told.filter(Boolean).join(", "),
        "aria-disabled": found.length > 0 && "true",
        "aria-describedby": found.length > 0 && `why-${at}`,
        "aria-pressed": (passing || (view.phase === "exposing" && choice.mine)) && String(gift >= 0),
        // Arrows lead to a dimmed card, whose reason can be read there; Tab does not stop at it.
        tabindex: dim && -1,
        onclick: () => onChoose(card, at), onmouseenter: look, onfocus: look,
      }, cardFace(card, mark(position, card)?.sign), tag(verdict)),
      el("span", { id: `why-${at}`, hidden: true }, why));
  });
  const silent = () => onWhy("");
  const attributes = { "aria-label": say("hand.name"), hidden: position.table.seat === null };
  const listeners = { onkeydown: walk, onfocusout: silent, onmouseleave: silent };
  return el("ul", { ref: node, class: "hand", "data-asking": choosing.asked && "", ...attributes, ...listeners }, items);
}

const tag = (verdict?: Verdict): Child =>
  verdict && el("span", { class: `tag ${verdict.good ? "good" : "bad"}`, ...SEEN }, verdict.text);

function arrange(node: HTMLElement, most: number): void {
  const items = [...node.children] as HTMLElement[];
  const card = items[0]?.offsetWidth;
  // Between two deals its place is kept, so that nothing on the page moves.
  if (!node.clientWidth || !card) return;
  const places = fan(items.length, most, node.clientWidth - 8, card);
  const [{ rows }] = places;
  node.style.setProperty("--rows", String(rows));
  node.toggleAttribute("data-straight", rows > 1);
  items.forEach(({ style }, at) => {
    style.setProperty("--x", `${places[at].x.toFixed(1)}px`);
    style.setProperty("--row", String(places[at].row));
    style.setProperty("--off", places[at].off.toFixed(3));
  });
}

/** Move the focus between cards by the arrow keys. */
function walk(event: KeyboardEvent): void {
  const buttons = buttonsOf(event.currentTarget as HTMLElement);
  const at = Number((event.target as HTMLElement).dataset.at);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || Number.isNaN(at)) return;
  event.preventDefault();
  buttons[Math.max(0, Math.min(buttons.length - 1, to))]?.focus();
}
