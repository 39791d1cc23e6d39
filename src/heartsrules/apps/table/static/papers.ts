/** The panels beside the table: score sheet, last trick and piles, log, and rules. */

import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { cardsOf, marked, pictured } from "./cards.ts";
import { SEEN, el, named, spoken, type Child } from "./dom.ts";
import { introduction } from "./games.ts";
import { called, mark, markName, name, ruleSentences, teamClass, who, type Position } from "./position.ts";
import { positionAt, type Line, type Ready } from "./state.ts";
import type { Card, ShownTrick } from "./types.ts";
import { list, say, total } from "./words.ts";

const paper = (key: string, inside: Child, open = true) =>
  el("details", { class: "paper", open }, el("summary", {}, el("h2", {}, say(`papers.${key}`))), inside);
const column = (...inside: Child[]) => el("div", { class: "column" }, inside);
const sheet = (position: Position, below: Child = null) => paper("sheet", [
  el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": say("papers.sheet") }, scoreSheet(position)), below,
]);
const taken = (position: Position) => paper("taken", el("div", { class: "piles" }, piles(position)));
const panels = (...columns: Child[]) => el("div", { class: "papers", id: "papers", popover: "auto" }, columns);

/** The panels beside a drill: what somebody who had played until then would know. */
export const drillPapers = (position: Position): VNode => panels(column(taken(position), sheet(position)));

/** All panels; `seats` is the last one. */
export function papers(state: Ready, openReview: () => void, seats: Child): VNode {
  const position = positionAt(state);
  const hidden = state.table.seat === null || !state.sheet?.rows.length;
  return panels(
    column(
      sheet(position, el("button", { class: "small", onclick: openReview, hidden }, say("act.review-deals"))),
      paper("log", el(Log, { lines: state.log, replaced: state.replaced }))),
    column(
      taken(position),
      paper("rules", [
        introduction(), el("ul", { class: "rules" }, ruleSentences(state.welcome.rules)), el("p", { class: "rules-hints" }, say(`hints.${state.welcome.hints}`)),
      ], false),
      seats));
}

/** The log, scrolled to its last line. `replaced`: it is not to be read aloud. */
function Log({ lines, replaced }: { lines: readonly Line[]; replaced: boolean }): VNode {
  const node = useRef<HTMLElement>(null);
  useLayoutEffect(() => node.current?.scrollTo(0, node.current.scrollHeight), [lines]);
  const label = { "aria-label": say("papers.log") };
  return el("div", { class: "log", ref: node, tabindex: 0, role: "region", ...label },
    el("div", { role: "log", "aria-live": replaced && "off", ...label },
      el("ol", {}, lines.map(({ at, text }) => el("li", { key: at }, pictured(text))))));
}

/** The score sheet: what each deal did to each total, so that the rows add up to the totals below them. */
function scoreSheet(position: Position): VNode {
  const { now: { facts: { totals } }, rows } = position;
  const start = rows.length ? rows[0].totals.map((each, seat) => each - rows[0].points[seat]) : totals;
  const moon = say("sheet.moon");
  const row = (kind: string | null, label: string, cells: unknown[]) =>
    el("tr", { class: kind }, el("th", { scope: "row" }, label), cells as VNode[]);
  const cell = (points: number, shot = false, kind = "") => el("td", { class: kind || null },
    total(points), shot && el("span", { class: "moon", title: moon }, el("span", SEEN, " ☾"), spoken(` ${moon}`)));
  // Where the longest number is wider than a column would be, the sheet is wider than its place, and is scrolled.
  const written = rows.flatMap(({ points, shooter }) => points.map((each, seat) => total(each).length + (seat === shooter ? 2 : 0)));
  const longest = Math.max(...written, ...[...start, ...totals].map((each) => total(each).length));
  const size = totals.length > 8 ? "crowd" : totals.length > 5 ? "many" : "few";
  return el("table", { class: `sheet ${size}`, style: { "--longest": longest, "--columns": totals.length } },
    el("thead", {}, el("tr", {},
      el("th", { scope: "col" }, say("sheet.deal")),
      totals.map((_, seat) => el("th", { scope: "col", class: teamClass(position, seat) }, named(name(position, seat)))))),
    el("tbody", {},
      start.some(Boolean) && row("start", say("sheet.start"), start.map((each) => cell(each))),
      rows.map(({ points, shooter }, deal) =>
        row(null, String(deal + 1), points.map((each, seat) => cell(each, seat === shooter, each ? "" : "nothing"))))),
    el("tfoot", {}, row("totals", say("sheet.total"), totals.map((each) => cell(each)))));
}

/** A completed trick in a sentence, for `pictured`. */
export function trickTold(position: Position, { plays, winner }: ShownTrick): string {
  const told = list(plays.map(({ seat, card }) => `${called(position, seat)} ${written(position, card)}`));
  return winner === null ? say("papers.void-trick", { plays: told }) : say("papers.trick", { plays: told, ...who(position, winner) });
}

function written(position: Position, card: Card): string {
  const special = mark(position, card);
  return `${marked(card)}${special ? ` (${markName(special)})` : ""}`;
}

/** The last trick, the kitty, and what each seat has taken. */
function piles(position: Position): Child[] {
  const { view: { commitment }, facts: { scored, kitty, last, taken } } = position.now;
  if (!taken.length) return [el("p", {}, say("papers.nothing"))];
  const passed = (commitment ?? []).flatMap((cards) => cardsOf(cards));
  const bag = (cards: readonly Card[]) => ({ cards: cards.map((card) => written(position, card)).join(" "), count: cards.length });
  return [
    passed.length > 0 && el("p", {}, pictured(say("papers.passed", bag(passed)))),
    el("p", {}, last ? pictured(trickTold(position, last)) : say("papers.no-trick")),
    kitty && kitty.winner !== null && el("p", {}, pictured(say("papers.kitty", { ...who(position, kitty.winner), ...bag(kitty.cards) }))),
    el("ul", {}, taken.map(({ pile, points }, seat) => {
      // Somebody who took nothing has points of the deal too, if somebody else shot the moon.
      const told = scored ? "scored" : pile.length ? "so_far" : "none";
      const text = say("papers.pile", { name: called(position, seat), ...bag(pile), points, shown: total(points), told });
      return el("li", {}, pictured(text));
    })),
  ];
}
