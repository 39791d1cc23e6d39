/** What a table does on this page: it sends requests, takes messages, and lets sounds and animations follow. */

import { get, refusalText, socketAt } from "./api.ts";
import { showTurn, notifyTurn } from "./attention.ts";
import { against, free, handOf, passOf, toggled } from "./choosing.ts";
import { Connection, type Status } from "./connection.ts";
import { arrive } from "./focus.ts";
import { reasons } from "./hand.ts";
import { listenToKeys } from "./keys.ts";
import { calm, collect, fly } from "./motion.ts";
import { action, alarm, announce, redraw, redrawNow } from "./page.ts";
import type { Phrase } from "./phrases.ts";
import { called, giftTexts, name, trickKey } from "./position.ts";
import { onPreference, preference, prefers, type Preference } from "./preferences.ts";
import { sentence } from "./sentences.ts";
import { sound } from "./sounds.ts";
import { BEGINNING, positionAt, ready, reduce, type Action, type State } from "./state.ts";
import { count, rememberTable } from "./storage.ts";
import type { Card, GameEvent, HintMessage, Message, Move, Refusal, Request, Seat, Viewed } from "./types.ts";
import { capital, isolated, language, list, say } from "./words.ts";

/** How long the last trick is shown again, a bubble is seen, and a position before a page acts by itself, in milliseconds. */
const AGAIN = 2000;
const BUBBLE = 4000;
const AUTOPLAY = 700;

/** Takes the answers to requests that only a review makes. */
export interface Answers {
  receive(message: Message): boolean;
  connected(): void;
}

export interface Leads {
  /** The table, or the key, is unknown, or the table cannot go on. */
  refused(refusal: Refusal, session: Session): void;
  /** The people of the table play on at another one. */
  follow(table: string, token: string | null): void;
  /** The page is older than the server. */
  outdated(version: string): void;
}

export class Session {
  state: State = BEGINNING;
  /** What is said at the seats. */
  readonly bubbles = new Map<Seat, string>();
  /** What is said where no plate is seen. */
  aloud = "";
  review: Answers | null = null;
  /** Whether a review covers the table: the next deal waits for that. */
  covered = false;
  readonly connection: Connection;
  private readonly silences = new Map<Seat, ReturnType<typeof setTimeout>>();
  private readonly timers: Record<string, ReturnType<typeof setTimeout> | undefined> = {};
  /** What waits for the answer about the options of a pass. */
  private later: (() => void)[] = [];
  /** The animation that follows the next drawing. */
  private motion: (() => void) | null = null;
  private readonly ends: (() => void)[];

  constructor(readonly id: string, readonly token: string | null, private readonly status: HTMLElement, private readonly leads: Leads) {
    this.connection = new Connection(
      () => socketAt(id),
      () => ({ type: "hello", token, language }),
      (message) => this.receive(message),
      (state, refusal) => this.connected(state, refusal),
    );
    const wake = () => document.hidden || this.connection.wake();
    addEventListener("online", wake);
    document.addEventListener("visibilitychange", wake);
    const keys = () => (ready(this.state) && !this.covered ? { now: this.state.now, choosing: this.state.choosing, onChoose: (card: Card, at: number) => this.choose(card, at), onHint: () => this.askHint() } : null);
    this.ends = [
      onPreference((changed) => this.preferred(changed)),
      listenToKeys(keys),
      () => removeEventListener("online", wake),
      () => document.removeEventListener("visibilitychange", wake),
    ];
  }

  close(): void {
    this.connection.close();
    for (const timer of [...Object.values(this.timers), ...this.silences.values()]) clearTimeout(timer);
    for (const end of this.ends) end();
    this.status.textContent = "";
    showTurn(false);
    alarm("");
  }

  /** Change the state, and draw it: what somebody has pressed at once, all else in the next frame. */
  dispatch(change: Action, pressed = true): void {
    const before = this.state;
    this.state = reduce(before, change);
    if (this.state.notice !== before.notice) alarm(this.state.notice);
    if (pressed) redrawNow();
    else redraw();
  }

  // ---------------------------------------------------------------------------------------------------------- messages

