/** The review of one's own moves at a table, deal by deal: each beside the best one, as a list and as a position. */

import { refusalText } from "./api.js";
import { cardInText } from "./cards.js";
import { el, svg, update } from "./dom.js";
import { Drills } from "./drills.js";
import { arrive } from "./focus.js";
import { keepDrill } from "./memory.js";
import { Study, cardsOfMove, points } from "./study.js";
import { capital, isolated, language, say } from "./words.js";

const SURE = ["mistake", "blunder"];
const ERRORS = ["inaccuracy", ...SURE];
/** How long to wait before asking again, in milliseconds. */
const AGAIN = 2000;
/** Refusals that may be over soon. */
const SOON = ["too-many-reviews", "review-coming"];
/** The most turning points that are told. */
const TURNS = 5;
const [WIDE, HIGH] = [360, 130];
const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const typographic = (options) => {
  const format = new Intl.NumberFormat(language, options);
  return (number) => format.format(number).replace("-", "\u2212");
};
const [whole, signed] = [typographic({}), typographic({ signDisplay: "exceptZero" })];

/** Add an entry to the browser's history, unless this is it already. @param {number} depth 1: a review; 2: its practice */
function enter(depth) {
  if (history.state?.study !== depth) history.pushState({ study: depth }, "");
}

export class Review {
  /** @param {import("./table.js").TableView} table */
  constructor(table) {
    this.table = table;
    this.shown = false;
    /** By deal, the decisions so far. Once all are there: the chance to win after it, luck and skill, and its turning points.
     *  @type {Map<number, {decisions: any[], win: number | null, parts: any, turns: any[], done: boolean, refused: string}>} */
    this.deals = new Map();
    /** The deals that are to be reviewed, the pending one first. @type {number[]} */
    this.queue = [];
    /** The id of the pending request. */
    this.asked = 0;
    /** The drills to come, by the number of the request. @type {Map<number, (drill: any) => void>} */
    this.drills = new Map();
    /** @type {any} */
    this.selected = null;
    this.chosen = false;
    this.list = el("div", { class: "column" });
    this.sheet = el("div", { class: "papers review", id: "papers", popover: "auto" }, this.list);
    this.study = new Study(this.sheet, say("review.moves"));
    this.study.surface.addEventListener("keydown", (event) => this.pressed(event));
    this.moved = () => this.follow();
    addEventListener("popstate", this.moved);
  }

  close() {
    clearTimeout(this.later);
    removeEventListener("popstate", this.moved);
    this.study.close();
    this.practice?.close();
  }

  /** The finished deals, from 0. */
  get finished() {
    const { now } = this.table;
    return Array.from({ length: now.view.score_sheet.length }, (_, deal) => deal);
  }

  /** The decisions that are known, in their order. @returns {any[]} */
  get decisions() {
    return [...this.deals].sort(([a], [b]) => a - b).flatMap(([, { decisions }]) => decisions);
  }

  /** Open the review, with an entry of the browser's history, so that going back closes it. */
  open() {
    enter(1);
    this.show();
  }

  /** Close the review. */
  leave() {
    if (history.state?.study) history.back();
    else this.hide();
  }

  /** Show what the entry of the browser's history stands for: the table, the review, or the practice. */
  follow() {
    const depth = history.state?.study ?? 0;
    if (depth < 2 && this.practice) this.endPractice();
    if (depth === 0 && this.shown) this.hide();
    else if (depth > 0 && !this.shown && this.table.now) this.show();
  }

  /** Show the review of the last deal, or after a match of all. */
  show() {
    const { table } = this;
    this.shown = true;
    for (const deal of table.now.view.phase === "game-over" ? this.finished : this.finished.slice(-1)) this.want(deal);
    table.main.replaceChildren(this.study.game);
    this.render();
    // Where there is one column, the whole comes before the single move.
    if (matchMedia("(max-width: 71.99rem)").matches) this.sheet.showPopover();
    arrive(this.sheet.querySelector("[data-focus]"));
  }

  /** Show the table again. */
  hide() {
    const { table } = this;
    this.shown = false;
    table.main.replaceChildren(table.parts.waiting, table.game);
    table.render();
    arrive(table.now.view.phase === "game-over" ? table.ending.node.querySelector("h2") : table.parts.prompt);
  }

