/** The hand: a fan of cards, the reasons against each, and the cards chosen to be passed or shown. */

import { Component, createRef, type VNode } from "preact";
import { cardFace, cardsOf } from "./cards.ts";
import { against, handOf, type Choosing } from "./choosing.ts";
import { SEEN, component, el, type Child } from "./dom.ts";
import { fan } from "./layout.ts";
import { called, cardNamed, giftTexts, mark, type Position } from "./position.ts";
import { sentence } from "./sentences.ts";
import type { Card, Reason } from "./types.ts";
import { say } from "./words.ts";

/** What is said of a card of the hand, and whether that is good. */
export interface Verdict {
  text: string;
  told: string;
  good: boolean;
}

export interface HandProps {
  position: Position;
  choosing: Choosing;
  /** What is said of cards, by card. */
  verdicts?: ReadonlyMap<Card, Verdict>;
  onChoose: (card: Card, at: number) => void;
  /** Called with the reason against a card that somebody looks at, or an empty text. */
  onWhy: (text: string) => void;
}

/** The reasons against a card, in words. */
export function reasons(position: Position, found: readonly Reason[]): string {
  const own: Record<string, () => string> = {
    "not-your-turn": () => say("why.not-your-turn", { name: called(position, position.now.choice.to_act[0]) }),
    "already-passed": () => say("why.already-passed"),
    "already-decided": () => say("why.already-decided"),
    "wrong-number-of-cards": () => say("why.enough"),
  };
  return found.map(({ code, sentence: parts }) => own[code]?.() ?? sentence(parts, position)).join(". ");
}

/** The cards that a hint is about, each with what it says of them. */
function advised(position: Position): [Card, string][] {
  const move = position.hint?.move as { card?: Card; cards?: string | string[] } | undefined;
  const gifts = giftTexts(position);
  const told = (at: number) => (gifts.length > 1 ? `${say("hint.card")}, ${gifts[at]}` : say("hint.card"));
  const lists = Array.isArray(move?.cards) ? move.cards : [move?.card ?? move?.cards ?? ""];
  return lists.flatMap((cards, at) => cardsOf(cards).map((card): [Card, string] => [card, told(at)]));
}

/** The cards that this seat has committed to pass or to show, while the others still choose. */
function committed({ now: { view, choice } }: Position): Card[] {
  if (choice.mine) return [];
  const lists = view.phase === "exposing" ? [view.exposure] : ["passing", "dealing-back"].includes(view.phase) ? (view.commitment ?? []) : [];
  return lists.flatMap((cards) => cardsOf(cards));
}

export class Hand extends Component<HandProps> {
  private readonly node = createRef<HTMLElement>();
  private readonly sized = new ResizeObserver(() => this.arrange());
  /** The first size of the hand in this deal, and the deal. */
  private most = 0;
  private deal = -1;

  override componentDidMount(): void {
    this.sized.observe(this.node.current as HTMLElement);
    this.arrange();
  }

  /** The place of the card that has the focus. */
  override getSnapshotBeforeUpdate(): string | undefined {
    return this.node.current?.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.at : undefined;
  }

  override componentDidUpdate(_: HandProps, __: object, had: string | undefined): void {
    this.arrange();
    // The focused card was played: focus the one in its place.
    const buttons = this.node.current?.querySelectorAll<HTMLElement>(".card") ?? [];
    if (had !== undefined && buttons.length && !this.node.current?.contains(document.activeElement)) buttons[Math.min(Number(had), buttons.length - 1)].focus();
  }

  override componentWillUnmount(): void {
    this.sized.disconnect();
  }

  override render({ position, choosing, onWhy }: HandProps): VNode {
    const { view } = position.now;
    const cards = handOf(position.now);
    if (view.deal_number !== this.deal || cards.length > this.most) this.most = cards.length;
    this.deal = view.deal_number;
    const [hints, sent] = [advised(position), committed(position)];
    const seen = new Map<string, number>();
    const items = cards.map((card, at) => {
      const copy = seen.get(card) ?? 0;
      seen.set(card, copy + 1);
      const place = sent.indexOf(card);
      if (place >= 0) sent.splice(place, 1);
      return this.item(`${card} ${copy}`, card, at, hints.filter(([each]) => each === card)[copy]?.[1], place >= 0);
    });
    const silent = () => onWhy("");
    return el("ul", { ref: this.node, class: "hand", "aria-label": say("hand.name"), hidden: position.table.seat === null, "data-asking": choosing.asked !== null && "", onkeydown: (event: KeyboardEvent) => this.walk(event), onfocusout: silent, onmouseleave: silent }, items);
  }

  private item(key: string, card: Card, at: number, hint: string | undefined, sent: boolean): VNode {
    const { position, choosing, verdicts, onChoose, onWhy } = this.props;
    const { view, choice } = position.now;
    const passing = view.phase === "passing" && choice.mine;
    const found = against(position.now, choosing, card, at);
    const gift = choosing.gifts.findIndex((places) => places.includes(at));
    const dim = !sent && found.some(({ kind }) => kind !== "turn");
    const why = found.length > 0 ? reasons(position, found) : "";
    const verdict = verdicts?.get(card);
    const told: Child[] = [cardNamed(position, card), passing && gift >= 0 && choosing.gifts.length > 1 && giftTexts(position)[gift], hint, sent && say("hand.committed"), verdict?.told];
    const look = () => onWhy(dim ? why : "");
    return el("li", { key, class: `${dim ? "dim" : found.length ? "waiting" : "free"}${hint === undefined ? "" : " advised"}${sent ? " committed" : ""}` },
      el("button", {
        class: "card", "data-card": card, "data-at": at,
        "aria-label": told.filter(Boolean).join(", "),
        "aria-disabled": found.length > 0 && "true",
        "aria-describedby": found.length > 0 && `why-${at}`,
        "aria-pressed": (passing || (view.phase === "exposing" && choice.mine)) && String(gift >= 0),
        // Arrows lead to a dimmed card, whose reason can be read there; Tab does not stop at it.
        tabindex: dim && -1,
        onclick: () => onChoose(card, at), onmouseenter: look, onfocus: look,
      }, cardFace(card, mark(position, card)?.sign), verdict && el("span", { class: `tag ${verdict.good ? "good" : "bad"}`, ...SEEN }, verdict.text)),
      el("span", { id: `why-${at}`, hidden: true }, why));
  }

  /** Fan the cards. */
  private arrange(): void {
    const node = this.node.current;
    const items = [...(node?.children ?? [])] as HTMLElement[];
    const card = items[0]?.offsetWidth;
    // Between two deals its place is kept, so that nothing on the page moves.
    if (!node?.clientWidth || !card) return;
    const places = fan(items.length, this.most, node.clientWidth - 8, card);
    node.style.setProperty("--rows", String(places[0].rows));
    node.toggleAttribute("data-straight", places[0].rows > 1);
    items.forEach(({ style }, at) => {
      style.setProperty("--x", `${places[at].x.toFixed(1)}px`);
      style.setProperty("--row", String(places[at].row));
      style.setProperty("--off", places[at].off.toFixed(3));
    });
  }

  /** Move the focus between cards by the arrow keys. */
  private walk(event: KeyboardEvent): void {
    const buttons = this.node.current?.querySelectorAll<HTMLElement>(".card") ?? [];
    const at = Number((event.target as HTMLElement).dataset.at);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || Number.isNaN(at)) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, to))]?.focus();
  }
}

export const handShown = (props: HandProps): VNode => component(Hand, props);