  private connected(status: Status, refusal?: Refusal | null): void {
    const lost = refusal ? `${capital(refusalText(refusal))}. ${say("stuck.trying")}` : say("status.lost");
    this.status.textContent = { connected: say("status.connected"), lost, refused: "" }[status];
    this.status.className = status;
    if (status === "refused") {
      this.leads.refused(refusal as Refusal, this);
      return;
    }
    this.dispatch({ type: "status", connected: status === "connected" }, false);
    if (status !== "connected") return;
    // Who prefers another pace asks for it each time.
    if (preference("speed") !== "usual") this.connection.ask({ type: "pace", pace: preference("speed") });
    if (this.covered) this.connection.request({ type: "reviewing", open: true });
    this.review?.connected();
  }

  private receive(message: Message): void {
    if (this.review?.receive(message)) return;
    if (message.type === "view") {
      this.take(message as Viewed);
      return;
    }
    const before = this.state;
    this.dispatch(message, false);
    const { table, now } = this.state;
    if (message.type === "welcome" && message.version) this.leads.outdated(message.version);
    else if (message.type === "table") {
      this.remember();
      const asking = (found: State["table"]) => (found?.newcomers ?? []).filter(({ asked }) => found?.seat !== null && asked.includes(found?.seat ?? -1));
      for (const each of asking(table)) if (!asking(before.table).some(({ seat }) => seat === each.seat)) announce(this.newcomerTold(each.seat));
      if (message.next && this.state.leads) this.follow(message.next);
      else if (!message.started && !this.state.link) this.askLink();
      if (message.started && before.table && !before.table.started) this.motion = () => arrive(document.getElementById("prompt"));
    } else if (message.type === "phrase") this.hear(message.seat, message.phrase);
    else if (message.type === "options") this.goOn();
    else if (message.type === "hint") announce(capital(this.hintTold(message as HintMessage)));
    else if (message.type === "refused" && now) {
      // A review says itself that a mistake makes no drill.
      if (!this.covered) this.dispatch({ type: "notice", text: say("say.refused", { why: refusalText(message) }) }, false);
      this.goOn();
    }
  }

  /** Take a view, and the events that led to it. */
  private take(message: Viewed): void {
    const before = this.state.now;
    const { lost, choosing } = this.state;
    const { events } = message;
    const find = <C extends GameEvent["code"]>(code: C) => events.find((event): event is Extract<GameEvent, { code: C }> => event.code === code);
    const [played, won] = [find("card-played"), find("trick-won")];
    const ended = won ?? find("trick-void");
    const still = calm() || !document.querySelector(".board");
    const own = played?.seat === this.state.table?.seat ? document.querySelector(`.hand [data-card="${played?.card}"]`) : null;
    const from = played && (own ?? plateOf(played.seat))?.getBoundingClientRect();
    clearTimeout(this.timers.again);
    this.dispatch(message as Action, false);
    const { looking } = this.state;
    if (this.state.choosing !== choosing) this.later = [];
    // A question from before a break is not answered any more.
    else if (lost && choosing.asked) this.question(choosing.asked.gifts);
    if (looking && !(before?.facts.scored)) this.timers.looked = setTimeout(() => this.dispatch({ type: "looked" }, false), 1000 * (this.state.table?.look ?? 0));
    if (!still && ended) this.motion = () => this.collect(won?.winner ?? null);
    else if (!still && from) this.motion = () => cardsAt([played.seat]).forEach((card) => fly(card, from));
    this.remember();
    // A page that nobody looks at is not drawn, but its title is read.
    if (document.hidden) showTurn(message.choice.mine);
    if (before) this.sounds(before, events);
    this.autoplay(before !== null && message.ply < before.ply);
  }

  /** Move the last trick to its winner. */
  private collect(winner: Seat | null): void {
    const { now } = this.state;
    if (!now?.facts.lying?.complete) return;
    const trick = trickKey({ now });
    collect(cardsAt(now.facts.lying.plays.map((_, offset) => ((now.facts.lying?.leader ?? 0) + offset) % now.facts.totals.length)), winner === null ? null : plateOf(winner),
      () => this.state.now && trickKey({ now: this.state.now }) === trick && this.dispatch({ type: "collected", trick }, false));
  }

  private sounds(before: Viewed, events: Viewed["events"]): void {
    const { now, table } = this.state;
    if (events.some((event) => event.code === "card-played" && event.card === "QS")) sound("queen");
    if (events.some(({ code }) => code === "moon-shot")) sound("moon");
    if (table?.seat === null || !now?.choice.mine || before.choice.mine) return;
    sound("turn");
    notifyTurn();
  }

