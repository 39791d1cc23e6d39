/** The end of a match: the winners, the course of the match, and what can be done next. */

import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { get, refusalText } from "./api.ts";
import { chart, colour, run } from "./chart.ts";
import { SEEN, el, named } from "./dom.ts";
import { action, arrive } from "./page.ts";
import { name, team } from "./position.ts";
import type { Session } from "./session.ts";
import { positionAt, type Ready } from "./state.ts";
import type { Seat } from "./types.ts";
import { isolated, list, number, say, signed, total } from "./words.ts";

interface Props {
  session: Session;
  state: Ready;
  openReview: () => void;
}

export function Ending({ session, state, openReview }: Props): VNode {
  const heading = useRef<HTMLElement>(null);
  useLayoutEffect(() => arrive(heading.current), []);
  const { now: { view, facts }, table: { seat: own, next }, sheet } = state;
  const winners = view.winners ?? [];
  const position = positionAt(state);
  const mine = own !== null && winners.includes(own);
  const names = list(winners.map((seat) => isolated(name(position, seat))));
  const won = mine && winners.length === 1 ? say("end.you-win") : say("end.win", { names, count: winners.length, you: mine });
  const places = facts.standings.map(({ place, seats, total: points }) =>
    el("li", { class: winners.includes(seats[0]) && "first", value: place },
      el("span", { class: "place", ...SEEN }, String(place)),
      el("span", { class: "names" }, seats.map((seat, at) => [at > 0 && ", ", el("bdi", {}, name(position, seat))])),
      el("b", {}, total(points))));
  const again = { id: "play-again", class: "primary" };
  const ask = (event: Event) => session.ask({ type: "again" }, event);
  return el("section", { class: "ending", "aria-labelledby": "winner" },
    el("div", { class: "crown" },
      el("p", { class: "over" }, say("end.over", { deals: sheet?.rows.length ?? 0 })),
      el("h2", { id: "winner", ref: heading, tabindex: -1, "data-focus": "" }, won),
      el("ol", { class: "places" }, places),
      el("p", { class: "buttons" },
        next && el("button", { ...again, onclick: () => session.follow(next) }, say("end.come-along")),
        !next && own !== null && el("button", { ...again, onclick: ask }, say("end.again")),
        own !== null && el("button", { id: "review", onclick: openReview }, say("act.review")),
        el("button", { id: "save", onclick: (event: Event) => action(event, () => save(session)) }, say("end.record")),
        el("a", { id: "elsewhere", class: "button", href: "#" }, say("end.other")))),
    el("section", { class: "paper" },
      el("h3", {}, say("curve.title")), curve(state)),
    el("section", { class: "paper" },
      el("h3", {}, say("stats.title")),
      el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": say("stats.title") }, statistics(state))));
}

/** The totals after each deal: a line for each player, or for each team, and their names in the order of the last totals. */
function curve(state: Ready): VNode {
  const { table, sheet } = state;
  const position = positionAt(state);
  const { zero = 0, start = [], rows = [] } = sheet ?? {};
  // A team has the line of its first seat; what is shown may count down, but the points of its seats are added up.
  const side = (seat: Seat) => team(position, seat) ?? seat;
  const sides = start.map((_, seat) => start.flatMap((_, other) => (side(other) === side(seat) ? [other] : [])));
  const lines = sides.filter(([first], seat) => first === seat).map((seats) => ({
    seat: seats[0],
    own: table.seat !== null && seats.includes(table.seat),
    name: team(position, seats[0]) === null ? name(position, seats[0]) : say("curve.team", { team: side(seats[0]) + 1 }),
    totals: [start, ...rows.map((row) => row.totals)].map((totals) => zero + seats.reduce((sum, seat) => sum + totals[seat] - zero, 0)),
  }));
  const all = lines.flatMap(({ totals }) => totals);
  const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
  const up = (points: number) => (points - least) / (most - least);
  const marks = [least, Math.round((least + most) / 2), most].map((points) => [up(points), total(points)] as const);
  const deals = rows.length;
  const runs = lines.toSorted((a, b) => Number(a.own) - Number(b.own)).map(({ seat, own, totals }) =>
    run(totals.map((points, deal) => [deal / Math.max(1, deals), up(points)]), seat, own));
  const last = ({ totals }: (typeof lines)[number]) => totals.at(-1) ?? 0;
  return el("div", { class: "course" },
    chart(say("curve.told", { deals }), marks, runs),
    el("ul", SEEN, lines.toSorted((a, b) => last(b) - last(a)).map(({ seat, own, name }) =>
      el("li", { class: own && "own" }, el("span", { class: "key", style: colour(seat) }), el("bdi", {}, name)))),
    el("p", { class: "hint", ...SEEN }, el("span", {}, say("curve.start")), el("span", {}, say("curve.end", { deals }))));
}

function statistics(state: Ready): VNode {
  const found = state.sheet?.statistics ?? [];
  const position = positionAt(state);
  const one = { maximumFractionDigits: 1, minimumFractionDigits: 1 };
  const cells = ({ average, most, clean, tricks, queens, moons }: (typeof found)[number]) =>
    ({ average: number(average, one), most: signed(most), clean, tricks, ...(queens === null ? {} : { queens }), moons });
  const columns = Object.keys(found.map(cells)[0] ?? {});
  return el("table", { class: "statistics" },
    el("thead", {}, el("tr", {},
      el("th", { scope: "col" }, say("stats.player")),
      columns.map((each) => el("th", { scope: "col" }, el("abbr", { title: say(`stats.${each}.long`) }, say(`stats.${each}`)))))),
    el("tbody", {}, found.map((own, seat) => el("tr", {},
      el("th", { scope: "row" }, named(name(position, seat))),
      Object.values(cells(own)).map((told) => el("td", {}, String(told)))))));
}

/** Save the record of the match. */
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