  // ------------------------------------------------------------------------------------------------------ requests

  /** Have a deal reviewed, unless it was. */
  want(deal) {
    if (this.deals.has(deal)) return;
    this.deals.set(deal, { decisions: [], win: null, parts: null, turns: [], done: false, refused: "" });
    this.queue.push(deal);
    if (this.queue.length === 1) this.ask();
  }

  /** Ask for the next deal. One that cannot be sent now is asked for when the connection is back. */
  ask() {
    clearTimeout(this.later);
    const [deal] = this.queue;
    if (deal === undefined) return;
    this.deals.get(deal).decisions = [];
    this.asked = this.request({ type: "review", deal });
  }

  /** Send a request, and return its id. */
  request(request) {
    const { connection } = this.table;
    const id = connection.next;
    connection.ask(request);
    return id;
  }

  /** The connection is back: what was asked for is not answered any more. */
  connected() {
    for (const done of this.drills.values()) done(null);
    this.drills.clear();
    this.ask();
  }

  /** Take an answer. @param {any} message @returns {boolean} whether it was one */
  receive(message) {
    const { type, id } = message;
    if (type === "drill" || (type === "refused" && this.drills.has(id))) {
      this.drills.get(id)?.(message.drill ?? null);
      this.drills.delete(id);
      return true;
    }
    if (id !== this.asked || !["decision", "reviewed", "refused"].includes(type)) return false;
    const deal = this.deals.get(this.queue[0]);
    if (!deal) return false;
    if (type === "decision") {
      deal.decisions.push(message);
      if (!this.selected) this.selected = message;
    } else if (type === "refused" && SOON.includes(message.code)) {
      this.later = setTimeout(() => this.ask(), AGAIN);
    } else {
      const { win = null, parts = null, turns = [] } = message;
      Object.assign(deal, { done: true, win, parts, turns, refused: type === "refused" ? refusalText(message) : "" });
      this.queue.shift();
      this.ask();
      if (!this.chosen) this.selected = this.decisions.filter(({ decision }) => SURE.includes(decision.quality)).sort((a, b) => b.decision.cost.points.mean - a.decision.cost.points.mean)[0] ?? this.selected;
    }
    if (this.shown && !this.practice) this.render();
    return true;
  }

  // ------------------------------------------------------------------------------------------------------ rendering

  /** Show one decision. */
  select(found) {
    if (!found) return;
    this.selected = found;
    this.chosen = true;
    if (this.sheet.matches(":popover-open")) this.sheet.hidePopover();
    this.render();
  }

  /** Go to a decision beside the selected one. @param {number} step */
  step(step) {
    const { decisions } = this;
    this.select(decisions[decisions.indexOf(this.selected) + step]);
  }

  pressed(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.step(step);
  }

  /** Show what is known. */
  render() {
    const { table, study, selected } = this;
    if (selected) {
      const { decision } = selected;
      const made = cardsOfMove(decision.move);
      const best = cardsOfMove(decision.best[0]);
      const error = ERRORS.includes(decision.quality);
      study.verdicts = new Map(best.map((card) => [card, { text: "✓", told: say("review.best-card"), good: true }]));
      for (const card of made) if (!study.verdicts.has(card)) study.verdicts.set(card, { text: error ? "✗" : "≈", told: say("review.made-card"), good: !error });
      study.show(table.table, selected);
      study.tell(`${this.place(decision)}: ${say(`review.quality.${decision.quality}`)}`, [`${decision.sentence}.`], error ? false : true);
    } else {
      study.show(table.table, table.now);
      study.tell(say("review.coming"), []);
    }
    const { decisions } = this;
    const at = decisions.indexOf(selected);
    const address = selected?.position && `#${new URLSearchParams({ position: selected.position, seat: String(table.seat) })}`;
    update(study.parts.actions,
      el("button", { id: "review-back", class: table.now.choice.mine || table.now.view.phase === "game-over" ? "primary" : null, onclick: () => this.leave() }, say(table.now.view.phase === "game-over" ? "review.to-end" : "review.to-table")),
      el("button", { id: "review-before", "aria-label": say("review.before"), title: say("review.before"), "aria-disabled": at > 0 ? null : "true", onclick: () => this.step(-1) }, "‹"),
      el("button", { id: "review-next", "aria-label": say("review.next"), title: say("review.next"), "aria-disabled": at + 1 < decisions.length ? null : "true", onclick: () => this.step(1) }, "›"),
      address && el("a", { id: "review-play", class: "button", href: address, target: "_blank" }, say("review.play")));
    this.renderList();
  }

