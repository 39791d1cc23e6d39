/** The usual game in five steps, for whoever has never played it. */

import { el } from "./dom.js";
import { say } from "./words.js";

const STEPS = ["goal", "pass", "follow", "trick", "moon"];

/** A fold with the steps. */
export function introduction() {
  return el("details", { class: "introduction" }, el("summary", {}, say("intro.title")), el("ol", {}, STEPS.map((step) => el("li", {}, say(`intro.${step}`)))));
}
