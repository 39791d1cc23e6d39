/** The score sheet, the course of the match as a curve, and what each player has done in it. */

import { el, named, svg } from "./dom.js";
import { say, shortened, signed, total } from "./words.js";

/**
 * The score sheet: what each deal did to each total, so that the rows add up to the totals below them.
 * @param {import("./table.js").TableView} table
 */
export function scoreSheet(table) {
  const { view, facts } = table.now;
  const { players } = table;
  const heads = Array.from({ length: players }, (_, seat) => el("th", { scope: "col", class: table.team(seat) === null ? null : `team-${table.team(seat)}` }, named(table.name(seat))));
  const start = facts.start.some((each) => each !== 0) && el("tr", { class: "start" }, el("th", { scope: "row" }, say("sheet.start")), facts.start.map((each) => el("td", {}, total(each))));
  const rows = view.score_sheet.map((score, deal) => {
    const cells = table.points[deal].map((points, seat) => {
      const moon = seat === score.shooter && el("span", { class: "moon", title: say("sheet.moon") }, el("span", { "aria-hidden": "true" }, " ☾"), el("span", { class: "sr" }, ` ${say("sheet.moon")}`));
      return el("td", { class: points === 0 ? "nothing" : null }, total(points), moon);
    });
    return el("tr", {}, el("th", { scope: "row" }, String(deal + 1)), cells);
  });
  const totals = el("tr", { class: "totals" }, el("th", { scope: "row" }, say("sheet.total")), facts.totals.map((each) => el("td", {}, total(each))));
  const node = el(
    "table",
    { class: `sheet ${players > 8 ? "crowd" : players > 5 ? "many" : "few"}` },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say("sheet.deal")), heads)),
    el("tbody", {}, start, rows),
    el("tfoot", {}, totals),
  );
  // Where the longest number is wider than a column would be, the sheet is wider than its place, and is scrolled.
  const longest = Math.max(...[...node.querySelectorAll("td")].map((cell) => [...cell.childNodes].reduce((long, child) => long + (child instanceof HTMLElement ? 2 : String(child.textContent).length), 0)));
  node.style.setProperty("--longest", String(longest));
  node.style.setProperty("--columns", String(players));
  return node;
}

/**
 * The totals after each deal, a line for each player, or for each team.
 * @param {import("./table.js").TableView} table
 * @param {number} width in pixels
 */
