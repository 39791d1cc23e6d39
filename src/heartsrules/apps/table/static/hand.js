/** The hand: a fan of cards, the reasons against each, and the cards chosen to be passed or shown. */

import { cardFace, cardsOf, withSigns } from "./cards.js";
import { el, set, update } from "./dom.js";
import { fan } from "./place.js";
import { sorted } from "./sorting.js";
import { capital, isolated, say } from "./words.js";

export class Hand {
  /** @param {import("./table.js").TableView} table */
  constructor(table) {
    this.table = table;
    /** What is chosen to be passed, or to be shown: for each gift, places in the hand. @type {number[][]} */
    this.gifts = [];
    /** The gift that the next card goes into. */
    this.gift = 0;
    /** The options of the pass, from the server. */
    this.options = null;
    /** The pending question about the options, with the choice before it.
     *  @type {{id: number, gifts: number[][]} | null} */
    this.asked = null;
    /** What waits for the answer. @type {(() => void)[]} */
    this.later = [];
    /** The cards by their names and numbers, to keep each element as long as its card is held. @type {Map<string, HTMLElement>} */
    this.held = new Map();
    /** The first size of the hand in this deal, and the deal. */
    this.most = 0;
    this.deal = -1;
    this.node = el("ul", {
      class: "hand",
      "aria-label": say("hand.name"),
      onkeydown: (event) => this.walk(event),
      onfocusout: () => this.table.why(""),
      onmouseleave: () => this.table.why(""),
    });
    this.sized = new ResizeObserver(() => this.arrange());
    this.sized.observe(this.node);
  }

  close() {
    this.sized.disconnect();
  }

  /** Drop the choice: the question has changed. */
  restart() {
    const { view, facts, choice } = this.table.now;
    this.gifts = view.phase === "exposing" ? [[]] : facts.plan.map(() => []);
    this.gift = 0;
    this.options = choice.options ?? null;
    this.asked = null;
    this.later = [];
  }

  // ------------------------------------------------------------------------------------------------------ rendering

  get cards() {
    return sorted(cardsOf(this.table.now.view.hand ?? ""));
  }

  render() {
    const { view, choice } = this.table.now;
    const cards = this.cards;
    const passing = view.phase === "passing" && choice.mine;
    const choosing = passing || (view.phase === "exposing" && choice.mine);
    const had = this.node.contains(document.activeElement) ? Number(/** @type {HTMLElement} */ (document.activeElement).dataset.at) : null;
    this.node.toggleAttribute("data-asking", this.asked !== null);
    this.node.hidden = this.table.seat === null;
    if (view.deal_number !== this.deal || cards.length > this.most) this.most = cards.length;
    this.deal = view.deal_number;
    const advised = this.advised;
    const committed = [...this.committed];
    const seen = new Map();
    const items = cards.map((card, at) => {
      const copy = seen.get(card) ?? 0;
      seen.set(card, copy + 1);
      const whither = advised.filter(([each]) => each === card)[copy]?.[1];
      const sent = committed.indexOf(card);
      if (sent >= 0) committed.splice(sent, 1);
      return this.item(`${card} ${copy}`, card, at, choosing, passing, whither, sent >= 0);
    });
    this.held = new Map(items.map((item) => [item.dataset.key ?? "", item]));
    for (const item of [...this.node.children]) if (!items.includes(/** @type {HTMLElement} */ (item))) item.remove();
    items.forEach((item, at) => {
      if (this.node.children[at] !== item) this.node.insertBefore(item, this.node.children[at] ?? null);
    });
    this.arrange();
    // The focused card was played: focus the one in its place.
    if (had !== null && !this.node.contains(document.activeElement) && items.length) items[Math.min(had, items.length - 1)].querySelector("button")?.focus();
  }

  /** The cards that a hint is about, each with what it says of them. @returns {[string, string][]} */
  get advised() {
    const { move } = this.table.hint ?? {};
    const gifts = this.table.giftTexts();
    const told = (at) => (gifts.length > 1 ? `${say("hint.card")}, ${gifts[at]}` : say("hint.card"));
    const bags = Array.isArray(move?.cards) ? move.cards : [move?.card ?? move?.cards ?? ""];
    return bags.flatMap((bag, at) => cardsOf(bag).map((card) => /** @type {[string, string]} */ ([card, told(at)])));
  }

  /** The cards that this seat has committed to pass or to show, while the others still choose. @returns {string[]} */
  get committed() {
    const { view, choice } = this.table.now;
    if (choice.mine) return [];
    const bags = { passing: view.commitment, "dealing-back": view.commitment, exposing: [view.exposure] }[view.phase] ?? [];
    return bags.flatMap((bag) => cardsOf(bag ?? ""));
  }

