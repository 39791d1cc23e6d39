/** The end of a match: the winners, the course of the match, and what can be done next. */

import { get, local, refusalText } from "./api.js";
import { el, update } from "./dom.js";
import { arrive } from "./focus.js";
import { curve, statistics } from "./sheet.js";
import { isolated, list, say, total } from "./words.js";

const WIDEST = 640;

/** The winner's screen of a table. */
export class Ending {
  /** @param {import("./table.js").TableView} table */
  constructor(table) {
    this.table = table;
    this.curve = el("div", { class: "course" });
    this.node = el("section", { class: "ending", "aria-labelledby": "winner", hidden: true });
    this.sized = new ResizeObserver(() => this.draw());
    this.sized.observe(this.curve);
  }

  close() {
    this.sized.disconnect();
  }

  render() {
    const { table } = this;
    const over = table.now.view.phase === "game-over" && !table.looking;
    const first = over && this.node.hidden;
    this.node.hidden = !over;
    if (!over) return;
    const { standings } = table.now.facts;
    const { winners } = table.now.view;
    const mine = table.seat !== null && winners.includes(table.seat);
    const names = list(winners.map((seat) => isolated(table.name(seat))));
    const places = standings.map(({ place, seats, total: points }) =>
      el("li", { class: winners.includes(seats[0]) ? "first" : null, value: place },
        el("span", { class: "place", "aria-hidden": "true" }, String(place)),
        el("span", { class: "names" }, seats.map((seat, at) => [at > 0 && ", ", el("bdi", {}, table.name(seat))]).flat()),
        el("b", {}, total(points)),
      ));
    const { next } = table.table;
    const again = next
      ? el("button", { id: "play-again", class: "primary", onclick: () => table.follow(next) }, say("end.come-along"))
      : table.seat !== null && el("button", { id: "play-again", class: "primary", onclick: () => table.ask({ type: "again" }) }, say("end.again"));
    update(
      this.node,
      el("div", { class: "crown" },
        el("p", { class: "over" }, say("end.over", { deals: table.now.view.score_sheet.length })),
        el("h2", { id: "winner", tabindex: -1, "data-focus": true }, mine && winners.length === 1 ? say("end.you-win") : say("end.win", { names, count: winners.length, you: mine })),
        el("ol", { class: "places" }, places),
        el("p", { class: "buttons" },
          again,
          table.seat !== null && el("button", { id: "review", onclick: () => table.review.open() }, say("act.review")),
          local
            ? el("button", { id: "save", onclick: () => this.save() }, say("end.record"))
            : el("a", { id: "save", class: "button", href: `/api/tables/${table.id}/record`, download: "hearts.json" }, say("end.record")),
          el("a", { id: "elsewhere", class: "button", href: "#" }, say("end.other")),
        ),
      ),
      el("section", { class: "paper" }, el("h3", {}, say("curve.title")), this.curve),
      el("section", { class: "paper" }, el("h3", {}, say("stats.title")), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": say("stats.title") }, statistics(table))),
    );
    this.draw();
    if (first) arrive(this.node.querySelector("h2"));
  }

  /** Save the record of a match that no server has. */
  async save() {
    const answer = await get(`/api/tables/${this.table.id}/record`);
    if (!answer.ok) {
      this.table.say(say("say.refused", { why: refusalText(answer.body) }));
      return;
    }
    const url = URL.createObjectURL(new Blob([JSON.stringify(answer.body)], { type: "application/json" }));
    el("a", { href: url, download: "hearts.json" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  draw() {
    const width = Math.min(WIDEST, this.curve.clientWidth);
    if (this.node.hidden || width < 120) return;
    if (this.drawn === width && this.curve.firstChild && this.of === this.table.now) return;
    this.drawn = width;
    this.of = this.table.now;
    this.curve.replaceChildren(curve(this.table, width));
  }
}
