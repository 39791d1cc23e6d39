/** The table: it shows what the server says, and asks the server for what is chosen. It knows no rules. */

import { Connection } from "./connection.js";
import { cardFace, cardName, cardsOf } from "./cards.js";
import { el, list } from "./dom.js";
import { collect, calm, fly } from "./motion.js";
import { sentence } from "./narrate.js";

const LOGGED = 60;

export class TableView {
  /**
   * @param {HTMLElement} main where it is shown
   * @param {HTMLElement} status where it says whether it is connected
   * @param {string} table
   * @param {string | null} token of a seat; null: to watch
   * @param {(refusal: any) => void} onRefused the table, or the token, is unknown, or the table cannot go on
   */
  constructor(main, status, table, token, onRefused) {
    this.id = table;
    this.status = status;
    this.onRefused = onRefused;
    /** The last messages: who sits where, and how things stand. */
    this.table = null;
    this.now = null;
    /** What is chosen to be passed, or to be shown: for each gift, places in the hand. @type {number[][]} */
    this.gifts = [];
    /** The gift that the next card goes into. */
    this.gift = 0;
    /** How the pass may go on, as the server says. */
    this.options = null;
    /** The question how it may go on that has not been answered yet, with what was chosen before.
     *  @type {{id: number, gifts: number[][]} | null} */
    this.asked = null;
    /** What waits for the answer. @type {(() => void)[]} */
    this.later = [];
    /** Whether the connection was lost since the last view. */
    this.lost = false;
    /** What the hand shows, to see whether it has changed. */
    this.shown = "";
    /** The trick whose cards have been moved to whoever won them. */
    this.gone = null;
    this.parts = {
      lobby: el("section", { class: "panel", "aria-label": "Before the game" }),
      prompt: el("p", { id: "prompt", role: "status" }),
      notice: el("p", { id: "notice", role: "alert" }),
      seats: el("ol", { class: "seats", "aria-label": "Seats and the current trick" }),
      facts: el("p", { id: "facts" }),
      actions: el("div", { class: "actions", role: "group", "aria-label": "What you can do" }),
      hand: el("ul", { class: "hand", "aria-label": "Your hand", onkeydown: (event) => this.walk(event) }),
      sheet: el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Score sheet" }),
      taken: el("div"),
      log: el("ol", { class: "log", role: "log", "aria-label": "What has happened", tabindex: 0 }),
      rules: el("p"),
    };
    const { lobby, prompt, notice, seats, facts, actions, hand, sheet, taken, log, rules } = this.parts;
    this.game = el(
      "div",
      { class: "game" },
      el("div", { class: "board" }, seats, el("div", { class: "middle" }, prompt, facts)),
      notice,
      actions,
      hand,
      el(
        "div",
        { class: "papers" },
        el("section", {}, el("h2", {}, "Score sheet"), sheet),
        el("section", {}, el("h2", {}, "Last trick and cards taken"), taken),
        el("section", {}, el("h2", {}, "What has happened"), log),
        el("section", {}, el("h2", {}, "Rules"), rules),
      ),
    );
    main.replaceChildren(lobby, this.game);
    this.connection = new Connection(table, token, (message) => this.receive(message), (state, refusal) => this.connected(state, refusal));
  }

  close() {
    this.connection.close();
  }

