/** The view of a table: it shows the messages of the server, and sends requests. It knows no rules. */

import { get, refusalText } from "./api.js";
import { renderAbsent, renderActions } from "./actions.js";
import { Board } from "./board.js";
import { cardInText, pictured, withSigns } from "./cards.js";
import { Companions } from "./companions.js";
import { Connection } from "./connection.js";
import { el, named, update } from "./dom.js";
import { Ending } from "./ending.js";
import { arrive } from "./focus.js";
import { Hand } from "./hand.js";
import { count, rememberTable } from "./memory.js";
import { calm } from "./motion.js";
import { noteSentence, sentence } from "./narrate.js";
import { Papers } from "./papers.js";
import { Position } from "./position.js";
import { Review } from "./review.js";
import { SeatsMenu } from "./seats_menu.js";
import { renderWaiting } from "./waiting.js";
import { capital, isolated, language, list, say, total } from "./words.js";

/** How long the last trick is shown again, in milliseconds. */
const LOOK = 2000;

export class TableView extends Position {
  /**
   * @param {HTMLElement} main where it is shown
   * @param {HTMLElement} status where it says whether it is connected
   * @param {string} table
   * @param {string | null} token of a seat; null: to watch
   * @param {(refusal: any) => void} onRefused the table, or the token, is unknown, or the table cannot go on
   * @param {(table: string, token: string | null) => void} onFollow the people of the table play on at another one
   */
  constructor(main, status, table, token, onRefused, onFollow) {
    super();
    this.id = table;
    this.token = token;
    this.status = status;
    this.onRefused = onRefused;
    this.onFollow = onFollow;
    /** Whether the connection was lost since the last view. */
    this.lost = false;
    /** Whether this page has asked for another match with the same people. */
    this.leads = false;
    /** Whether a hint is pending. */
    this.waits = false;
    /** The ply of the last notice. */
    this.toldAt = -1;
    this.board = new Board(this);
    this.hand = new Hand(this);
    this.papers = new Papers(this);
    this.ending = new Ending(this);
    this.seatsMenu = new SeatsMenu(this);
    this.papers.node.lastElementChild.append(this.seatsMenu.node);
    /** The invitation to this table; null: not asked for yet. @type {{link: string} | null} */
    this.invitation = null;
    this.parts = {
      waiting: el("section", { class: "panel", "aria-label": say("waiting.name"), hidden: true }),
      prompt: el("p", { id: "prompt", role: "status", tabindex: -1, "data-focus": true }),
      notice: el("p", { id: "notice", role: "alert" }),
      why: el("p", { id: "why", "aria-hidden": "true" }),
      again: el("p", { id: "last-trick", role: "status", hidden: true }),
      advice: el("p", { id: "advice", role: "status" }),
      actions: el("div", { class: "actions", role: "group", "aria-label": say("act.name") }),
      absent: el("div", { class: "actions absent", role: "group", "aria-label": say("act.absent") }),
    };
    const { waiting, prompt, notice, why, again, actions, absent, advice } = this.parts;
    this.main = main;
    this.review = new Review(this);
    this.surface = el(
      "div",
      { class: "surface", onkeydown: (event) => this.pressed(event) },
      this.board.node,
      el("div", { class: "mine" }, el("div", { class: "said" }, prompt, again, why, notice), actions, advice, absent, this.hand.node),
    );
    this.game = el("div", { class: "game", hidden: true }, el("div", { class: "place" }, this.ending.node, this.surface), this.papers.node);
    main.replaceChildren(waiting, this.game);
    /** Whether this page has asked to leave its seat. */
    this.leaving = false;
    this.companions = new Companions(this);
    this.connection = new Connection(table, token, language, (message) => this.receive(message), (state, refusal) => this.connected(state, refusal));
  }

  close() {
    clearTimeout(this.looked);
    clearTimeout(this.looksBack);
    this.connection.close();
    for (const part of [this.board, this.hand, this.ending, this.review, this.companions]) part.close();
  }

  connected(state, refusal) {
    const lost = refusal ? `${capital(refusalText(refusal))}. ${say("stuck.trying")}` : say("status.lost");
    this.status.textContent = { connected: say("status.connected"), lost, refused: "" }[state];
    this.status.className = state;
    if (state === "refused") this.onRefused(refusal);
    if (state === "lost") this.lost = true;
    if (state === "connected") {
      this.companions.connected();
      this.review.connected();
    }
  }

  /** @param {any} message */
  receive(message) {
    if (this.review.receive(message)) return;
    if (message.type === "table") {
      this.table = message;
      this.remember();
      this.renderWaiting();
      this.seatsMenu.render();
      this.companions.render();
      if (message.next && this.leads) this.follow(message.next);
      else if (this.now) this.render();
    } else if (message.type === "view") {
      this.take(message);
    } else if (message.type === "log") {
      this.papers.replace(this.logLines(message.entries));
    } else if (message.type === "note") {
      this.papers.log(this.logLines([message]));
    } else if (message.type === "phrase") {
      this.companions.phrases.hear(message.seat, message.phrase);
    } else if (message.type === "options") {
      this.hand.answered(message, message.id);
    } else if (message.type === "hint") {
      this.keepHint(message);
      this.render();
    } else if (message.type === "refused" && this.now) {
      // A refusal without a number is of a message that was not even read.
      this.hand.answered(null, message.id ?? this.hand.asked?.id);
      this.leads = false;
      this.keepHint(this.hint);
      this.say(say("say.refused", { why: refusalText(message) }));
      this.render();
    }
  }

