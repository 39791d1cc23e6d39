/** The review of one's own moves at a table, deal by deal: each beside the best one, as a list and as a position. */

import "./core.ts";
import type { VNode } from "preact";
import { refusalText } from "./api.ts";
import { cardInText } from "./cards.ts";
import { SEEN, el, spoken, type Child } from "./dom.ts";
import { Drills } from "./drills.ts";
import { arrive } from "./focus.ts";
import type { Verdict } from "./hand.ts";
import { redraw, redrawNow } from "./page.ts";
import { trickKey, type Position } from "./position.ts";
import { sentence } from "./sentences.ts";
import type { Session } from "./session.ts";
import { positionAt, ready, type Ready } from "./state.ts";
import type { Steps } from "./steps.ts";
import { keepDrill } from "./storage.ts";
import { cardsOfMove, points, shuffled, study } from "./study.ts";
import type { Card, Decision, DecisionMessage, Drill, LuckAndSkill, Message, Move, Turn } from "./types.ts";
import { capital, language, number, say } from "./words.ts";

const SURE = ["mistake", "blunder"];
const ERRORS = ["inaccuracy", ...SURE];
/** How long to wait before asking again, in milliseconds. */
const AGAIN = 2000;
/** Refusals that may be over soon. */
const SOON = ["too-many-reviews", "review-coming"];
/** Limit of the turning points. */
const TURNS = 5;
const [WIDE, HIGH] = [360, 130];
const percent = (value: number) => number(value, { style: "percent", maximumFractionDigits: 0 });
const whole = (value: number) => number(value);
const signed = (value: number) => number(value, { signDisplay: "exceptZero" });

/** What is known of a deal. Once all its decisions are there: the chance to win after it, luck and skill, its turning points. */
interface Deal {
  decisions: Map<number, DecisionMessage>;
  win: number | null;
  parts: LuckAndSkill | null;
  turns: readonly Turn[];
  done: boolean;
  refused: string;
}

export class ReviewPage {
  private readonly deals = new Map<number, Deal>();
  /** The deals that are to be reviewed, the pending one first. */
  private readonly queue: number[] = [];
  /** The id of the pending request. */
  private asked = 0;
  private later: ReturnType<typeof setTimeout> | undefined;
  /** The ply of the selected decision, and whether somebody has selected it. */
  private selected: number | null = null;
  private chosen = false;
  private practice: Drills | null = null;
  private shown = false;
  /** What is done when it is drawn. */
  private arriving: (() => void) | null = null;
  /** The drills of mistakes, by ply. */
  private readonly drills = new Map<number, Drill | null>();

  constructor(private readonly session: Session, private readonly steps: Steps) {}

