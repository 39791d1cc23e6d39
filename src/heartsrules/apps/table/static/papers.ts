/** The panels beside the table: score sheet, last trick and piles, log, and rules. */

import { Component, createRef, type VNode } from "preact";
import { cardsOf, marked, pictured } from "./cards.ts";
import { component, el, memo, type Child } from "./dom.ts";
import { introduction } from "./introduction.ts";
import { called, completed, course, dealPoints, mark, markName, seatAt, who, type Position } from "./position.ts";
import { ruleSentences } from "./sentences.ts";
import { scoreSheet } from "./sheet.ts";
import { positionAt, type Line, type Ready } from "./state.ts";
import type { Card, Trick, Welcome } from "./types.ts";
import { language, list, say, total } from "./words.ts";

const paper = (key: string, inside: Child, open = true) => el("details", { class: "paper", open }, el("summary", {}, el("h2", {}, say(`papers.${key}`))), inside);
const column = (...inside: Child[]) => el("div", { class: "column" }, inside);
const sheet = (position: Position, below: Child = null) => paper("sheet", [el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": say("papers.sheet") }, scoreSheet(position)), below]);
const taken = (position: Position) => paper("taken", el("div", { class: "piles" }, piles(position)));
const panels = (...columns: Child[]) => el("div", { class: "papers", id: "papers", popover: "auto" }, columns);

/** The panels beside a drill: what somebody who had played until then would know. */
export const drillPapers = (position: Position): VNode => panels(column(taken(position), sheet(position)));

/** All panels; `seats` is the last one. */
export function papers(state: Ready, openReview: () => void, seats: Child): VNode {
  const position = positionAt(state);
  return panels(
    column(
      sheet(position, el("button", { class: "small", onclick: openReview, hidden: state.table.seat === null || !state.sheet?.rows.length }, say("act.review-deals"))),
      paper("log", component(Log, { lines: state.log, replaced: state.replaced }))),
    column(
      taken(position),
      paper("rules", [introduction(), component(Rules, { welcome: state.welcome, tag: language })], false),
      seats));
}

const Rules = memo(({ welcome }: { welcome: Welcome; tag: string }) =>
  el("div", {}, el("ul", { class: "rules" }, ruleSentences(welcome.rules)), el("p", { class: "rules-hints" }, say(`hints.${welcome.hints}`))));

const LogLine = memo(({ text }: { text: string }) => el("li", {}, pictured(text)));

interface LogProps {
  lines: readonly Line[];
  /** Whether it is not to be read aloud. */
  replaced: boolean;
}

/** The log, scrolled to its last line. */
class Log extends Component<LogProps> {
  private readonly node = createRef<HTMLElement>();

  override shouldComponentUpdate(next: LogProps): boolean {
    return next.lines !== this.props.lines;
  }

  override componentDidMount(): void {
    this.componentDidUpdate();
  }

  override componentDidUpdate(): void {
    const node = this.node.current;
    if (node) node.scrollTop = node.scrollHeight;
  }

  override render({ lines, replaced }: LogProps): VNode {
    const label = say("papers.log");
    return el("div", { class: "log", ref: this.node, tabindex: 0, role: "region", "aria-label": label },
      el("div", { role: "log", "aria-label": label, "aria-live": replaced && "off" }, el("ol", {}, lines.map(({ at, text }) => component(LogLine, { key: at, text })))));
  }
}

/** A completed trick in a sentence, for `pictured`. */
export function trickTold(position: Position, trick: Trick): string {
  const plays = list(trick.plays.map((card, offset) => `${called(position, seatAt(position, trick.leader, offset))} ${written(position, card)}`));
  return trick.winner === null ? say("papers.void-trick", { plays }) : say("papers.trick", { plays, ...who(position, trick.winner) });
}

/** A card with its special effect, for `pictured`. */
function written(position: Position, card: Card): string {
  const special = mark(position, card);
  return `${marked(card)}${special ? ` (${markName(special)})` : ""}`;
}

/** The last trick, the kitty, and what each seat has taken. */
function piles(position: Position): Child[] {
  const deal = course(position);
  const { scored, kitty } = position.now.facts;
  if (!deal) return [el("p", {}, say("papers.nothing"))];
  const last = completed(position);
  const passed = (position.now.view.commitment ?? []).flatMap(cardsOf);
  const pile = (cards: readonly Card[]) => cards.map((card) => written(position, card)).join(" ");
  const taken = (cards: Card[], seat: number) => {
    const points = dealPoints(position, seat);
    // Somebody who took nothing has points of the deal too, if somebody else shot the moon.
    return say("papers.pile", { name: called(position, seat), cards: pile(cards), count: cards.length, points, shown: total(points), told: scored ? "scored" : cards.length ? "so_far" : "none" });
  };
  return [
    passed.length > 0 && el("p", {}, pictured(say("papers.passed", { cards: pile(passed) }))),
    el("p", {}, last ? pictured(trickTold(position, last)) : say("papers.no-trick")),
    kitty && kitty.winner !== null && el("p", {}, pictured(say("papers.kitty", { ...who(position, kitty.winner), cards: pile(kitty.cards), count: kitty.cards.length }))),
    el("ul", {}, deal.captured.map((cards, seat) => el("li", {}, pictured(taken(cardsOf(cards), seat))))),
  ];
}