  /** Called after the page is drawn. */
  drawn(): void {
    const { motion } = this;
    this.motion = null;
    showTurn(this.state.now?.choice.mine ?? false);
    motion?.();
  }

  // ----------------------------------------------------------------------------------------------------------- actions

  notice(text: string): void {
    this.dispatch({ type: "notice", text });
  }

  why(text: string): void {
    if (text !== this.state.why) this.dispatch({ type: "why", text });
  }

  /** Try a move of this seat. */
  move(move: Move): void {
    const { now, table } = this.state;
    if (!now) return;
    this.look(false);
    this.connection.move(now.ply, { ...move, seat: table?.seat ?? undefined });
    if (!this.connection.ready) this.notice(say("say.sent-later"));
  }

  /** Press a card of the hand. */
  choose(card: Card, at: number): void {
    const { state } = this;
    if (!ready(state)) return;
    const { now, choosing } = state;
    if (choosing.asked) {
      this.later.push(() => this.choose(card, at));
      return;
    }
    const found = against(now, choosing, card, at);
    this.notice(found.length ? `${reasons(positionAt(state), found)}.` : "");
    if (found.length || !now.choice.mine) return;
    if (now.view.phase === "playing") {
      this.move({ move: "play", card });
      return;
    }
    this.dispatch({ type: "chosen", choosing: toggled(choosing, at) });
    if (now.view.phase === "passing") this.question(choosing.gifts);
  }

  /** Ask how the pass may go on; `before` is what was chosen before. A break ends the question, then it is asked again. */
  private question(before: number[][]): void {
    const { now, choosing, table } = this.state;
    if (!now) return;
    const id = this.connection.choose(now.ply, { ...passOf(choosing, handOf(now)), seat: table?.seat ?? undefined });
    this.dispatch({ type: "chosen", choosing: { ...choosing, asked: { id, gifts: before } } });
    if (!this.connection.ready) this.notice(say("say.sent-later"));
  }

  /** Do what was pressed while an answer was pending. */
  private goOn(): void {
    while (this.later.length && !this.state.choosing.asked) this.later.shift()?.();
  }

  /** Pass the chosen cards, once their options are known. */
  pass(): void {
    const { state } = this;
    if (!ready(state)) return;
    if (state.choosing.asked) this.later.push(() => this.pass());
    else if (state.choosing.options?.complete) this.move(passOf(state.choosing, handOf(state.now)));
    else this.notice(say("say.first-choose", { gifts: list(giftTexts(positionAt(state))) }));
  }

  /** Send a request. Until it is answered, its button is busy. */
  ask(request: Request | { type: string; [key: string]: unknown }, event?: Event): void {
    if (event) {
      void action(event, () => this.asked(request as Request));
      return;
    }
    void this.asked(request as Request);
  }

  private async asked(request: Request): Promise<unknown> {
    if (!this.connection.ready) {
      this.notice(say("say.not-sent"));
      return null;
    }
    this.dispatch({ type: "asked", what: request.type });
    return this.connection.ask(request as { type: string });
  }

  /** Ask for a hint, or say why there are none. */
  askHint(): void {
    const { state } = this;
    if (!ready(state) || state.waits || !state.now.choice.mine) return;
    if (!state.now.choice.hint) this.notice(say(`hints.${state.welcome.hints}`));
    else if (!this.connection.ready) this.notice(say("say.not-sent"));
    else {
      void this.connection.ask({ type: "hint", ply: state.now.ply });
      this.dispatch({ type: "hint-asked" });
      announce(say("hint.coming"));
    }
  }

  cover(covered: boolean): void {
    if (covered !== this.covered) this.connection.request({ type: "reviewing", open: covered });
    this.covered = covered;
  }

  /** Show the last trick again, until a move, Escape or two seconds end it; or hide it. */
  look(shown: boolean): void {
    clearTimeout(this.timers.again);
    if (shown === this.state.again) return;
    this.dispatch({ type: "look", shown });
    if (shown) this.timers.again = setTimeout(() => this.look(false), AGAIN);
  }

  /** Go on at another table with the same people. */
  follow(next: string): void {
    this.leads.follow(next, this.state.table?.seat == null ? null : this.token);
  }

  /** Ask to sit down at this table. */
  sit(token: string | null = null): void {
    this.leads.follow(this.id, token);
  }

