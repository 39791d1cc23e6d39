/** The score sheet, the course of the match as a curve, and what each player has done in it. */

import type { VNode } from "preact";
import { SEEN, el, named, spoken } from "./dom.ts";
import { name, team, teamClass, type Position } from "./position.ts";
import { positionAt, type Ready } from "./state.ts";
import type { Seat } from "./types.ts";
import { number, say, shortened, signed, total } from "./words.ts";

/** The score sheet: what each deal did to each total, so that the rows add up to the totals below them. */
export function scoreSheet(position: Position): VNode {
  const { now: { facts }, rows } = position;
  const start = rows.length ? rows[0].totals.map((each, seat) => each - rows[0].points[seat]) : facts.totals;
  const count = facts.totals.length;
  const moon = say("sheet.moon");
  const head = facts.totals.map((_, seat) => el("th", { scope: "col", class: teamClass(position, seat) }, named(name(position, seat))));
  const cell = (points: number, shot: boolean) => el("td", { class: points === 0 && "nothing" }, total(points), shot && el("span", { class: "moon", title: moon }, el("span", SEEN, " ☾"), spoken(` ${moon}`)));
  // Where the longest number is wider than a column would be, the sheet is wider than its place, and is scrolled.
  const longest = Math.max(...[start, facts.totals].flat().map((each) => total(each).length), ...rows.flatMap(({ points, shooter }) => points.map((each, seat) => total(each).length + (seat === shooter ? 2 : 0))));
  return el("table", { class: `sheet ${count > 8 ? "crowd" : count > 5 ? "many" : "few"}`, style: { "--longest": longest, "--columns": count } },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say("sheet.deal")), head)),
    el("tbody", {},
      start.some((each) => each !== 0) && el("tr", { class: "start" }, el("th", { scope: "row" }, say("sheet.start")), start.map((each) => el("td", {}, total(each)))),
      rows.map(({ points, shooter }, deal) => el("tr", {}, el("th", { scope: "row" }, String(deal + 1)), points.map((each, seat) => cell(each, seat === shooter))))),
    el("tfoot", {}, el("tr", { class: "totals" }, el("th", { scope: "row" }, say("sheet.total")), facts.totals.map((each) => el("td", {}, total(each))))));
}

/** The totals after each deal, a line for each player, or for each team; `width` is in pixels. */
export function curve(state: Ready, width: number): VNode {
  const { table, sheet } = state;
  const position = positionAt(state);
  const { zero = 0, start = [], rows = [] } = sheet ?? {};
  // A team has the line of its first seat; what is shown may count down, but the points of its seats are added up.
  const sides = new Map<number, Seat[]>();
  start.forEach((_, seat) => {
    const side = team(position, seat) ?? seat;
    sides.set(side, [...(sides.get(side) ?? []), seat]);
  });
  const together = (totals: readonly number[], seats: Seat[]) => zero + seats.reduce((sum, seat) => sum + totals[seat] - zero, 0);
  const lines = [...sides].map(([side, seats]) => ({
    seat: seats[0],
    own: table.seat !== null && seats.includes(table.seat),
    name: team(position, seats[0]) === null ? name(position, seats[0]) : say("curve.team", { team: side + 1 }),
    totals: [start, ...rows.map((row) => row.totals)].map((totals) => together(totals, seats)),
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
  const upwards = lines.toSorted((a, b) => Number(a.own) - Number(b.own));
  return el("svg", { class: "curve", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": say("curve.told", { deals }) },
    marks.map((mark) => [
      el("path", { class: "grid-line", d: `M${box.left} ${y(mark)}H${box.right}` }),
      el("text", { x: box.left - 6, y: y(mark) + 4, "text-anchor": "end" }, total(mark)),
    ]),
    el("text", { x: box.left, y: height - 6 }, say("curve.start")),
    el("text", { x: box.right, y: height - 6, "text-anchor": "end" }, say("curve.end", { deals })),
    upwards.map(({ seat, own, totals }) =>
      el("path", { class: `run line-${seat}${own ? " own" : ""}`, d: `M${totals.map((points, deal) => `${x(deal).toFixed(1)} ${y(points).toFixed(1)}`).join("L")}` })),
    lines.map(({ seat, own, name: called, totals }) => [
      el("circle", { class: `line-${seat}`, cx: x(deals), cy: end(totals), r: 3.5 }),
      el("path", { class: "lead-line", d: `M${x(deals) + 5} ${end(totals)}L${x(deals) + 14} ${ends.get(seat)}` }),
      el("text", { class: `end${own ? " own" : ""}`, x: x(deals) + 17, y: (ends.get(seat) ?? 0) + 4 }, shortened(called, 11)),
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
  const over = Math.max(0, (heights.at(-1) ?? 0) - bottom);
  for (let at = heights.length - 1, limit = (heights.at(-1) ?? 0) - over; at >= 0 && heights[at] > limit; at -= 1, limit -= apart) heights[at] = Math.max(top, limit);
  return new Map(sorted.map(({ seat }, at) => [seat, heights[at]]));
}

/** What each player has done in the match. */
export function statistics(state: Ready): VNode {
  const found = state.sheet?.statistics ?? [];
  const position = positionAt(state);
  const columns = ["average", "most", "clean", "tricks", "queens", "moons"].filter((each) => each !== "queens" || found.some(({ queens }) => queens !== null));
  const told = (own: (typeof found)[number]): Record<string, string> => ({
    average: number(own.average, { maximumFractionDigits: 1, minimumFractionDigits: 1 }),
    most: signed(own.most), clean: String(own.clean), tricks: String(own.tricks), queens: String(own.queens ?? 0), moons: String(own.moons),
  });
  return el("table", { class: "statistics" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say("stats.player")), columns.map((each) => el("th", { scope: "col" }, el("abbr", { title: say(`stats.${each}.long`) }, say(`stats.${each}`)))))),
    el("tbody", {}, found.map((own, seat) => el("tr", {}, el("th", { scope: "row" }, named(name(position, seat))), columns.map((each) => el("td", {}, told(own)[each]))))));
}