  close(): void {
    clearTimeout(this.later);
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
      for (const deal of this.session.state.now.view.phase === "game-over" ? finished : finished.slice(-1)) this.want(deal);
      this.arriving = () => {
        const sheet = document.getElementById("papers");
        // Where there is one column, the whole comes before the single move.
        if (matchMedia("(max-width: 71.99rem)").matches) sheet?.showPopover();
        arrive(sheet?.querySelector("[data-focus]") ?? null);
      };
    } else if (depth === 0 && this.shown) this.arriving = () => arrive(document.querySelector("#winner, #prompt"));
    this.shown = depth > 0;
  }

  private finished(): number[] {
    return Array.from({ length: this.session.state.sheet?.rows.length ?? 0 }, (_, deal) => deal);
  }

  /** The decisions that are known, in their order. */
  private get decisions(): DecisionMessage[] {
    return [...this.deals.values()].flatMap(({ decisions }) => [...decisions.values()]).sort((a, b) => a.decision.ply - b.decision.ply);
  }

  // ---------------------------------------------------------------------------------------------------------- requests

  /** Have a deal reviewed, unless it was. */
  private want(deal: number): void {
    if (this.deals.has(deal)) return;
    this.deals.set(deal, { decisions: new Map(), win: null, parts: null, turns: [], done: false, refused: "" });
    this.queue.push(deal);
    if (this.queue.length === 1) this.ask();
  }

  /** Ask for the next deal. One that cannot be sent now is asked for when the connection is back. */
  private ask(): void {
    clearTimeout(this.later);
    const [deal] = this.queue;
    if (deal !== undefined) this.asked = this.session.connection.request({ type: "review", deal });
  }

  /** The connection is back: what was asked for is not answered any more. What is known already stays. */
  connected(): void {
    this.ask();
  }

  /** Take an answer, and return True if it was one. */
  receive(message: Message): boolean {
    if (!("id" in message) || message.id !== this.asked) return false;
    const deal = this.deals.get(this.queue[0]);
    if (!deal) return false;
    if (message.type === "decision") {
      deal.decisions.set(message.decision.ply, message);
      this.selected ??= message.decision.ply;
    } else if (message.type === "refused" && SOON.includes(message.code)) this.later = setTimeout(() => this.ask(), AGAIN);
    else if (message.type === "reviewed" || message.type === "refused") {
      if (message.type === "reviewed") Object.assign(deal, { win: message.win, parts: message.parts, turns: message.turns });
      Object.assign(deal, { done: true, refused: message.type === "refused" ? refusalText(message) : "" });
      this.queue.shift();
      this.ask();
      const worst = this.decisions.filter(({ decision }) => SURE.includes(decision.quality)).sort((a, b) => b.decision.cost.value.mean - a.decision.cost.value.mean)[0];
      if (!this.chosen && worst) this.selected = worst.decision.ply;
    } else return false;
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
    const position: Position = { table: { ...own.table, hints: "alone" }, rows: own.rows, gone: trickKey({ now: shown }), now: { view: shown.view, facts: shown.facts, choice: { ...shown.choice, mine: false } } };
    return study({
      position, verdicts,
      prompt: decision ? `${place(decision)}: ${say(`review.quality.${decision.quality}`)}` : say("review.coming"),
      good: decision ? !error : null,
      advice: decision ? [`${sentence(decision.sentence, own)}.`] : [],
      actions: this.actions(state, found, at, decisions.length),
      sheet: el("div", { class: "papers review", id: "papers", popover: "auto" }, el("div", { class: "column" }, this.summary(state), this.luck(), this.turns(), this.finished().toReversed().map((deal) => this.dealSection(deal)))),
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
  private summary(state: Ready): VNode {
    const { decisions } = this;
    const mistakes = decisions.filter(({ decision }) => SURE.includes(decision.quality));
    const stake = (each: DecisionMessage[]) => each.reduce((sum, { decision }) => sum + Math.max(0, decision.at_random), 0);
    const [right, all] = [stake(decisions.filter(({ decision }) => !ERRORS.includes(decision.quality))), stake(decisions)];
    const count = (quality: string) => decisions.filter(({ decision }) => decision.quality === quality).length;
    const pending = this.queue.length > 0;
    return el("section", { class: "paper" },
      el("h2", { tabindex: -1, "data-focus": "" }, say("review.title")),
      all > 0 && [el("p", { class: "accuracy" }, el("b", {}, percent(right / all)), ` ${say("review.accuracy")}`), el("p", { class: "hint" }, say("review.accuracy-told"))],
      decisions.length > 0 && el("ul", { class: "counts" }, ["best", "fine", ...ERRORS].map((quality) => el("li", { class: quality }, el("b", {}, String(count(quality))), say(`review.quality.${quality}`)))),
      this.curve(),
      el("p", { class: "hint coming", role: "status" }, pending && say("review.coming")),
      el("p", { class: "buttons" },
        mistakes.length > 0 && !pending && el("button", { id: "practise", class: "primary", onclick: () => this.practise(mistakes) }, say("review.practise", { count: mistakes.length })),
        el("button", { id: "review-leave", onclick: () => this.steps.enter(0) }, say(state.now.view.phase === "game-over" ? "review.to-end" : "review.to-table"))));
  }

  private dealSection(deal: number): VNode {
    const known = this.deals.get(deal);
    const want = () => {
      this.want(deal);
      redrawNow();
    };
    return el("section", { class: "paper", key: `deal-${deal}` },
      el("h2", {}, say("review.deal", { deal: deal + 1 })),
      known
        ? [
            known.refused && el("p", { class: "hint" }, `${capital(known.refused)}.`),
            known.done && !known.refused && !known.decisions.size && el("p", { class: "hint" }, say("review.no-choice")),
            el("ol", { class: "moves" }, [...known.decisions.values()].map(({ decision }) => this.line(decision))),
          ]
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
    const all = [...this.deals.values()].flatMap(({ parts }) => parts ?? []);
    if (!all.length) return null;
    const sum = (name: "points" | "average" | "cards" | "play") => Math.round(all.reduce((total, each) => total + each[name], 0));
    const [came, average, cards, play] = [sum("points"), sum("average"), sum("cards"), sum("play")];
    const row = (part: string, figure: string, margin = 0) =>
      el("tr", {}, el("th", { scope: "row" }, say(`review.part.${part}`, { count: all.length })), el("td", {}, figure), el("td", { class: "margin" }, margin > 0 && `± ${whole(margin)}`));
    const margin = (name: "cards_margin" | "play_margin") => Math.round(Math.hypot(...all.map((each) => each[name])));
    return el("section", { class: "paper" },
      el("h2", {}, say("review.luck")),
      el("table", { class: "parts" }, el("tbody", {},
        row("average", whole(average)),
        row("cards", signed(cards), margin("cards_margin")),
        row("play", signed(play), margin("play_margin")),
        row("others", signed(came - average - cards - play)),
        row("points", whole(came)))),
      el("p", { class: "hint" }, say("review.luck-told")));
  }

  /** Where the chance to win the match changed most. */
  private turns(): VNode | null {
    const turns = [...this.deals.values()].flatMap((deal) => deal.turns)
      .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before)).slice(0, TURNS)
      .filter(({ before, after }) => percent(before) !== percent(after)).sort((a, b) => a.ply - b.ply);
    if (!turns.length) return null;
    const known = new Set(this.decisions.map(({ decision }) => decision.ply));
    const line = (turn: Turn) => {
      const told = [el("b", {}, `${percent(turn.before)} → ${percent(turn.after)}`), ` ${place(turn)}: ${say(`review.turn.${turn.cause}`)}`];
      return el("li", {}, turn.cause === "own" && known.has(turn.ply) ? el("button", { class: "link", onclick: () => this.select(turn.ply) }, told) : told);
    };
    return el("section", { class: "paper" }, el("h2", {}, say("review.turns")), el("ul", { class: "turns" }, turns.map(line)));
  }

  /** The chance to win the match from decision to decision. */
  private curve(): VNode | null {
    const { decisions } = this;
    if (decisions.length < 2) return null;
    const box = { left: 42, right: WIDE - 6, top: 8, bottom: HIGH - 8 };
    const x = (at: number) => box.left + ((box.right - box.left) * at) / decisions.length;
    const y = (win: number) => box.bottom - (box.bottom - box.top) * win;
    const after = this.deals.get(decisions[decisions.length - 1].decision.deal)?.win ?? null;
    const run = decisions.flatMap(({ decision: { win, cost } }, at) => [[x(at), y(win)], [x(at + 0.5), y(win - cost.win.mean)]]);
    if (after !== null) run.push([x(decisions.length), y(after)]);
    const told = say("review.curve");
    const mark = ({ decision: { ply, quality, win, cost } }: DecisionMessage, at: number) => (SURE.includes(quality) || ply === this.selected) &&
      el("circle", { class: `${quality}${ply === this.selected ? " current" : ""}`, cx: x(at + 0.5).toFixed(1), cy: y(win - cost.win.mean).toFixed(1), r: 4 });
    return el("figure", { class: "chances" },
      el("svg", { class: "curve", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": told },
        [0, 0.5, 1].map((win) => [el("path", { class: "grid-line", d: `M${box.left} ${y(win)}H${box.right}` }), el("text", { x: box.left - 4, y: y(win) + 4, "text-anchor": "end" }, percent(win))]),
        el("path", { class: "run line-2", d: `M${run.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join("L")}` }),
        decisions.map(mark)),
      el("figcaption", { class: "hint" }, told));
  }

  // ---------------------------------------------------------------------------------------------------------- practice

  /** Ask for the best moves at one's own mistakes, in another order. */
  private practise(mistakes: DecisionMessage[]): void {
    const left = shuffled(mistakes.length).map((at) => mistakes[at].decision);
    const next = async (): Promise<Drill | null> => {
      for (let each = left.pop(); each; each = left.pop()) {
        const { deal, ply } = each;
        if (!this.drills.has(ply)) {
          const answer = await this.session.connection.ask({ type: "drill", deal, ply });
          this.drills.set(ply, answer?.type === "drill" ? answer.drill : null);
        }
        const drill = this.drills.get(ply);
        if (!drill) continue;
        keepDrill(drill, language);
        return drill;
      }
      return null;
    };
    this.steps.enter(2);
    this.practice = new Drills(next, () => el("button", { onclick: () => this.steps.enter(1) }, say("review.to-review")));
    redrawNow();
  }
}

function place({ deal, trick }: Pick<Decision, "deal" | "trick">): string {
  return trick === null ? say("review.deal", { deal: deal + 1 }) : say("review.place", { deal: deal + 1, trick: trick + 1 });
}