  place({ deal, trick }) {
    return trick === null ? say("review.deal", { deal: deal + 1 }) : say("review.place", { deal: deal + 1, trick: trick + 1 });
  }

  /** The summary, the curve, and the moves of each deal. */
  renderList() {
    const { decisions } = this;
    const mistakes = decisions.filter(({ decision }) => SURE.includes(decision.quality));
    const stake = decisions.reduce((sum, { decision }) => sum + decision.at_random, 0);
    const lost = decisions.reduce((sum, { decision }) => sum + decision.cost.value.mean, 0);
    const count = (quality) => decisions.filter(({ decision }) => decision.quality === quality).length;
    const counts = ["best", "fine", ...ERRORS].map((quality) => el("li", { class: quality }, el("b", {}, String(count(quality))), say(`review.quality.${quality}`)));
    update(this.list,
      el("section", { class: "paper" },
        el("h2", { tabindex: -1, "data-focus": true }, say("review.title")),
        stake > 0 && el("p", { class: "accuracy" }, el("b", {}, percent.format(Math.max(0, 1 - lost / stake))), ` ${say("review.accuracy")}`),
        decisions.length > 0 && el("ul", { class: "counts" }, counts),
        this.curve(),
        this.queue.length > 0 && el("p", { class: "hint", role: "status" }, say("review.coming")),
        el("p", { class: "buttons" },
          mistakes.length > 0 && this.queue.length === 0 && el("button", { id: "practise", class: "primary", onclick: () => this.practise(mistakes) }, say("review.practise", { count: mistakes.length })),
          el("button", { id: "review-leave", onclick: () => this.leave() }, say(this.table.now.view.phase === "game-over" ? "review.to-end" : "review.to-table")))),
      this.luck(),
      this.turns(),
      this.finished.toReversed().map((deal) => this.dealSection(deal)));
  }

  dealSection(deal) {
    const known = this.deals.get(deal);
    const told = el("h2", {}, say("review.deal", { deal: deal + 1 }));
    if (!known) return el("section", { class: "paper" }, told, el("button", { id: `review-deal-${deal}`, onclick: () => { this.want(deal); this.render(); } }, say("review.this-deal")));
    return el("section", { class: "paper" }, told,
      known.refused && el("p", { class: "hint" }, `${capital(known.refused)}.`),
      known.done && !known.refused && !known.decisions.length && el("p", { class: "hint" }, say("review.no-choice")),
      el("ol", { class: "moves" }, known.decisions.map((each) => this.line(each))));
  }

  /** One decision in the list. */
  line(found) {
    const { decision } = found;
    const cards = (move) => cardsOfMove(move).map(cardInText);
    const { mean, interval } = decision.cost.points;
    const best = decision.quality === "best";
    const told = [say(`review.quality.${decision.quality}`), !best && say("review.cost", { points: points(mean), low: points(interval[0]), high: points(interval[1]) })].filter(Boolean).join(", ");
    return el("li", {},
      el("button", { id: `decision-${decision.ply}`, class: `move ${decision.quality}`, "aria-current": found === this.selected ? "true" : null, onclick: () => this.select(found) },
        el("span", { class: "trick" }, decision.trick === null ? say("review.pass") : String(decision.trick + 1)),
        el("span", { class: "cards" }, cards(decision.move), !cardsOfMove(decision.move).length && say("review.nothing"), !best && el("span", { class: "better" }, el("span", { "aria-hidden": "true" }, " → "), el("span", { class: "sr" }, ` ${say("review.better")} `), cards(decision.best[0]))),
        el("span", { class: "quality" }, told)));
  }