  /** Show a view, and the events that led to it. */
  take(message) {
    const before = this.now;
    const events = message.events.events;
    const same = before?.view.phase === message.view.phase && before?.view.deal_number === message.view.deal_number;
    const scored = before && this.scored;
    this.now = message;
    this.lookAtLastTrick(before !== null && !scored);
    const shown = events.some((event) => event.code === "cards-exposed" && event.seat === this.seat);
    if (!same || shown || !["passing", "dealing-back", "exposing"].includes(message.view.phase)) this.hand.restart();
    // A question from before a break is not answered any more.
    if (this.lost && this.hand.asked) this.hand.ask(this.hand.asked.gifts);
    this.keepHint(this.hint);
    // What somebody was told stays while others move, until the connection is lost.
    if (this.lost || !message.choice.mine || message.since > this.toldAt) this.say("");
    this.lost = false;
    const ended = events.find((event) => event.code === "trick-won" || event.code === "trick-void");
    const played = events.find((event) => event.code === "card-played");
    this.look(false);
    const still = calm() || !this.game.isConnected;
    const from = played && !still ? (played.seat === this.seat ? this.hand.origin(played.card) : undefined) ?? this.board.origin(played.seat) : undefined;
    this.render();
    this.remember();
    this.companions.took(before, events);
    if (this.review.shown && !this.review.practice) this.review.render();
    this.papers.log(this.logLines([{ deal: this.points.length - 1, events: message.events }]));
    if (!still && ended) this.board.collect(ended.winner);
    else if (from) this.board.flyTo(played.seat, from);
  }

  /**
   * The lines of a log for `pictured`, in which everybody has the name of that time.
   * @param {{deal?: number, events?: {events: any[]}, note?: any}[]} entries
   * @returns {string[]}
   */
  logLines(entries) {
    const own = this.seat === null ? null : this.table.people[this.seat].name;
    const names = this.table.people.map((person, seat) => person.name || say("seat.number", { number: seat + 1 }));
    const lines = [];
    // The names of now are known: go back from there.
    for (const { deal, events, note } of [...entries].reverse()) {
      const who = (seat) => {
        const you = seat !== null && seat === this.seat && names[seat] === own;
        return { name: seat === null ? "" : you ? say("you") : isolated(names[seat]), you };
      };
      if (note) lines.push(noteSentence(note, who));
      else for (const event of [...events.events].reverse()) lines.push(sentence(event, who, this.points.slice(0, deal + 1)));
      if (["seat-taken", "seat-left", "seat-returned"].includes(note?.code)) names[note.seat] = note.before;
    }
    return lines.reverse();
  }

  // ------------------------------------------------------------------------------------------------------ actions

  say(text) {
    this.toldAt = this.now?.ply ?? -1;
    this.parts.notice.textContent = text;
    this.parts.why.textContent = "";
  }

  /** Show a reason to whoever looks at a card; a screen reader has it with the card. */
  why(text) {
    this.parts.why.textContent = text;
    if (text) this.parts.notice.textContent = "";
  }

  /** Try a move of this seat. */
  move(move) {
    this.look(false);
    this.connection.move(this.now.ply, { ...move, seat: this.seat });
    this.sayLost();
  }

  /** While the connection is lost, say that what was pressed is sent later. */
  sayLost() {
    if (this.lost) this.say(say("say.sent-later"));
  }

  /** Send a request, or say that the connection is lost. */
  ask(request) {
    if (!this.connection.ask(request)) this.say(say("say.not-sent"));
    else if (request.type === "again") this.leads = true;
    else if (request.type === "leave") this.leaving = true;
  }

  /** Ask for a hint, or say why there are none. */
  askHint() {
    const { choice, ply } = this.now;
    if (this.waits || !choice.mine) return;
    if (!choice.hint) this.say(say(`hints.${this.table.hints}`));
    else if (!this.connection.ask({ type: "hint", ply })) this.say(say("say.not-sent"));
    else {
      this.waits = true;
      this.hint = null;
      this.say("");
      this.render();
    }
  }

  /** Keep a hint while its question is open. None is pending any more. */
  keepHint(hint) {
    const { choice, since, ply } = this.now;
    this.hint = hint && choice.mine && since <= hint.ply && hint.ply <= ply ? hint : null;
    this.waits = false;
  }

