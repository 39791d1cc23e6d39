/** The review of one's own moves at a table, deal by deal: each beside the best one, as a list and as a position. */

import "./core.ts";
import type { VNode } from "preact";
import { refusalText } from "./api.ts";
import { cardInText } from "./cards.ts";
import { chart, dot, run } from "./chart.ts";
import { SEEN, el, spoken, type Child } from "./dom.ts";
import { Drills, drawn, type Next } from "./drills.ts";
import type { Verdict } from "./hand.ts";
import { arrive, redraw, redrawNow, type Steps } from "./page.ts";
import { sentence, trickKey, type Position } from "./position.ts";
import type { Session } from "./session.ts";
import { positionAt, ready, type Ready } from "./state.ts";
import { keepDrill } from "./storage.ts";
import { Study, cardsOfMove, points } from "./study.ts";
import type { Card, Decision, DecisionMessage, Message, Move, ReviewedMessage, Turn } from "./types.ts";
import { capital, language, number, say } from "./words.ts";

const SURE = ["mistake", "blunder"];
const ERRORS = ["inaccuracy", ...SURE];
const QUALITIES = ["best", "fine", "inaccuracy", "mistake", "blunder"] as const;
const percent = (value: number) => number(value, { style: "percent", maximumFractionDigits: 0 });
const signed = (value: number) => number(value, { signDisplay: "exceptZero" });

export class ReviewPage {
  /** The deals that are to be reviewed, and the id of the last request for them. */
  private readonly deals = new Set<number>();
  private asked = 0;
  private readonly known = new Map<number, DecisionMessage>();
  /** What was said last of all decisions; null: nothing yet. */
  private summary: ReviewedMessage | null = null;
  private refused = "";
  /** The ply of the selected decision, and whether somebody has selected it. */
  private selected: number | null = null;
  private chosen = false;
  private practice: Drills | null = null;
  private shown = false;
  /** What is done when it is drawn. */
  private arriving: (() => void) | null = null;

  constructor(private readonly session: Session, private readonly steps: Steps) {}

  close(): void {
    this.practice?.close();
  }

  drawn(): void {
    const { arriving } = this;
    this.arriving = null;
    arriving?.();
    this.practice?.drawn();
  }

  /** Show what the browser's history stands for: the table, the review of the last deal (after a match of all), or its practice. */
  follow(): void {
    const { depth } = this.steps;
    if (depth < 2) {
      this.practice?.close();
      this.practice = null;
    }
    if (depth > 0 && !this.shown && ready(this.session.state)) {
      const finished = this.finished();
      this.want(...(this.session.state.now.view.phase === "game-over" ? finished : finished.slice(-1)));
      this.arriving = () => {
        const sheet = document.getElementById("papers");
        // Where there is one column, the whole comes before the single move.
        if (matchMedia("(max-width: 71.99rem)").matches) sheet?.showPopover();
        arrive(sheet?.querySelector("[data-focus]") ?? null);
      };
    } else if (depth === 0 && this.shown) this.arriving = () => arrive(document.querySelector("#winner, #prompt"));
    this.shown = depth > 0;
  }

  /** The finished deals that were played here by who looks. */
  private finished(): number[] {
    const { sheet, table } = this.session.state;
    const since = table?.people[table.seat ?? 0].since ?? 0;
    return Array.from({ length: sheet?.rows.length ?? 0 }, (_, deal) => deal).slice(since);
  }

  /** The decisions that are known, in their order. */
  private get decisions(): DecisionMessage[] {
    return [...this.known.values()].sort((a, b) => a.decision.ply - b.decision.ply);
  }

  private get pending(): boolean {
    return !this.refused && [...this.deals].some((deal) => !this.summary?.done.includes(deal));
  }

  // ---------------------------------------------------------------------------------------------------------- requests

  /** Have deals reviewed, with those that were: what is known is answered at once. After a break all are asked for again. */
  want(...deals: number[]): void {
    for (const deal of deals) this.deals.add(deal);
    this.refused = "";
    if (this.pending) this.asked = this.session.connection.request({ type: "review", deals: [...this.deals] });
  }

  /** Take an answer, and return True if it was one. */
  receive(message: Message): boolean {
    if (!("id" in message) || message.id !== this.asked) return false;
    if (message.type === "decision") {
      this.known.set(message.decision.ply, message);
      this.selected ??= message.decision.ply;
    } else if (message.type === "reviewed") {
      this.summary = message;
      const worst = this.decisions.filter(({ decision }) => SURE.includes(decision.quality)).sort((a, b) => b.decision.cost.value.mean - a.decision.cost.value.mean)[0];
      if (!this.chosen && worst) this.selected = worst.decision.ply;
    } else if (message.type === "refused") this.refused = refusalText(message);
    else return false;
    redraw();
    return true;
  }

  // --------------------------------------------------------------------------------------------------------- rendering

