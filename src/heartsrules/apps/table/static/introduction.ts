/** The usual game in five steps, for whoever has never played it. */

import type { VNode } from "preact";
import { el } from "./dom.ts";
import { say } from "./words.ts";

const STEPS = ["goal", "pass", "follow", "trick", "moon"];

/** A fold with the steps. */
export function introduction(): VNode {
  return el("details", { class: "introduction" }, el("summary", {}, say("intro.title")), el("ol", {}, STEPS.map((step) => el("li", {}, say(`intro.${step}`)))));
}