  /** Keyboard shortcuts while the focus is at the table. */
  pressed(event) {
    if (event.key === "Escape") this.look(false);
    if (event.key.toLowerCase() !== "h" || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.askHint();
  }

  /** Show the last trick of a deal as long as any other, before the result covers it. */
  lookAtLastTrick(ended) {
    if (this.scored && !ended) return;
    clearTimeout(this.looked);
    this.looking = this.scored && this.table.look > 0;
    if (!this.looking) return;
    this.looked = setTimeout(() => {
      this.looking = false;
      this.render();
    }, 1000 * this.table.look);
  }

  /** Show the last trick again, in place of the prompt, until a move, Escape or two seconds end it; or hide it. */
  look(shown) {
    const { again, actions } = this.parts;
    const trick = this.board.completed;
    clearTimeout(this.looksBack);
    if (again.hidden && !shown) return;
    again.hidden = !shown;
    update(again, shown && [
      el("span", { class: "sr" }, pictured(this.papers.trickTold(trick))),
      ...trick.plays.map((card, offset) => {
        const seat = this.board.seatAt(trick, offset);
        return el("span", { class: seat === trick.winner ? "winner" : null, "aria-hidden": "true" }, cardInText(card), named(this.name(seat)));
      }),
    ]);
    if (shown) {
      this.say("");
      this.looksBack = setTimeout(() => this.look(false), LOOK);
    }
    renderActions(this, actions);
  }

  /** Go on at another table with the same people. */
  follow(next) {
    this.onFollow(next, this.seat === null ? null : this.token);
  }

  /** Update what depends on the chosen cards. */
  chosen() {
    this.hand.render();
    renderActions(this, this.parts.actions);
    this.board.arrange();
  }

  /** Store the table in this browser. */
  remember() {
    if (this.seat === null) return;
    const people = this.table.people.filter((person, seat) => seat !== this.seat && person.kind === "person").map((person) => person.name);
    const ended = rememberTable(this.id, people, this.now?.view.phase === "game-over");
    if (ended) count("matches", this.now.view.winners.includes(this.seat));
  }

  // ---------------------------------------------------------------------------------------------------- rendering

  /** Ask for the link of this table; until it is known, the URL of this page is shown. */
  async askInvitation() {
    this.invitation = { link: `${location.origin}/#t/${this.id}` };
    const answer = await get(`/api/tables/${this.id}`);
    if (!answer.ok) return;
    this.invitation = answer.body;
    if (!this.table.started) this.renderWaiting();
  }

  renderWaiting() {
    const { started } = this.table;
    const { waiting, notice, why } = this.parts;
    const began = started && !waiting.hidden && waiting.childElementCount > 0;
    waiting.hidden = started;
    this.game.hidden = !started;
    if (!started) {
      if (!this.invitation) this.askInvitation();
      renderWaiting(this, waiting);
      if (notice.parentElement !== waiting) waiting.append(notice);
    } else if (!this.game.contains(notice)) why.after(notice);
    if (began) arrive(this.parts.prompt);
  }

  render() {
    if (!this.table.started) return;
    const { ply, view, choice } = this.now;
    Object.assign(this.game.dataset, { ply, phase: view.phase, mine: choice.mine });
    this.surface.hidden = view.phase === "game-over" && !this.looking;
    this.renderPrompt();
    this.renderHint();
    this.board.render();
    this.hand.render();
    renderActions(this, this.parts.actions);
    renderAbsent(this, this.parts.absent);
    this.papers.render();
    this.ending.render();
  }

  /** Show the hint. */
  renderHint() {
    const { advice } = this.parts;
    const text = this.waits ? say("hint.coming") : this.hint ? capital(withSigns(this.hint.sentence)) : "";
    if (advice.textContent !== text) advice.textContent = text;
  }

  renderPrompt() {
    const { view, facts, choice } = this.now;
    const waiting = () => say("prompt.waiting", { names: list(choice.to_act.map((seat) => isolated(this.name(seat)))) });
    const prompts = {
      "awaiting-deal": () => say({ limit: "prompt.paused-limit", unattended: "prompt.paused-unattended" }[this.table.paused] ?? "prompt.awaiting-deal"),
      passing: () => (choice.mine ? say("prompt.pass", { gifts: this.giftTexts().join("; ") }) : waiting()),
      "dealing-back": () => say("prompt.dealing-back"),
      exposing: () => (!choice.mine ? waiting() : `${say(this.hand.showable.length ? "prompt.show" : "prompt.nothing-to-show")}${view.before_pass ? ` ${say("prompt.before-pass")}` : ""}`),
      playing: () => (choice.mine ? say("prompt.your-turn") : waiting()),
      "choosing-moon": () => (choice.mine ? say("prompt.your-moon") : say("prompt.moon", { name: isolated(this.name(view.shooter)) })),
      "game-over": () => say("prompt.over", { places: list(facts.standings.map(({ place, seats, total: points }) => say("prompt.place", { place, names: list(seats.map((seat) => isolated(this.name(seat)))), points: total(points) }))) }),
    };
    const text = prompts[view.phase]();
    // A status that does not change is not read aloud again.
    if (this.parts.prompt.textContent !== text) this.parts.prompt.textContent = text;
    this.parts.prompt.classList.toggle("mine", choice.mine);
  }
}
