/** Charts: lines from left to right, and what their heights mean. Places are parts of the width and of the height. */

import type { VNode } from "preact";
import { SEEN, el, type Child } from "./dom.ts";
import type { Seat } from "./types.ts";

type Place = readonly [along: number, up: number];
const path = (kind: string, places: readonly Place[], style: object = {}) =>
  el("path", { class: kind, style, d: `M${places.map(([along, up]) => `${(100 * along).toFixed(2)} ${(100 - 100 * up).toFixed(2)}`).join("L")}` });

export const colour = (seat: Seat): object => ({ color: `var(--line-${seat})` });
export const run = (places: readonly Place[], seat: Seat, own = false): VNode => path(own ? "run own" : "run", places, colour(seat));

/** A dot: a line without a length, whose ends are round whatever the shape of the chart. */
export const dot = (place: Place, kind: string): VNode => path(`point ${kind}`, [place, place]);

/** A chart of runs and dots; `marks` are heights, each with its words. */
export function chart(told: string, marks: readonly (readonly [up: number, words: string])[], inside: Child): VNode {
  return el("div", { class: "curve", role: "img", "aria-label": told },
    marks.map(([up, words]) => el("span", { style: { "--up": up } }, words)),
    el("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", ...SEEN }, marks.map(([up]) => path("grid-line", [[0, up], [1, up]])), inside));
}
