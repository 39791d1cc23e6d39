/** The panels beside the table: score sheet, last trick and piles, log, and rules. */

import { cardsOf, marked, pictured, ruleSentences } from "./cards.js";
import { el, update } from "./dom.js";
import { introduction } from "./introduction.js";
import { scoreSheet } from "./sheet.js";
import { isolated, list, say, total } from "./words.js";

const LOGGED = 60;

const line = (text) => el("li", {}, pictured(text));

export class Papers {
  /** @param {import("./table.js").TableView} table */
  constructor(table) {
    this.table = table;
    this.sheet = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": say("papers.sheet") });
    this.review = el("button", { class: "small", onclick: () => this.table.review.open() }, say("act.review-deals"));
    this.taken = el("div", { class: "piles" });
    this.lines = el("ol");
    this.told = el("div", { class: "log", tabindex: 0, role: "region", "aria-label": say("papers.log") }, el("div", { role: "log", "aria-label": say("papers.log") }, this.lines));
    this.rules = el("ul", { class: "rules" });
    this.hints = el("p", { class: "rules-hints" });
    const paper = (key, inside, open = true) => el("details", { class: "paper", open }, el("summary", {}, el("h2", {}, say(`papers.${key}`))), inside);
    const column = (...inside) => el("div", { class: "column" }, inside);
    this.node = el("div", { class: "papers", id: "papers", popover: "auto" },
      column(paper("sheet", [this.sheet, this.review]), paper("log", this.told)),
      column(paper("taken", this.taken), paper("rules", [introduction(), this.rules, this.hints], false)));
  }

  render() {
    update(this.sheet, scoreSheet(this.table));
    this.review.hidden = this.table.seat === null || !this.table.now.view.score_sheet.length;
    this.renderTaken();
    const { rules, hints } = this.table.table;
    update(this.rules, ruleSentences(rules));
    update(this.hints, say(`hints.${hints}`));
  }

  /** Add lines to the log. */
  log(texts) {
    this.lines.append(...texts.map(line));
    while (this.lines.children.length > LOGGED) this.lines.firstChild?.remove();
    this.told.scrollTop = this.told.scrollHeight;
  }

  /** Replace the log, without having it read aloud again. */
  replace(texts) {
    this.lines.parentElement.setAttribute("aria-live", "off");
    this.lines.replaceChildren(...texts.slice(-LOGGED).map(line));
    this.told.scrollTop = this.told.scrollHeight;
    setTimeout(() => this.lines.parentElement.removeAttribute("aria-live"), 100);
  }

  /** A completed trick in a sentence, for `pictured`. */
  trickTold(trick) {
    const { table } = this;
    const plays = list(trick.plays.map((card, offset) => `${isolated(table.name(table.board.seatAt(trick, offset)))} ${this.written(card)}`));
    return trick.winner === null ? say("papers.void-trick", { plays }) : say("papers.trick", { plays, ...table.who(trick.winner) });
  }

  /** A card with its special effect, for `pictured`. */
  written(card) {
    return `${marked(card)}${this.table.mark(card) ? ` (${this.table.markName(card)})` : ""}`;
  }

  renderTaken() {
    const { table } = this;
    const { course, board } = table;
    if (!course) {
      update(this.taken, el("p", {}, say("papers.nothing")));
      return;
    }
    const name = (seat) => isolated(table.name(seat));
    const pile = (bag) => cardsOf(bag).map((card) => this.written(card)).join(" ");
    const taken = (bag, seat) => {
      const count = cardsOf(bag).length;
      const points = table.dealPoints(seat);
      // Somebody who took nothing has points of the deal too, if somebody else shot the moon.
      return say("papers.pile", { name: name(seat), cards: pile(bag), count, points, shown: total(points), told: table.scored ? "scored" : count ? "so_far" : "none" });
    };
    update(
      this.taken,
      el("p", {}, board.completed ? pictured(this.trickTold(board.completed)) : say("papers.no-trick")),
      course.kitty_winner !== null && el("p", {}, pictured(say("papers.kitty", { ...table.who(course.kitty_winner), cards: pile(course.kitty ?? ""), count: cardsOf(course.kitty ?? "").length }))),
      el("ul", {}, course.captured.map((bag, seat) => el("li", {}, pictured(taken(bag, seat))))),
    );
  }
}