  /** Luck and skill, summed over the deals that were reviewed. */
  luck() {
    const all = [...this.deals.values()].flatMap(({ parts }) => parts ?? []);
    if (!all.length) return null;
    const sum = (name) => all.reduce((total, each) => total + each[name], 0);
    const [came, average, cards, play] = ["points", "average", "cards", "play"].map((name) => Math.round(sum(name)));
    const row = (part, figure, margin = 0) =>
      el("tr", {}, el("th", { scope: "row" }, say(`review.part.${part}`, { count: all.length })), el("td", {}, figure), el("td", { class: "margin" }, margin > 0 && `± ${whole(margin)}`));
    const margin = (name) => Math.round(Math.hypot(...all.map((each) => each[name])));
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
  turns() {
    const turns = [...this.deals.values()].flatMap((deal) => deal.turns)
      .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before)).slice(0, TURNS)
      .filter(({ before, after }) => percent.format(before) !== percent.format(after)).sort((a, b) => a.ply - b.ply);
    if (!turns.length) return null;
    const line = (turn) => {
      const told = [el("b", {}, `${percent.format(turn.before)} → ${percent.format(turn.after)}`), ` ${this.place(turn)}: ${say(`review.turn.${turn.cause}`)}`];
      const own = turn.cause === "own" && this.decisions.find(({ decision }) => decision.ply === turn.ply);
      return el("li", {}, own ? el("button", { class: "link", onclick: () => this.select(own) }, told) : told);
    };
    return el("section", { class: "paper" }, el("h2", {}, say("review.turns")), el("ul", { class: "turns" }, turns.map(line)));
  }

  /** The chance to win the match from decision to decision. */
  curve() {
    const { decisions } = this;
    if (decisions.length < 2) return null;
    const box = { left: 42, right: WIDE - 6, top: 8, bottom: HIGH - 8 };
    const x = (at) => box.left + ((box.right - box.left) * at) / decisions.length;
    const y = (win) => box.bottom - (box.bottom - box.top) * win;
    const after = this.deals.get(decisions.at(-1).decision.deal)?.win;
    const run = decisions.flatMap(({ decision: { win, cost } }, at) => [[x(at), y(win)], [x(at + 0.5), y(win - cost.win.mean)]]);
    if (after !== null && after !== undefined) run.push([x(decisions.length), y(after)]);
    const told = say("review.curve");
    return el("figure", { class: "chances" },
      svg("svg", { class: "curve", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": told },
        ...[0, 0.5, 1].flatMap((win) => [svg("path", { class: "grid-line", d: `M${box.left} ${y(win)}H${box.right}` }), svg("text", { x: box.left - 4, y: y(win) + 4, "text-anchor": "end" }, percent.format(win))]),
        svg("path", { class: "run line-2", d: `M${run.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join("L")}` }),
        ...decisions.flatMap((found, at) => {
          const { quality, win, cost } = found.decision;
          if (!SURE.includes(quality) && found !== this.selected) return [];
          return [svg("circle", { class: `${quality}${found === this.selected ? " current" : ""}`, cx: x(at + 0.5).toFixed(1), cy: y(win - cost.win.mean).toFixed(1), r: 4 })];
        })),
      el("figcaption", { class: "hint" }, told));
  }

  // ------------------------------------------------------------------------------------------------------ practice

  /** Ask for the best moves at one's own mistakes, in another order. */
  practise(mistakes) {
    const { table } = this;
    const left = mistakes.toSorted(() => Math.random() - 0.5);
    const next = async () => {
      for (let each = left.pop(); each; each = left.pop()) {
        const { deal, ply } = each.decision;
        each.drill ??= await new Promise((done) => this.drills.set(this.request({ type: "drill", deal, ply }), done));
        if (each.drill) {
          keepDrill(each.drill, language);
          return each.drill;
        }
      }
      return null;
    };
    if (this.sheet.matches(":popover-open")) this.sheet.hidePopover();
    enter(2);
    this.practice = new Drills(table.main, next, el("button", { onclick: () => history.back() }, say("review.to-review")));
  }

  /** Show the review again. */
  endPractice() {
    this.practice.close();
    this.practice = null;
    this.table.main.replaceChildren(this.study.game);
    this.render();
  }
}