  private select(ply: number): void {
    this.selected = ply;
    this.chosen = true;
    const sheet = document.getElementById("papers");
    if (sheet?.matches(":popover-open")) sheet.hidePopover();
    redrawNow();
  }

  /** Go to a decision beside the selected one. */
  private step(step: number): void {
    const { decisions } = this;
    const next = decisions[decisions.findIndex(({ decision }) => decision.ply === this.selected) + step];
    if (next) this.select(next.decision.ply);
  }

  private pressed(event: KeyboardEvent): void {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.step(step);
  }

  view(state: Ready): VNode {
    if (this.practice) return this.practice.view();
    const { decisions } = this;
    const at = decisions.findIndex(({ decision }) => decision.ply === this.selected);
    const found = decisions[at] as DecisionMessage | undefined;
    const decision = found?.decision;
    const own = positionAt(state);
    const shown = found ?? state.now;
    const error = decision !== undefined && ERRORS.includes(decision.quality);
    const verdicts = new Map<Card, Verdict>();
    for (const card of decision ? cardsOfMove(decision.move) : []) verdicts.set(card, { text: error ? "✗" : "≈", told: say("review.made-card"), good: !error });
    for (const card of decision ? cardsOfMove(decision.best[0]) : []) verdicts.set(card, { text: "✓", told: say("review.best-card"), good: true });
    // On lead, the trick before is gone.
    const now = { view: shown.view, facts: shown.facts, choice: { ...shown.choice, mine: false } };
    const position: Position = { table: { ...own.table, hints: "alone" }, rows: own.rows, gone: trickKey({ now }), now };
    return el(Study, {
      position, verdicts,
      prompt: decision ? `${place(decision)}: ${say(`review.quality.${decision.quality}`)}` : say("review.coming"),
      good: decision ? !error : null,
      advice: decision ? [`${sentence(decision.sentence, own)}.`] : [],
      actions: this.actions(state, found, at, decisions.length),
      sheet: el("div", { class: "papers review", id: "papers", popover: "auto" }, el("div", { class: "column" }, this.overview(state), this.luck(), this.turns(), this.finished().toReversed().map((deal) => this.dealSection(deal)))),
      opens: say("review.moves"),
      onKey: (event) => this.pressed(event),
    });
  }

  private actions(state: Ready, found: DecisionMessage | undefined, at: number, count: number): Child {
    const over = state.now.view.phase === "game-over";
    const address = found?.position && `#${new URLSearchParams({ position: found.position, seat: String(state.table.seat) })}`;
    const beside = (name: string, step: number, words: string, there: boolean) =>
      el("button", { id: `review-${name}`, "aria-label": say(`review.${name}`), title: say(`review.${name}`), "aria-disabled": !there && "true", onclick: () => this.step(step) }, words);
    return [
      el("button", { id: "review-back", class: (state.now.choice.mine || over) && "primary", onclick: () => this.steps.enter(0) }, say(over ? "review.to-end" : "review.to-table")),
      beside("before", -1, "‹", at > 0),
      beside("next", 1, "›", at + 1 < count),
      address && el("a", { id: "review-play", class: "button", href: address, target: "_blank" }, say("review.play")),
    ];
  }

  /** The accuracy, the number of moves of each quality, and the curve. */
  private overview(state: Ready): VNode {
    const { decisions, summary, pending, refused } = this;
    const mistakes = decisions.filter(({ decision }) => SURE.includes(decision.quality));
    return el("section", { class: "paper" },
      el("h2", { tabindex: -1, "data-focus": "" }, say("review.title")),
      summary && summary.accuracy !== null && [
        el("p", { class: "accuracy" }, el("b", {}, percent(summary.accuracy)), ` ${say("review.accuracy")}`), el("p", { class: "hint" }, say("review.accuracy-told")),
      ],
      summary && el("ul", { class: "counts" }, QUALITIES.map((quality) => el("li", { class: quality }, el("b", {}, String(summary.counts[quality])), say(`review.quality.${quality}`)))),
      this.curve(),
      el("p", { class: "hint coming", role: "status" }, pending ? say("review.coming") : refused && `${capital(refused)}.`),
      el("p", { class: "buttons" },
        mistakes.length > 0 && !pending && el("button", { id: "practise", class: "primary", onclick: () => this.practise(mistakes) }, say("review.practise", { count: mistakes.length })),
        el("button", { id: "review-leave", onclick: () => this.steps.enter(0) }, say(state.now.view.phase === "game-over" ? "review.to-end" : "review.to-table"))));
  }

  private dealSection(deal: number): VNode {
    const decisions = this.decisions.filter(({ decision }) => decision.deal === deal);
    const want = () => {
      this.want(deal);
      redrawNow();
    };
    return el("section", { class: "paper", key: `deal-${deal}` },
      el("h2", {}, say("review.deal", { deal: deal + 1 })),
      this.summary?.done.includes(deal) && !decisions.length && el("p", { class: "hint" }, say("review.no-choice")),
      this.deals.has(deal)
        ? el("ol", { class: "moves" }, decisions.map(({ decision }) => this.line(decision)))
        : el("button", { id: `review-deal-${deal}`, onclick: want }, say("review.this-deal")));
  }

