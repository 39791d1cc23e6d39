/** A position without a table behind it, to look at or to answer: the board, the hand, and what is said of them. */

import { Board } from "./board.js";
import { withSigns } from "./cards.js";
import { el, update } from "./dom.js";
import { Hand } from "./hand.js";
import { Position } from "./position.js";
import { capital, language, say } from "./words.js";

const cost = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** Points with one decimal and a typographic sign. @param {number} number */
export function points(number) {
  return cost.format(number).replace("-", "\u2212");
}

/** Points as short as they can stand on a card. @param {number} number */
export function shortPoints(number) {
  return points(Math.abs(number) < 0.95 ? number : Math.round(number)).replace(/[.,]0$/, "");
}

/** The cards of a move. @param {any} move @returns {string[]} */
export function cardsOfMove({ card, gifts, cards }) {
  return (card ?? gifts?.join(" ") ?? cards ?? "").split(" ").filter(Boolean);
}

export class Study extends Position {
  /**
   * @param {HTMLElement | null} sheet what stands beside the board
   * @param {string} opens what opens it where the window is narrow
   */
  constructor(sheet = null, opens = "") {
    super();
    this.opens = opens;
    this.board = new Board(this);
    this.hand = new Hand(this);
    // A pass is not put together here, but chosen as a whole.
    this.hand.choose = (card, at) => this.choose(card, at);
    this.parts = {
      prompt: el("p", { id: "prompt", role: "status", tabindex: -1, "data-focus": true }),
      notice: el("p", { id: "notice", role: "alert" }),
      why: el("p", { id: "why", "aria-hidden": "true" }),
      advice: el("div", { id: "advice", role: "status" }),
      actions: el("div", { class: "actions", role: "group", "aria-label": say("act.name") }),
      choices: el("div", { class: "actions choices", role: "group", "aria-label": say("drill.choices"), hidden: true }),
    };
    const { prompt, notice, why, advice, actions, choices } = this.parts;
    this.surface = el("div", { class: "surface study" },
      this.board.node,
      el("div", { class: "mine" }, el("div", { class: "said" }, prompt, why, notice), actions, advice, choices, this.hand.node));
    this.game = el("div", { class: sheet ? "game" : "game alone" }, el("div", { class: "place" }, this.surface), sheet);
    /** What is said of cards, by card. @type {Map<string, {text: string, told: string, good: boolean}>} */
    this.verdicts = new Map();
  }

  close() {
    this.board.close();
    this.hand.close();
  }

  verdict(card) {
    return this.verdicts.get(card);
  }

  /**
   * Show a position.
   * @param {any} table who plays, as in a message of the type `table`
   * @param {{view: any, facts: any, choice: any}} position
   */
  show(table, { view, facts, choice }) {
    this.table = { hints: "alone", ...table };
    const mine = choice.mine && view.phase === "playing" && this.verdicts.size === 0;
    this.now = { view, facts, choice: { ...choice, mine }, ply: 0 };
    this.board.laid = null;
    this.hand.restart();
    this.render();
  }

  render() {
    if (!this.now) return;
    const { view, choice } = this.now;
    Object.assign(this.game.dataset, { phase: view.phase, mine: choice.mine });
    this.board.render();
    this.hand.render();
  }

  /** Say something of the position, and whether it is good. */
  tell(prompt, advice, good = null) {
    this.parts.prompt.textContent = withSigns(prompt);
    this.parts.prompt.className = good === null ? "" : good ? "good" : "bad";
    update(this.parts.advice, advice.map((line) => el("p", {}, capital(withSigns(line)))));
  }

  say(text) {
    this.parts.notice.textContent = text;
    this.parts.why.textContent = "";
  }

  why(text) {
    this.parts.why.textContent = text;
    if (text) this.parts.notice.textContent = "";
  }

  /** Take the press of a card. */
  choose(card, at) {
    const against = this.hand.against(card, at);
    if (against.length && this.now.choice.mine) this.say(`${this.hand.reasons(against)}.`);
    else {
      this.say("");
      if (this.now.choice.mine) this.answer({ card });
    }
  }

  /** Take an answer: here nothing is asked. @param {any} move */
  answer(move) {}
}