  /** One card. Its element stays the same while it is held. */
  item(key, card, at, choosing, passing, whither, committed) {
    const { table } = this;
    const against = this.against(card, at);
    const gift = this.gifts.findIndex((places) => places.includes(at));
    const sent = passing && gift >= 0 && this.gifts.length > 1 ? `, ${table.giftTexts()[gift]}` : "";
    let item = this.held.get(key);
    if (!item) {
      const button = el("button", { class: "card" });
      const made = el("li", { "data-key": key }, button, el("span", { hidden: true }));
      button.addEventListener("click", () => this.choose(button.dataset.card, Number(button.dataset.at)));
      for (const name of ["mouseenter", "focus"]) button.addEventListener(name, () => this.tell(made));
      item = made;
    }
    const [button, why] = item.children;
    const dim = !committed && against.some((reason) => reason.code !== "not-your-turn");
    item.className = dim ? "dim" : against.length ? "waiting" : "free";
    item.classList.toggle("advised", whither !== undefined);
    item.classList.toggle("committed", committed);
    const verdict = table.verdict(card);
    set(button, {
      "aria-label": `${table.named(card)}${sent}${whither === undefined ? "" : `, ${whither}`}${committed ? `, ${say("hand.committed")}` : ""}${verdict ? `, ${verdict.told}` : ""}`,
      "aria-disabled": against.length > 0 ? "true" : null,
      "aria-describedby": against.length > 0 ? `why-${at}` : null,
      "aria-pressed": choosing ? String(gift >= 0) : null,
      // Arrows lead to a dimmed card, whose reason can be read there; Tab does not stop at it.
      tabindex: dim ? -1 : null,
      "data-card": card,
      "data-at": at,
    });
    update(button, cardFace(card, table.mark(card)?.sign), verdict && el("span", { class: `tag ${verdict.good ? "good" : "bad"}`, "aria-hidden": "true" }, verdict.text));
    set(why, { id: `why-${at}` });
    why.textContent = against.length > 0 ? this.reasons(against) : "";
    return item;
  }

  /** Show why a card is dimmed. */
  tell(item) {
    this.table.why(item.classList.contains("dim") ? item.lastElementChild.textContent : "");
  }

  /** Fan the cards. */
  arrange() {
    const room = this.node.clientWidth;
    if (!room) return;
    const items = /** @type {HTMLElement[]} */ ([...this.node.children]);
    const card = items[0]?.offsetWidth;
    // Between two deals its place is kept, so that nothing on the page moves.
    if (!card) return;
    const places = fan(items.length, this.most, room - 8, card);
    this.node.style.setProperty("--rows", String(places[0].rows));
    this.node.toggleAttribute("data-straight", places[0].rows > 1);
    items.forEach((item, at) => {
      const { x, row, off } = places[at];
      item.style.setProperty("--x", `${x.toFixed(1)}px`);
      item.style.setProperty("--row", String(row));
      item.style.setProperty("--off", off.toFixed(3));
    });
  }

  /** The position of a card in the hand, before it is played. */
  origin(card) {
    return this.node.querySelector(`[data-card="${card}"]`)?.getBoundingClientRect();
  }

  // ------------------------------------------------------------------------------------------------------- choosing

  /** The cards of the hand that may be shown. */
  get showable() {
    const { choice } = this.table.now;
    return this.cards.filter((card) => choice.cards?.[card]?.length === 0);
  }

  /** The server's reasons against choosing a card; empty if there are none. */
  against(card, at) {
    const { view, choice } = this.table.now;
    if (view.phase !== "passing" || !choice.mine) return choice.cards?.[card] ?? [];
    // A card that is chosen may always be taken back.
    return this.gifts.some((places) => places.includes(at)) ? [] : (this.options.cards[this.gift][card] ?? []);
  }

  reasons(against) {
    const turn = this.table.now.choice.to_act[0];
    const own = {
      "not-your-turn": () => say("why.not-your-turn", { name: isolated(this.table.name(turn)) }),
      "already-passed": () => say("why.already-passed"),
      "already-decided": () => say("why.already-decided"),
      "wrong-number-of-cards": () => say("why.enough"),
    };
    return against.map(({ code, message }) => own[code]?.() ?? withSigns(capital(message))).join(". ");
  }

  /** Move the focus between cards by the arrow keys. */
  walk(event) {
    const last = this.node.children.length - 1;
    const at = Number(event.target.dataset?.at);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || Number.isNaN(at)) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (this.node.querySelector(`[data-at="${Math.max(0, Math.min(last, to))}"]`))?.focus();
  }

  choose(card, at) {
    const { table } = this;
    if (this.asked) {
      this.later.push(() => this.choose(card, at));
      return;
    }
    const against = this.against(card, at);
    if (against.length) {
      table.say(`${this.reasons(against)}.`);
      return;
    }
    table.say("");
    const { view } = table.now;
    if (view.phase === "playing") {
      table.move({ move: "play", card });
      return;
    }
    const before = this.gifts;
    const of = before.findIndex((places) => places.includes(at));
    if (of >= 0) this.gift = of;
    this.gifts = before.map((places, gift) => (gift !== this.gift ? places : of >= 0 ? places.filter((place) => place !== at) : [...places, at]));
    if (view.phase === "passing") this.ask(before);
    table.chosen();
  }

  /** The incomplete pass, as a document. */
  get pass() {
    const hand = this.cards;
    return { move: "pass", seat: this.table.seat, cards: this.gifts.map((places) => places.map((at) => hand[at]).join(" ")) };
  }

  /** Ask how the pass may go on; `before` is what was chosen before. A question that cannot be sent now is asked when
   *  the connection is back. */
  ask(before) {
    this.asked = { id: this.table.connection.choose(this.table.now.ply, this.pass), gifts: before };
    this.table.sayLost();
  }

  /** Take the answer about the options; null: the last choice was refused. */
  answered(options, id) {
    if (!this.asked || this.asked.id !== id) return;
    if (options) this.options = options;
    else this.gifts = this.asked.gifts;
    this.asked = null;
    const { missing } = this.options;
    if (!missing[this.gift]) this.gift = Math.max(0, missing.findIndex((count) => count > 0));
    const waiting = this.later;
    this.later = [];
    this.table.chosen();
    for (const act of waiting) act();
  }
}