  /** Get the link of this table; until it is there, the address of this page is shown. */
  async askLink(): Promise<void> {
    this.dispatch({ type: "link", link: `${location.origin}/#t/${this.id}` }, false);
    const answer = await get<{ link: string }>(`/api/tables/${this.id}`);
    if (answer.ok) this.dispatch({ type: "link", link: answer.body.link }, false);
  }

  // -------------------------------------------------------------------------------------------------------- companions

  /** Store the table in this browser. */
  private remember(): void {
    const { table, now } = this.state;
    if (!table || table.seat === null) return;
    const people = table.people.filter((person, seat) => seat !== table.seat && person.kind === "person").map((person) => person.name);
    const ended = rememberTable(this.id, people, now?.view.phase === "game-over");
    if (ended) count("matches", now?.view.winners?.includes(table.seat) ?? false);
  }

  /** Make a move by itself, if somebody wants that: a forced card, or a claim. What was taken back is not made again. */
  private autoplay(back = false): void {
    clearTimeout(this.timers.autoplay);
    const { now } = this.state;
    if (back || !now?.choice.mine || now.view.phase !== "playing") return;
    const { choice, ply } = now;
    const [card, ...others] = free(now);
    const claims = prefers("claim") && (choice.claim || choice.settled) && handOf(now).length > 1;
    const forced = prefers("forced") && card !== undefined && others.every((each) => each === card);
    if (!claims && !forced) return;
    this.timers.autoplay = setTimeout(() => {
      if (this.state.now !== now) return;
      if (claims) this.ask({ type: "claim", ply });
      else this.move({ move: "play", card });
    }, AUTOPLAY);
  }

  /** Show what a player says at their place; where that is covered, above it. Others can be muted. */
  private hear(seat: Seat, phrase: Phrase): void {
    const { table } = this.state;
    if (!table || (seat !== table.seat && !prefers("phrases"))) return;
    const words = say(`phrase.${phrase}`);
    const told = say("phrases.heard", { name: called({ table: { ...table, teams: [] } }, seat), phrase: words });
    const seen = plateOf(seat)?.checkVisibility();
    clearTimeout(this.silences.get(seat));
    this.bubbles.delete(seat);
    this.aloud = seen ? "" : told;
    if (seen) this.bubbles.set(seat, words);
    announce(told);
    this.silences.set(seat, setTimeout(() => {
      this.bubbles.delete(seat);
      this.aloud = "";
      redrawNow();
    }, BUBBLE));
  }

  /** Apply what somebody has chosen in the settings. */
  private preferred(changed: Preference): void {
    if (changed === "sound") sound("turn");
    if (changed === "phrases") this.bubbles.clear();
    if (changed === "speed") void this.connection.ask({ type: "pace", pace: preference("speed") });
    if (changed === "sorting") this.dispatch({ type: "restart" });
    if (changed === "forced" || changed === "claim") this.autoplay();
    redrawNow();
  }

  hintTold({ sentence: parts }: HintMessage): string {
    const { state } = this;
    return ready(state) ? sentence(parts, positionAt(state)) : "";
  }

  /** What is said of the newcomer of a seat. */
  newcomerTold(seat: Seat): string {
    const { table } = this.state;
    const newcomer = table?.newcomers.find((each) => each.seat === seat);
    if (!table || !newcomer) return "";
    const players = { table: { ...table, teams: [] } };
    const names = (seats: readonly Seat[]) => list(seats.map((each) => isolated(table.people[each].name)));
    const place = called(players, seat);
    if (seat === table.waits_for) return newcomer.asked.length ? say("newcomer.wait", { names: names(newcomer.asked), count: newcomer.asked.length }) : say("newcomer.next-deal", { place });
    return say("newcomer.asks", { name: isolated(newcomer.name), place, started: table.started, near: newcomer.near.length ? names(newcomer.near) : say("newcomer.somebody") });
  }

  /** The name of a seat, before the game too. */
  nameOf(seat: Seat): string {
    const { table } = this.state;
    return table ? name({ table: { ...table, teams: [] } }, seat) : "";
  }
}


const plateOf = (seat: Seat) => document.querySelector(`.board [data-seat="${seat}"] .who`);

/** The drawings of the cards that lie before seats. */
const cardsAt = (seats: Seat[]): Element[] => seats.flatMap((seat) => document.querySelector(`.board [data-seat="${seat}"] .played svg`) ?? []);