  /** One decision in the list. */
  private line(decision: Decision): VNode {
    const cards = (move: Move) => cardsOfMove(move).map(cardInText);
    const { mean, interval } = decision.cost[decision.scale];
    const best = decision.quality === "best";
    const [cost, low, high] = [mean, ...interval].map((figure) => points(decision.scale === "win" ? 100 * figure : figure));
    const told = [say(`review.quality.${decision.quality}`), !best && say(`review.cost.${decision.scale}`, { cost, low, high })];
    return el("li", { key: decision.ply },
      el("button", { id: `decision-${decision.ply}`, class: `move ${decision.quality}`, "aria-current": decision.ply === this.selected && "true", onclick: () => this.select(decision.ply) },
        el("span", { class: "trick" }, decision.trick === null ? say("review.pass") : String(decision.trick + 1)),
        el("span", { class: "cards" }, cards(decision.move), !cardsOfMove(decision.move).length && say("review.nothing"),
          !best && el("span", { class: "better" }, el("span", SEEN, " → "), spoken(` ${say("review.better")} `), cards(decision.best[0]))),
        el("span", { class: "quality" }, told.filter(Boolean).join(", "))));
  }

  /** Luck and skill, summed over the deals that were reviewed. */
  private luck(): VNode | null {
    const luck = this.summary?.luck;
    if (!luck) return null;
    const row = (part: "average" | "cards" | "play" | "others" | "points", written = signed, margin = 0) =>
      el("tr", {}, el("th", { scope: "row" }, say(`review.part.${part}`, { count: luck.deals })), el("td", {}, written(luck[part])), el("td", { class: "margin" }, margin > 0 && `± ${number(margin)}`));
    return el("section", { class: "paper" },
      el("h2", {}, say("review.luck")),
      el("table", { class: "parts" }, el("tbody", {},
        row("average", number), row("cards", signed, luck.cards_margin), row("play", signed, luck.play_margin), row("others"), row("points", number))),
      el("p", { class: "hint" }, say("review.luck-told")));
  }

  /** Where the chance to win the match changed most. */
  private turns(): VNode | null {
    const turns = this.summary?.turns.filter(({ before, after }) => percent(before) !== percent(after)) ?? [];
    if (!turns.length) return null;
    const line = (turn: Turn) => {
      const told = [el("b", {}, `${percent(turn.before)} → ${percent(turn.after)}`), ` ${place(turn)}: ${say(`review.turn.${turn.cause}`)}`];
      return el("li", {}, turn.cause === "own" && this.known.has(turn.ply) ? el("button", { class: "link", onclick: () => this.select(turn.ply) }, told) : told);
    };
    return el("section", { class: "paper" }, el("h2", {}, say("review.turns")), el("ul", { class: "turns" }, turns.map(line)));
  }

  /** The chance to win the match from decision to decision. */
  private curve(): VNode | null {
    const { decisions } = this;
    if (decisions.length < 2) return null;
    const along = (at: number) => at / decisions.length;
    const after = this.pending ? undefined : this.summary?.win;
    const places = decisions.flatMap(({ decision: { win, cost } }, at) => [[along(at), win], [along(at + 0.5), win - cost.win.mean]] as const);
    const dots = decisions.map(({ decision: { ply, quality } }, at) => (SURE.includes(quality) || ply === this.selected) &&
      dot(places[2 * at + 1], `${quality}${ply === this.selected ? " current" : ""}`));
    const told = say("review.curve");
    return el("figure", { class: "chances" },
      chart(told, [0, 0.5, 1].map((win) => [win, percent(win)]), [run(after === undefined ? places : [...places, [1, after]], 2), dots]),
      el("figcaption", { class: "hint" }, told));
  }

  // ---------------------------------------------------------------------------------------------------------- practice

  /** Ask for the best moves at one's own mistakes, in another order. */
  private practise(mistakes: DecisionMessage[]): void {
    const left = [...mistakes];
    const next: Next = async () => {
      const mistake = drawn(left)?.decision;
      if (!mistake) return undefined;
      const answer = await this.session.connection.ask({ type: "drill", deal: mistake.deal, ply: mistake.ply });
      const drill = answer?.type === "drill" ? answer.drill : null;
      if (drill) keepDrill(drill, language);
      return drill;
    };
    this.steps.enter(2);
    this.practice = new Drills(next, () => el("button", { onclick: () => this.steps.enter(1) }, say("review.to-review")));
    redrawNow();
  }
}

function place({ deal, trick }: Pick<Decision, "deal" | "trick">): string {
  return trick === null ? say("review.deal", { deal: deal + 1 }) : say("review.place", { deal: deal + 1, trick: trick + 1 });
}
