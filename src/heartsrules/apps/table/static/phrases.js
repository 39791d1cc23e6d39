/** Phrases that players say to each other: a menu to say one, and bubbles at the places of those who did. */

import { el, svg } from "./dom.js";
import { menu } from "./menus.js";
import { prefers } from "./preferences.js";
import { isolated, say } from "./words.js";

const PHRASES = ["hello", "luck", "nice", "ouch", "sorry", "thanks", "moment", "game", "again", "bye"];
/** How long a bubble is shown, in milliseconds. */
const SHOWN = 4000;
const BUBBLE = "M4 4h16a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-9l-5 4v-4h-2a1.5 1.5 0 0 1-1.5-1.5v-10a1.5 1.5 0 0 1 1.5-1.5Z";

export class Phrases {
  /** @param {import("./table.js").TableView} table */
  constructor(table) {
    this.table = table;
    const button = (phrase) => el("button", { type: "button", onclick: () => this.utter(phrase) }, say(`phrase.${phrase}`));
    this.node = menu("phrases", [svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: BUBBLE }))], say("phrases.title"), [el("div", { class: "phrases" }, PHRASES.map(button))]);
    /** The bubbles by seat, each with its end. @type {Map<number, {bubble: HTMLElement, end: number}>} */
    this.bubbles = new Map();
    this.heard = el("p", { class: "sr", role: "status" });
  }

  close() {
    this.silence();
  }

  /** Remove all bubbles. */
  silence() {
    for (const { end } of this.bubbles.values()) clearTimeout(end);
    for (const { bubble } of this.bubbles.values()) bubble.remove();
    this.bubbles.clear();
  }

  utter(phrase) {
    this.node.open = false;
    this.node.querySelector("summary")?.focus({ preventScroll: true });
    this.table.ask({ type: "say", phrase });
  }

  /** Show what a player says at their place; where the table is covered, above it. Others can be muted. */
  hear(seat, phrase) {
    if (seat !== this.table.seat && !prefers("phrases")) return;
    const words = say(`phrase.${phrase}`);
    const before = this.bubbles.get(seat);
    if (before) clearTimeout(before.end);
    before?.bubble.remove();
    const plate = this.table.board.seats.children[seat]?.firstElementChild;
    const seen = plate?.checkVisibility();
    const name = this.table.name(seat);
    this.heard.textContent = say("phrases.heard", { name: isolated(name), phrase: words });
    const bubble = el("p", { class: seen ? "bubble" : "bubble aloud", "aria-hidden": "true" }, seen ? words : say("phrases.heard", { name: isolated(name), phrase: words }));
    (seen ? this.table.board.seats.children[seat] : document.body).append(bubble);
    const end = window.setTimeout(() => {
      bubble.remove();
      this.bubbles.delete(seat);
    }, SHOWN);
    this.bubbles.set(seat, { bubble, end });
  }
}
