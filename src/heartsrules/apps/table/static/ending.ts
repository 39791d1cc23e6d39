/** The end of a match: the winners, the course of the match, and what can be done next. */

import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { get, local, refusalText } from "./api.ts";
import { SEEN, el, named, useArranged, type Child } from "./dom.ts";
import { action, arrive } from "./page.ts";
import { name, team } from "./position.ts";
import type { Session } from "./session.ts";
import { positionAt, type Ready } from "./state.ts";
import type { Seat } from "./types.ts";
import { isolated, list, number, say, shortened, signed, total } from "./words.ts";

const WIDEST = 640;

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
  const record = `/api/tables/${session.id}/record`;
  return el("section", { class: "ending", "aria-labelledby": "winner" },
    el("div", { class: "crown" },
      el("p", { class: "over" }, say("end.over", { deals: sheet?.rows.length ?? 0 })),
      el("h2", { id: "winner", ref: heading, tabindex: -1, "data-focus": "" }, won),
      el("ol", { class: "places" }, places),
      el("p", { class: "buttons" },
        next && el("button", { ...again, onclick: () => session.follow(next) }, say("end.come-along")),
        !next && own !== null && el("button", { ...again, onclick: ask }, say("end.again")),
        own !== null && el("button", { id: "review", onclick: openReview }, say("act.review")),
        local
          ? el("button", { id: "save", onclick: (event: Event) => action(event, () => save(session, record)) }, say("end.record"))
          : el("a", { id: "save", class: "button", href: record, download: "hearts.json" }, say("end.record")),
        el("a", { id: "elsewhere", class: "button", href: "#" }, say("end.other")))),
    el("section", { class: "paper" },
      el("h3", {}, say("curve.title")), el(Sized, { view: (width) => curve(state, Math.min(WIDEST, width)) })),
    el("section", { class: "paper" },
      el("h3", {}, say("stats.title")),
      el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": say("stats.title") }, statistics(state))));
}

function Sized({ view }: { view: (width: number) => Child }): VNode {
  const [width, setWidth] = useState(0);
  const node = useArranged(({ clientWidth }) => setWidth(clientWidth));
  return el("div", { class: "course", ref: node }, width >= 120 && view(width));
}

/** The totals after each deal, a line for each player, or for each team; `width` is in pixels. */
function curve(state: Ready, width: number): VNode {
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
  const deals = rows.length;
  const height = Math.max(200, 15 * lines.length + 60);
  const step = niceStep((most - least) / 4);
  const marks = Array.from({ length: Math.floor(most / step) - Math.ceil(least / step) + 1 }, (_, at) => (Math.ceil(least / step) + at) * step);
  const widest = Math.max(...marks.map((mark) => total(mark).length));
  const box = { left: Math.max(38, 9 * widest + 8), right: width - 104, top: 12, bottom: height - 26 };
  const x = (deal: number) => box.left + ((box.right - box.left) * deal) / Math.max(1, deals);
  const y = (points: number) => box.bottom - ((box.bottom - box.top) * (points - least)) / (most - least);
  const end = (totals: number[]) => y(totals.at(-1) ?? 0);
  const ends = spread(lines.map(({ seat, totals }) => ({ seat, at: end(totals) })), 15, box.top + 4, box.bottom);
  const text = (x: number, y: number, words: string, kind: string | null = null, anchor: string | null = null) =>
    el("text", { x, y, class: kind, "text-anchor": anchor }, words);
  const path = (kind: string, d: string) => el("path", { class: kind, d });
  return el("svg", { class: "curve", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": say("curve.told", { deals }) },
    marks.map((mark) => [
      path("grid-line", `M${box.left} ${y(mark)}H${box.right}`), text(box.left - 6, y(mark) + 4, total(mark), null, "end"),
    ]),
    text(box.left, height - 6, say("curve.start")),
    text(box.right, height - 6, say("curve.end", { deals }), null, "end"),
    lines.toSorted((a, b) => Number(a.own) - Number(b.own)).map(({ seat, own, totals }) =>
      path(`run line-${seat}${own ? " own" : ""}`, `M${totals.map((points, deal) => `${x(deal).toFixed(1)} ${y(points).toFixed(1)}`).join("L")}`)),
    lines.map(({ seat, own, name: called, totals }) => [
      el("circle", { class: `line-${seat}`, cx: x(deals), cy: end(totals), r: 3.5 }),
      path("lead-line", `M${x(deals) + 5} ${end(totals)}L${x(deals) + 14} ${ends.get(seat)}`),
      text(x(deals) + 17, (ends.get(seat) ?? 0) + 4, shortened(called, 11), `end${own ? " own" : ""}`),
    ]));
}

/** A round number that is near a step. */
function niceStep(step: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, step)));
  return [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= step) ?? 1;
}

/** Heights of labels that do not cover each other, as near to where they should be as that lets them. */
export function spread(wanted: { seat: Seat; at: number }[], apart: number, top: number, bottom: number): Map<Seat, number> {
  const sorted = wanted.toSorted((a, b) => a.at - b.at);
  const heights = sorted.map(({ at }) => at);
  for (let at = 1; at < heights.length; at += 1) heights[at] = Math.max(heights[at], heights[at - 1] + apart);
  for (let at = heights.length - 1, limit = bottom; at >= 0 && heights[at] > limit; at -= 1, limit -= apart) heights[at] = Math.max(top, limit);
  return new Map(sorted.map(({ seat }, at) => [seat, heights[at]]));
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

/** Save the record of a match that no server has. */
async function save(session: Session, record: string): Promise<void> {
  const answer = await get(record);
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
