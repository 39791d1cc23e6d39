/** The end of a match: the winners, the course of the match, and what can be done next. */

import { Component, createRef, type VNode } from "preact";
import { get, local, refusalText } from "./api.ts";
import { SEEN, component, el, type Child } from "./dom.ts";
import { arrive } from "./focus.ts";
import { action } from "./page.ts";
import { name } from "./position.ts";
import type { Session } from "./session.ts";
import { curve, statistics } from "./sheet.ts";
import { positionAt, type Ready } from "./state.ts";
import { isolated, list, say, total } from "./words.ts";

const WIDEST = 640;

interface Props {
  session: Session;
  state: Ready;
  openReview: () => void;
}

/** The winner's screen of a table. */
class Ending extends Component<Props> {
  private readonly heading = createRef<HTMLElement>();

  override componentDidMount(): void {
    arrive(this.heading.current);
  }

  override render({ session, state, openReview }: Props): VNode {
    const { now: { view, facts }, table, sheet } = state;
    const winners = view.winners ?? [];
    const position = positionAt(state);
    const mine = table.seat !== null && winners.includes(table.seat);
    const names = list(winners.map((seat) => isolated(name(position, seat))));
    const places = facts.standings.map(({ place, seats, total: points }) =>
      el("li", { class: winners.includes(seats[0]) && "first", value: place },
        el("span", { class: "place", ...SEEN }, String(place)),
        el("span", { class: "names" }, seats.map((seat, at) => [at > 0 && ", ", el("bdi", {}, name(position, seat))])),
        el("b", {}, total(points))));
    const { next } = table;
    const again = { id: "play-again", class: "primary" };
    return el("section", { class: "ending", "aria-labelledby": "winner" },
      el("div", { class: "crown" },
        el("p", { class: "over" }, say("end.over", { deals: sheet?.rows.length ?? 0 })),
        el("h2", { id: "winner", ref: this.heading, tabindex: -1, "data-focus": "" }, mine && winners.length === 1 ? say("end.you-win") : say("end.win", { names, count: winners.length, you: mine })),
        el("ol", { class: "places" }, places),
        el("p", { class: "buttons" },
          next
            ? el("button", { ...again, onclick: () => session.follow(next) }, say("end.come-along"))
            : table.seat !== null && el("button", { ...again, onclick: (event: Event) => session.ask({ type: "again" }, event) }, say("end.again")),
          table.seat !== null && el("button", { id: "review", onclick: openReview }, say("act.review")),
          local
            ? el("button", { id: "save", onclick: (event: Event) => action(event, () => save(session)) }, say("end.record"))
            : el("a", { id: "save", class: "button", href: `/api/tables/${session.id}/record`, download: "hearts.json" }, say("end.record")),
          el("a", { id: "elsewhere", class: "button", href: "#" }, say("end.other")))),
      el("section", { class: "paper" }, el("h3", {}, say("curve.title")), component(Sized, { view: (width) => curve(state, Math.min(WIDEST, width)) })),
      el("section", { class: "paper" }, el("h3", {}, say("stats.title")), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": say("stats.title") }, statistics(state))));
  }
}

export const ending = (props: Props): VNode => component(Ending, props);

interface SizedProps {
  view: (width: number) => Child;
}

/** A place whose content depends on its width. */
class Sized extends Component<SizedProps, { width: number }> {
  override state = { width: 0 };
  private readonly node = createRef<HTMLElement>();
  private readonly sized = new ResizeObserver(() => this.measure());

  override componentDidMount(): void {
    this.sized.observe(this.node.current as HTMLElement);
    this.measure();
  }

  override componentWillUnmount(): void {
    this.sized.disconnect();
  }

  private measure(): void {
    const width = this.node.current?.clientWidth ?? 0;
    if (width !== this.state.width) this.setState({ width });
  }

  override render({ view }: SizedProps, { width }: { width: number }): VNode {
    return el("div", { class: "course", ref: this.node }, width >= 120 && view(width));
  }
}

/** Save the record of a match that no server has. */
async function save(session: Session): Promise<void> {
  const answer = await get(`/api/tables/${session.id}/record`);
  if (!answer.ok) {
    session.notice(say("say.refused", { why: refusalText(answer.body) }));
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(answer.body)], { type: "application/json" }));
  link.download = "hearts.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