  connected(state, refusal) {
    this.status.textContent = { connected: "Connected", lost: "Connection lost: trying again…", refused: "" }[state];
    this.status.className = state;
    if (state === "refused") this.onRefused(refusal);
    if (state === "lost") this.lost = true;
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "table") {
      this.table = message;
      this.renderLobby();
      if (this.now) this.render();
    } else if (message.type === "view") {
      this.take(message);
    } else if (message.type === "options") {
      this.answered(message, message.id);
    } else if (message.type === "refused" && this.now) {
      // A refusal without a number is of a message that was not even read.
      this.answered(null, message.id ?? this.asked?.id);
      this.say(`Refused: ${message.message}`);
      this.render();
    }
  }

  /** Take over how things stand now, and show what has happened. */
  take(message) {
    const before = this.now;
    const events = message.events.events;
    const same = before?.view.phase === message.view.phase && before?.view.deal_number === message.view.deal_number;
    if (!same || !["passing", "exposing"].includes(message.view.phase)) {
      this.gifts = message.view.phase === "exposing" ? [[]] : message.facts.step.map(() => []);
      this.gift = 0;
      this.options = message.choice.options ?? null;
      this.asked = null;
      this.later = [];
    }
    this.now = message;
    // What was asked before a break is not answered any more.
    if (this.lost && this.asked) this.askOptions(this.asked.gifts);
    this.lost = false;
    this.say("");
    const places = calm() ? null : this.places(events);
    this.render();
    for (const event of events) this.log(sentence(event, (seat) => this.name(seat)));
    const ended = events.find((event) => event.code === "trick-won" || event.code === "trick-void");
    const played = events.find((event) => event.code === "card-played");
    if (places && ended) {
      collect(this.parts.seats, this.completed().cards, (offset) => this.seatAt(this.completed(), offset), ended.winner, () => {
        this.gone = this.now.view.trick?.length ? null : this.completed();
        this.renderSeats();
      });
    } else if (places && played) {
      fly(this.parts.seats.querySelector(`[data-seat="${played.seat}"] .played svg`), places.get(played.seat));
    }
  }

  /** Where cards come from before they are shown on the table: by seat. */
  places(events) {
    const places = new Map();
    for (const event of events) {
      if (event.code !== "card-played") continue;
      const own = event.seat === this.seat && this.parts.hand.querySelector(`[data-card="${event.card}"]`);
      const from = own || this.parts.seats.querySelector(`[data-seat="${event.seat}"] .who`);
      if (from) places.set(event.seat, from.getBoundingClientRect());
    }
    return places;
  }

  /** @returns {number | null} */
  get seat() {
    return this.table?.seat ?? null;
  }

  get players() {
    return this.table.people.length;
  }

  name(seat) {
    if (seat === this.seat) return "You";
    return this.table.people[seat].name || `Seat ${seat + 1}`;
  }

  say(text) {
    this.parts.notice.textContent = text;
  }

  /** Ask for something that is not a move, or say that nobody listens. */
  ask(request) {
    if (!this.connection.ask(request)) this.say("That was not sent: the connection is lost. Try again once it is back.");
  }

  log(text) {
    this.parts.log.append(el("li", {}, text));
    while (this.parts.log.children.length > LOGGED) this.parts.log.firstChild?.remove();
    this.parts.log.scrollTop = this.parts.log.scrollHeight;
  }

  // ------------------------------------------------------------------------------------------------- before the game

  renderLobby() {
    const { started, people } = this.table;
    const { lobby, notice, actions } = this.parts;
    lobby.hidden = started;
    this.game.hidden = !started;
    if (started) {
      if (!this.game.contains(notice)) actions.before(notice);
      return;
    }
    const link = `${location.origin}/#t/${this.id}`;
    lobby.replaceChildren(
      el("h2", {}, "Waiting for players"),
      el("label", { for: "invitation" }, "Send this link to whoever is to play or to watch"),
      el("input", { id: "invitation", readonly: true, value: link, onfocus: (event) => event.target.select() }),
      el("ol", {}, people.map((person) => el("li", {}, person.kind === "free" ? "free" : person.name, person.kind === "person" && !person.here && " (away)"))),
      this.seat === 0
        ? el("p", { class: "buttons" }, el("button", { class: "primary", onclick: () => this.ask({ type: "start" }) }, "Begin: bots take the free seats"))
        : el("p", {}, `${people[0].name} begins the game.`),
      notice,
    );
  }

  // -------------------------------------------------------------------------------------------------------- the game

  render() {
    if (!this.table.started) return;
    const { ply, view, choice } = this.now;
    Object.assign(this.game.dataset, { ply, phase: view.phase, mine: choice.mine });
    this.renderSeats();
    this.renderPrompt();
    this.renderHand();
    this.renderActions();
    this.renderSheet();
    this.renderTaken();
    this.renderRules();
  }

  /** The course of the deal: of the one that is being played, or else of the last one. */
  get course() {
    const { view } = this.now;
    return view.phase === "playing" ? view : view.last_deal;
  }

  /** The last completed trick. @returns {{leader: number, cards: string[], winner: number | null}} */
  completed() {
    return this.course?.tricks?.at(-1);
  }

  seatAt(trick, offset) {
    return (trick.leader + offset) % this.players;
  }

  /** By seat, what lies on the table. Between two tricks it is the one that has just ended. */
  onTable() {
    const { view } = this.now;
    const trick = view.phase === "playing" && view.trick.length ? { leader: view.leader, cards: view.trick } : ["passing", "exposing"].includes(view.phase) ? null : this.completed();
    const lying = new Map();
    if (trick && trick === this.gone) return { lying, winner: trick.winner };
    trick?.cards.forEach((card, offset) => lying.set(this.seatAt(trick, offset), card));
    return { lying, winner: trick?.winner };
  }

  renderSeats() {
    const { view, facts, choice } = this.now;
    const { lying, winner } = this.onTable();
    const over = view.phase === "playing" && view.trick.length === 0;
    this.parts.seats.classList.toggle("over", over || view.phase !== "playing");
    this.parts.seats.style.setProperty("--count", String(this.players));
    this.parts.seats.replaceChildren(
      ...this.table.people.map((person, seat) => {
        const acting = choice.to_act.includes(seat);
        const badges = [
          seat === facts.dealer && "dealer",
          person.kind === "bot" && "bot",
          person.kind === "person" && !person.here && (person.stand_in ? "away, a bot plays" : "away"),
          view.phase === "passing" && (acting ? "choosing" : "has chosen"),
          view.phase === "exposing" && (acting ? "choosing" : view.committed.includes(seat) && "has chosen"),
          seat === winner && !acting && "took the trick",
          seat === facts.winning_seat && "winning",
        ].filter(Boolean);
        const turn = ((seat - (this.seat ?? 0) + this.players) % this.players) / this.players;
        const angle = Math.PI * (0.5 + 2 * turn);
        const card = lying.get(seat);
        const open = facts.open?.[seat] ?? [];
        const item = el(
          "li",
          { class: `seat${acting ? " acting" : ""}${seat === winner ? " winner" : ""}`, "data-seat": seat },
          el(
            "div",
            { class: "who" },
            el("span", { class: "name" }, this.name(seat)),
            acting && view.phase === "playing" && el("span", { class: "turn" }, "to play"),
            el("span", { class: "score" }, `${facts.totals[seat]} points`),
            this.course?.tricks_won && view.phase === "playing" && el("span", { class: "count" }, `${this.course.tricks_won[seat]} ${this.course.tricks_won[seat] === 1 ? "trick" : "tricks"}`),
            badges.length > 0 && el("span", { class: "badges" }, badges.join(", ")),
            open.length > 0 && el("span", { class: "open" }, open.map((each) => cardFace(each)), el("span", { class: "sr" }, `shown: ${list(open.map((each) => this.named(each)))}`)),
            this.seat === 0 && person.kind === "person" && !person.here && !person.stand_in &&
              el("button", { class: "small", onclick: () => this.ask({ type: "stand-in", seat }) }, `Let a bot play for ${person.name}`),
          ),
          el("div", { class: "played" }, card && cardFace(card, this.mark(card)?.sign), card && el("span", { class: "sr" }, `: ${this.named(card)}`)),
        );
        item.style.setProperty("--x", Math.cos(angle).toFixed(4));
        item.style.setProperty("--y", Math.sin(angle).toFixed(4));
        return item;
      }),
    );
  }

  renderPrompt() {
    const { view, facts, choice } = this.now;
    const waiting = () => `Waiting for ${list(choice.to_act.map((seat) => this.name(seat)))}.`;
    const prompts = {
      "awaiting-deal": () => "The next deal is coming.",
      passing: () => (choice.mine ? `Choose what you pass: ${this.giftTexts().join("; ")}.` : waiting()),
      exposing: () => {
        if (!choice.mine) return waiting();
        return this.showable().length ? "Choose the cards that you show, or none. What is shown counts double." : "You hold no card that may be shown.";
      },
      playing: () => (choice.mine ? "Your turn." : waiting()),
      "choosing-moon": () => (choice.mine ? "You have shot the moon: what shall it do?" : `${this.name(view.shooter)} shot the moon and is to choose.`),
      "game-over": () => `The match is over. ${list(facts.standings.map(({ place, seats, total }) => `${place}. ${list(seats.map((seat) => this.name(seat)))} with ${total}`))}.`,
    };
    const text = prompts[view.phase]();
    // A status that does not change is not read aloud again.
    if (this.parts.prompt.textContent !== text) this.parts.prompt.textContent = text;
    this.parts.facts.textContent = [
      view.phase === "playing" && `Deal ${view.deal_number + 1}, trick ${view.trick_number + 1}`,
      view.phase === "playing" && (view.hearts_broken ? "hearts are broken" : "hearts are not broken"),
      view.phase === "playing" && view.set_aside && `set aside: ${view.set_aside}`,
    ].filter(Boolean).join(", ");
  }

  /** For each gift of the pass, how many cards go to whom. */
  giftTexts() {
    return this.now.facts.step.map(([offset, count]) => `${count} ${count === 1 ? "card" : "cards"} to ${this.name((this.seat + offset + this.players) % this.players)}`);
  }

  /** The cards of the hand that may be shown. */
  showable() {
    const { view, choice } = this.now;
    return cardsOf(view.hand ?? "").filter((card) => choice.cards?.[card]?.length === 0);
  }

  renderHand() {
    const { view, choice } = this.now;
    const cards = cardsOf(view.hand ?? "");
    const focused = document.activeElement instanceof HTMLElement && this.parts.hand.contains(document.activeElement) ? Number(document.activeElement.dataset.at) : null;
    const kept = focused === null ? null : this.parts.hand.querySelector(`[data-at="${focused}"]`)?.getAttribute("data-card");
    const passing = view.phase === "passing" && choice.mine;
    const choosing = passing || (view.phase === "exposing" && choice.mine);
    this.parts.hand.toggleAttribute("data-asking", this.asked !== null);
    // What has not changed is left alone: a player about to press a card must not find another one under the finger.
    const reasons = cards.map((card, at) => this.against(card, at));
    const shown = JSON.stringify([cards, reasons, choosing, choice.to_act[0], view.phase, view.turn, this.gifts]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.parts.hand.hidden = this.seat === null || cards.length === 0;
    this.parts.hand.replaceChildren(
      ...cards.map((card, at) => {
        const against = reasons[at];
        const gift = this.gifts.findIndex((places) => places.includes(at));
        const sent = passing && gift >= 0 && this.gifts.length > 1 ? `, ${this.giftTexts()[gift]}` : "";
        const button = el(
          "button",
          {
            class: "card",
            "aria-label": `${this.named(card)}${sent}`,
            "aria-disabled": against.length > 0 ? "true" : null,
            "aria-describedby": against.length > 0 ? `why-${at}` : null,
            "aria-pressed": choosing ? String(gift >= 0) : null,
            "data-card": card,
            "data-at": at,
            onclick: () => this.choose(card, at),
          },
          cardFace(card, this.mark(card)?.sign),
        );
        const dim = against.some((reason) => reason.code !== "not-your-turn");
        return el("li", { class: dim ? "dim" : against.length ? "waiting" : "" }, button, against.length > 0 && el("span", { class: "why", role: "tooltip", id: `why-${at}` }, this.reasons(against)));
      }),
    );
    if (focused !== null && cards.length) {
      const same = cards[focused] === kept ? focused : cards.indexOf(kept ?? "");
      const at = same >= 0 ? same : Math.min(focused, cards.length - 1);
      /** @type {HTMLElement | null} */ (this.parts.hand.querySelector(`[data-at="${at}"]`))?.focus();
    }
  }

  /** The sign and the name of what a card does beside costing points; undefined: nothing. */
  mark(card) {
    return this.now.facts.marks[card];
  }

  /** The name of a card and of what it does. */
  named(card) {
    const mark = this.mark(card);
    return mark ? `${cardName(card)}, ${mark.name}` : cardName(card);
  }

  /** Why a card may not be chosen now, as the server says; empty if it may. */
  against(card, at) {
    const { view, choice } = this.now;
    if (view.phase !== "passing" || !choice.mine) return choice.cards?.[card] ?? [];
    // A card that is chosen may always be taken back.
    return this.gifts.some((places) => places.includes(at)) ? [] : (this.options.cards[this.gift][card] ?? []);
  }

  reasons(against) {
    const own = {
      "not-your-turn": `It is the turn of ${this.name(this.now.choice.to_act[0])}`,
      "already-passed": "You have chosen what you pass",
      "already-exposed": "You have chosen what you show",
      "wrong-number-of-cards": "You have chosen enough: choose a card again to take it back",
    };
    return against.map(({ code, message }) => own[code] ?? message.charAt(0).toUpperCase() + message.slice(1)).join(". ");
  }

  /** The arrow keys go from card to card. */
  walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = Number(event.target.dataset?.at);
    if (!step || Number.isNaN(at)) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (this.parts.hand.querySelector(`[data-at="${at + step}"]`))?.focus();
  }

  choose(card, at) {
    if (this.asked) {
      this.later.push(() => this.choose(card, at));
      return;
    }
    const against = this.against(card, at);
    if (against.length) {
      this.say(`${this.reasons(against)}.`);
      return;
    }
    this.say("");
    const { view, ply } = this.now;
    if (view.phase === "playing") {
      this.connection.move(ply, { move: "play", seat: this.seat, card });
      return;
    }
    const before = this.gifts;
    const of = before.findIndex((places) => places.includes(at));
    if (of >= 0) this.gift = of;
    this.gifts = before.map((places, gift) => (gift !== this.gift ? places : of >= 0 ? places.filter((place) => place !== at) : [...places, at]));
    if (view.phase === "passing") this.askOptions(before);
    this.renderHand();
    this.renderActions();
  }

  /** The pass as far as it is chosen, in the words of the server. */
  get pass() {
    const hand = cardsOf(this.now.view.hand);
    return { move: "pass", seat: this.seat, gifts: this.gifts.map((places) => places.map((at) => hand[at]).join(" ")) };
  }

  /** Ask how the pass may go on; `before` is what was chosen before. A question that cannot be sent now is asked when
   *  the connection is back. */
  askOptions(before) {
    this.asked = { id: this.connection.choose(this.now.ply, this.pass), gifts: before };
  }

  /** The server has said how the pass may go on; null: it refuses what was chosen last. */
  answered(options, id) {
    if (!this.asked || this.asked.id !== id) return;
    if (options) this.options = options;
    else this.gifts = this.asked.gifts;
    this.asked = null;
    const { missing } = this.options;
    if (!missing[this.gift]) this.gift = Math.max(0, missing.findIndex((count) => count > 0));
    const waiting = this.later;
    this.later = [];
    this.renderHand();
    this.renderActions();
    for (const act of waiting) act();
  }

  renderActions() {
    const { view, choice } = this.now;
    const focused = document.activeElement?.id;
    const act = (move) => () => this.connection.move(this.now.ply, { seat: this.seat, ...move });
    const buttons = [];
    if (view.phase === "passing" && choice.mine) {
      const complete = this.options.complete && !this.asked;
      const pass = () => {
        if (this.asked) this.later.push(pass);
        else if (this.options.complete) act(this.pass)();
        else this.say(`First choose ${this.giftTexts().join(" and ")}.`);
      };
      buttons.push(el("button", { id: "pass", class: "primary", "aria-disabled": complete ? null : "true", onclick: pass }, `Pass ${this.giftTexts().join(", ")}`));
      if (choice.may_decline) buttons.push(el("button", { id: "decline", onclick: act({ move: "pass", gifts: [] }) }, "Decline to pass"));
    } else if (view.phase === "exposing" && choice.mine) {
      const hand = cardsOf(view.hand);
      const cards = this.gifts[0].map((at) => hand[at]);
      const text = cards.length ? `Show ${list(cards.map(cardName))}` : "Show no card";
      buttons.push(el("button", { id: "show", class: "primary", onclick: act({ move: "expose", cards: cards.join(" ") }) }, text));
    } else if (view.phase === "choosing-moon" && choice.mine) {
      const points = (score) => list(score.points.map((each, seat) => `${this.name(seat)} ${each}`));
      buttons.push(
        el("button", { id: "others-up", class: "primary", onclick: act({ move: "choose-moon", effect: "others-up" }) }, `The others get points: ${points(view.others_up)}`),
        el("button", { id: "shooter-down", class: "primary", onclick: act({ move: "choose-moon", effect: "shooter-down" }) }, `Your total goes down: ${points(view.shooter_down)}`),
      );
    }
    if (choice.claim) buttons.push(el("button", { id: "claim", onclick: () => this.ask({ type: "claim", ply: this.now.ply }) }, "Take the rest: every trick that is left is yours"));
    const same = (button, at) => button.isEqualNode(this.parts.actions.children[at]);
    if (buttons.length && buttons.length === this.parts.actions.children.length && buttons.every(same)) return;
    this.parts.actions.hidden = buttons.length === 0;
    this.parts.actions.replaceChildren(...buttons);
    if (focused) buttons.find((button) => button.id === focused)?.focus();
  }

  renderSheet() {
    const { view, facts } = this.now;
    const heads = this.table.people.map((_, seat) => el("th", { scope: "col" }, this.name(seat)));
    const rows = view.deal_scores.map((score, deal) =>
      el("tr", {}, el("th", { scope: "row" }, String(deal + 1)), score.points.map((points, seat) => el("td", { class: seat === score.shooter ? "shooter" : "" }, String(points), seat === score.shooter && el("span", { title: "shot the moon" }, " ☾")))),
    );
    const totals = el("tr", { class: "totals" }, el("th", { scope: "row" }, "Total"), facts.totals.map((total) => el("td", {}, String(total))));
    this.parts.sheet.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Deal"), heads)), el("tbody", {}, rows), el("tfoot", {}, totals)));
  }

  renderTaken() {
    const course = this.course;
    const trick = this.completed();
    const points = this.now.facts.card_points ?? [];
    if (!course) {
      this.parts.taken.replaceChildren(el("p", {}, "Nothing yet."));
      return;
    }
    const pile = (bag) => cardsOf(bag).map((card) => (this.mark(card) ? `${card} (${this.mark(card).name})` : card)).join(" ");
    const last = trick && `${trick.cards.map((card, offset) => `${this.name(this.seatAt(trick, offset))} ${card}`).join(", ")}: ${trick.winner === null ? "nobody won it" : `to ${this.name(trick.winner)}`}.`;
    this.parts.taken.replaceChildren(
      el("p", {}, last ?? "No trick yet."),
      course.kitty_taker !== null && el("p", {}, `Kitty to ${this.name(course.kitty_taker)}${course.kitty ? `: ${course.kitty}` : ""}.`) || "",
      el("ul", {}, course.captured.map((bag, seat) => el("li", {}, `${this.name(seat)}: ${pile(bag) || "none"}${bag ? `, ${points[seat]} ${points[seat] === 1 ? "point" : "points"}` : ""}`))),
    );
  }

  renderRules() {
    // A bonus card or the doubler, such as JD:10.
    const written = (value) => {
      if (Array.isArray(value) && value.some((each) => each?.card)) return value.map(written).join(" ");
      if (value?.card) return Object.values(value).join(":");
      return typeof value === "object" ? JSON.stringify(value) : value;
    };
    const changes = Object.entries(this.now.view.rules).map(([name, value]) => `${name.replaceAll("_", " ")} ${written(value)}`);
    this.parts.rules.textContent = changes.length ? `${changes.join("; ")}. All else as in the standard game.` : "The standard game for four players.";
  }
}
