/** The faces of bots, drawn from the seat and the level. */

import type { VNode } from "preact";
import { drawing, el } from "./dom.ts";

const DISCS = ["#7b3fa0", "#1f6fb2", "#b3541e", "#2b7a4b", "#a32e5b", "#5a6b1f", "#0f766e", "#8a4b2a", "#4750b5", "#9a6a00", "#6b4c7a"];
const SKINS = ["#f6d7b8", "#e0b48c", "#c58f62", "#f2cba2"];
const HAIRS = [
  "M5 11c0-5 3-7.5 7-7.5s7 2.5 7 7.500c-2-3-4.5-4-7-4s-5 1-7 4Z",
  "M5.5 13c-1.5-6 2-9.5 6.5-9.500s8 3.5 6.5 9.500l-1.5-4.500c-3 .5-7 0-8.5-2l-3 6.500Z",
  "M6 9c1-4 3.5-5.5 6-5.500s5 1.5 6 5.500c-2-1.5-3-2-4-2.5-1.5 1-5.5 1.5-8 2.500Z",
];
const HAIR_COLOURS = ["#3a2a1c", "#7b5a35", "#1b1b1f", "#c9a25a", "#8c3b1f"];
/** By level: the mouth, and what is above the eyes. */
const MOODS: Record<string, [string, string]> = {
  beginner: ["M8.5 15.500c1 2.6 6 2.6 7 0Z", ""],
  usual: ["M9 16c1.2 1.5 4.8 1.5 6 0", ""],
  strong: ["M9.5 16.5h5", "M8 10.200h2.600M13.4 10.200h2.6"],
  expert: ["M9 16.600c2 .5 4.5 0 6-1.6", "M7.8 9.800l3 .9M16.2 9.800l-3 .9"],
};

/** The face of the bot of a seat. It is hidden from assistive technology: its name and style stand beside it. */
export function botFace(seat: number, level: string): VNode {
  const [mouth, brows] = MOODS[level] ?? MOODS.usual;
  const line = { fill: "none", stroke: "#1b1b1f", "stroke-width": 1.1, "stroke-linecap": "round" };
  return drawing("0 0 24 24", "bot-face",
    el("circle", { cx: 12, cy: 12, r: 12, fill: DISCS[seat % DISCS.length] }),
    el("circle", { cx: 12, cy: 13, r: 6.8, fill: SKINS[(seat * 3) % SKINS.length] }),
    el("path", { d: HAIRS[seat % HAIRS.length], fill: HAIR_COLOURS[(seat * 2) % HAIR_COLOURS.length] }),
    [9.5, 14.5].map((cx) => el("circle", { cx, cy: 12.5, r: 1, fill: "#1b1b1f" })),
    [mouth, brows].map((d) => d && el("path", { d, ...line })));
}
