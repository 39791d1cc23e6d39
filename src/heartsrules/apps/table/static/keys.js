/** The keys of the table, wherever the focus is, but for fields and menus. */

import { prefers } from "./preferences.js";
import { say } from "./words.js";

/** Reasons that go away when another card is taken back. */
const PASSING = "wrong-number-of-cards";

export class Keys {
  /** @param {import("./table.js").TableView} table */
  constructor(table) {
    this.table = table;
    this.listen = (event) => this.pressed(event);
    document.addEventListener("keydown", this.listen);
  }

  close() {
    document.removeEventListener("keydown", this.listen);
  }

  /** The cards that may be chosen, from the left; of a pass that is complete, all that might be in it. @returns {HTMLElement[]} */
  get eligible() {
    const { hand } = this.table;
    const buttons = /** @type {HTMLElement[]} */ ([...hand.node.querySelectorAll(".card")]);
    return buttons.filter((button) => hand.against(button.dataset.card, Number(button.dataset.at)).every(({ code }) => code === PASSING));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {Element} */ (event.target);
    const { hand, now, game } = this.table;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || !prefers("keys")) return;
    if (!now?.choice.mine || game.hidden || !game.isConnected || target.closest("input, select, textarea, .tool, .papers")) return;
    const inHand = hand.node.contains(target);
    const act = this.action(event.key, target, inHand);
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** What a key does; null: nothing here. @returns {(() => void) | null} */
  action(key, target, inHand) {
    const cards = this.eligible;
    if (/^\d$/.test(key)) {
      const card = cards[(Number(key) + 9) % 10];
      return card ? () => this.table.hand.choose(card.dataset.card, Number(card.dataset.at)) : null;
    }
    if (!inHand && (key === "ArrowRight" || key === "ArrowLeft")) {
      const card = cards.at(key === "ArrowRight" ? 0 : -1);
      return card ? () => card.focus() : null;
    }
    if (key === "Enter" && !target.closest("a, button, summary")) {
      const button = /** @type {HTMLElement | null} */ (this.table.parts.actions.querySelector(".primary"));
      return button ? () => button.click() : null;
    }
    const named = cards.filter((card) => say("card.rank", { rank: card.dataset.card[0] }) === key.toUpperCase());
    // The next one of this rank after the focused card, or else the first one.
    const next = named.find((card) => inHand && Number(card.dataset.at) > Number(target.dataset.at)) ?? named[0];
    return next ? () => next.focus() : null;
  }
}
