/** Moves that a page makes by itself, if somebody wants it: forced cards, and claims of the rest. */

import { cardsOf } from "./cards.js";
import { prefers } from "./preferences.js";

/** How long the position is seen before, in milliseconds. */
const SEEN = 700;

export class Autoplay {
  /** @param {import("./table.js").TableView} table */
  constructor(table) {
    this.table = table;
    this.timer = 0;
    /** The ply of the last position. */
    this.ply = -1;
  }

  close() {
    clearTimeout(this.timer);
  }

  /** Look at a new position. What was taken back is not played again by itself. */
  look() {
    const { now } = this.table;
    clearTimeout(this.timer);
    const back = now.ply < this.ply;
    this.ply = now.ply;
    const act = back || !now.choice.mine || now.view.phase !== "playing" ? null : this.act(now);
    if (act) this.timer = window.setTimeout(() => {
      if (this.table.now === now) act();
    }, SEEN);
  }

  /** What is to be done in a position; null: nothing. @returns {(() => void) | null} */
  act({ view, choice, ply }) {
    const cards = cardsOf(view.hand);
    if (prefers("claim") && (choice.claim || choice.settled) && cards.length > 1) return () => this.table.ask({ type: "claim", ply });
    const free = new Set(cards.filter((card) => choice.cards[card]?.length === 0));
    const [card] = free;
    return prefers("forced") && free.size === 1 ? () => this.table.move({ move: "play", card }) : null;
  }
}