export function curve(table, width) {
  const { facts } = table.now;
  // A team has the line of its first seat; what is shown may count down, but the points of its seats are added up.
  const sides = table.table.teams ? facts.start.slice(0, table.table.teams).map((_, team) => facts.start.flatMap((_, seat) => (table.team(seat) === team ? [seat] : []))) : facts.start.map((_, seat) => [seat]);
  const together = (row, seats) => facts.zero + seats.reduce((sum, seat) => sum + row[seat] - facts.zero, 0);
  const lines = sides.map((seats) => ({
    seat: seats[0],
    own: seats.includes(table.seat),
    name: table.table.teams ? say("curve.team", { team: Number(table.team(seats[0])) + 1 }) : table.name(seats[0]),
    totals: [facts.start, ...facts.sheet].map((row) => together(row, seats)),
  }));
  const all = lines.flatMap(({ totals }) => totals);
  const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
  const deals = facts.sheet.length;
  const height = Math.max(200, 15 * lines.length + 60);
  const step = niceStep((most - least) / 4);
  const marks = Array.from({ length: Math.floor(most / step) - Math.ceil(least / step) + 1 }, (_, at) => (Math.ceil(least / step) + at) * step);
  const widest = Math.max(...marks.map((mark) => total(mark).length));
  const box = { left: Math.max(38, 9 * widest + 8), right: width - 104, top: 12, bottom: height - 26 };
  const x = (deal) => box.left + ((box.right - box.left) * deal) / Math.max(1, deals);
  const y = (points) => box.bottom - ((box.bottom - box.top) * (points - least)) / (most - least);
  const ends = spread(lines.map(({ seat, totals }) => ({ seat, at: y(totals.at(-1) ?? 0) })), 15, box.top + 4, box.bottom);
  const upwards = lines.toSorted((a, b) => Number(a.own) - Number(b.own));
  return svg(
    "svg",
    { class: "curve", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": say("curve.told", { deals }) },
    ...marks.flatMap((mark) => [
      svg("path", { class: "grid-line", d: `M${box.left} ${y(mark)}H${box.right}` }),
      svg("text", { x: box.left - 6, y: y(mark) + 4, "text-anchor": "end" }, total(mark)),
    ]),
    svg("text", { x: box.left, y: height - 6 }, say("curve.start")),
    svg("text", { x: box.right, y: height - 6, "text-anchor": "end" }, say("curve.end", { deals })),
    ...upwards.map(({ seat, own, totals }) =>
      svg("path", { class: `run line-${seat}${own ? " own" : ""}`, d: `M${totals.map((points, deal) => `${x(deal).toFixed(1)} ${y(points).toFixed(1)}`).join("L")}` }),
    ),
    ...lines.flatMap(({ seat, own, name, totals }) => [
      svg("circle", { class: `line-${seat}`, cx: x(deals), cy: y(totals.at(-1) ?? 0), r: 3.5 }),
      svg("path", { class: "lead-line", d: `M${x(deals) + 5} ${y(totals.at(-1) ?? 0)}L${x(deals) + 14} ${ends.get(seat)}` }),
      svg("text", { class: `end${own ? " own" : ""}`, x: x(deals) + 17, y: (ends.get(seat) ?? 0) + 4 }, shortened(name, 11)),
    ]),
  );
}

/** A round number that is near a step. */
function niceStep(step) {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, step)));
  return [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= step) ?? 1;
}

/** Heights of labels that do not cover each other, as near to where they should be as that lets them. */
function spread(wanted, apart, top, bottom) {
  const sorted = wanted.toSorted((a, b) => a.at - b.at);
  const heights = sorted.map(({ at }) => at);
  for (let at = 1; at < heights.length; at += 1) heights[at] = Math.max(heights[at], heights[at - 1] + apart);
  const over = Math.max(0, (heights.at(-1) ?? 0) - bottom);
  for (let at = heights.length - 1, limit = (heights.at(-1) ?? 0) - over; at >= 0 && heights[at] > limit; at -= 1, limit -= apart) heights[at] = Math.max(top, limit);
  return new Map(sorted.map(({ seat }, at) => [seat, heights[at]]));
}

/**
 * What each player has done in the match.
 * @param {import("./table.js").TableView} table
 */
export function statistics(table) {
  const { view, facts } = table.now;
  const deals = view.score_sheet;
  const columns = ["average", "most", "clean", "tricks", "queens", "moons"];
  const queens = deals.some((deal) => deal.queen_taker !== null);
  const shown = columns.filter((name) => name !== "queens" || queens);
  const mean = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  const told = (seat) => {
    const points = table.points.map((deal) => deal[seat]);
    const count = (test) => deals.filter(test).length;
    return {
      average: mean.format(points.reduce((sum, each) => sum + each, 0) / Math.max(1, deals.length)).replace("-", "\u2212"),
      most: signed(Math.max(...points)),
      clean: String(count((deal) => deal.card_points[seat] === 0)),
      tricks: String(deals.reduce((sum, deal) => sum + deal.tricks_won[seat], 0)),
      queens: String(count((deal) => deal.queen_taker === seat)),
      moons: String(count((deal) => deal.shooter === seat)),
    };
  };
  const rows = facts.totals.map((_, seat) => {
    const values = told(seat);
    return el("tr", {}, el("th", { scope: "row" }, named(table.name(seat))), shown.map((name) => el("td", {}, values[name])));
  });
  return el(
    "table",
    { class: "statistics" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say("stats.player")), shown.map((name) => el("th", { scope: "col" }, el("abbr", { title: say(`stats.${name}.long`) }, say(`stats.${name}`)))))),
    el("tbody", {}, rows),
  );
}
