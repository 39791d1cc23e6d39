/** What a table does on this page: it sends requests, takes messages, and lets sounds and animations follow. */

import { get, refusalText, socketAt } from "./api.ts";
import { calm, collect, fly, notifyTurn, showTurn, sound } from "./effects.ts";
import { against, free, handOf, passOf, toggled } from "./choosing.ts";
import { Connection, type Status } from "./connection.ts";
import { reasons } from "./hand.ts";
import { listenToKeys } from "./keys.ts";
import type { Phrase } from "./menus.ts";
import { action, alarm, announce, arrive, redraw, redrawNow } from "./page.ts";
import { newcomerTold } from "./people.ts";
import { called, giftTexts, sentence, trickKey } from "./position.ts";
import type { ReviewPage } from "./review.ts";
import { BEGINNING, positionAt, ready, reduce, type Action, type State } from "./state.ts";
import { count, onPreference, preference, prefers, rememberTable, type Preference } from "./storage.ts";
import type { Card, GameEvent, HintMessage, Message, Move, Refusal, Request, Seat, TableMessage, Viewed } from "./types.ts";
import { capital, language, list, say } from "./words.ts";

/** How long the last trick is shown again, a bubble is seen, and a position before a page acts by itself, in milliseconds. */
const AGAIN = 2000;
const BUBBLE = 4000;
const AUTOPLAY = 700;

/** What leads away from a table. */
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
  /** What is said: the words at the seats, and the whole where no plate is seen. */
  readonly bubbles = new Map<Seat, { words: string; told: string }>();
  review: ReviewPage | null = null;
  /** Whether a review covers the table: the next deal waits for that. */
  covered = false;
  readonly connection: Connection;
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
    const ending = new AbortController();
    const wake = () => document.hidden || this.connection.wake();
    addEventListener("online", wake, { signal: ending.signal });
    document.addEventListener("visibilitychange", wake, { signal: ending.signal });
    const act = { onChoose: (card: Card, at: number) => this.choose(card, at), onHint: () => this.askHint() };
    const keys = () => (ready(this.state) && !this.covered ? { ...this.state, ...act } : null);
    this.ends = [onPreference((changed) => this.preferred(changed)), listenToKeys(keys), () => ending.abort()];
  }

  close(): void {
    this.connection.close();
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
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

  private after(name: string, milliseconds: number, act: () => void): void {
    clearTimeout(this.timers[name]);
    this.timers[name] = setTimeout(act, milliseconds);
  }

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
    const before = this.state.table;
    this.dispatch(message, false);
    if (message.type === "welcome" && message.version) this.leads.outdated(message.version);
    else if (message.type === "table") this.seated(message, before);
    else if (message.type === "phrase") this.hear(message.seat, message.phrase);
    else if (message.type === "options") this.goOn();
    else if (message.type === "hint") announce(capital(this.hintTold(message)));
    else if (message.type === "refused" && this.state.now) {
      // A review says itself that a mistake makes no drill.
      if (!this.covered) this.dispatch({ type: "notice", text: say("say.refused", { why: refusalText(message) }) }, false);
      this.goOn();
    }
  }

  private seated(table: TableMessage, before: TableMessage | null): void {
    this.remember();
    const asking = (each: TableMessage | null) => each?.newcomers.filter(({ asked }) => asked.includes(each.seat ?? -1)).map(({ seat }) => seat) ?? [];
    for (const seat of asking(table)) if (!asking(before).includes(seat)) announce(newcomerTold(table, seat));
    if (table.next && this.state.leads) this.follow(table.next);
    else if (!table.started && !this.state.link) void this.askLink();
    if (table.started && before && !before.started) this.motion = () => arrive(document.getElementById("prompt"));
  }

  /** Take a view, and the events that led to it. */
  private take(message: Viewed): void {
    const { now: before, lost, choosing } = this.state;
    const { events, choice } = message;
    const find = <C extends GameEvent["code"]>(code: C) => events.find((event): event is Extract<GameEvent, { code: C }> => event.code === code);
    const [played, won] = [find("card-played"), find("trick-won")];
    const still = calm() || !document.querySelector(".board");
    const own = played?.seat === this.state.table?.seat && document.querySelector(`.hand [data-card="${played?.card}"]`);
    const from = played && (own || plateOf(played.seat))?.getBoundingClientRect();
    clearTimeout(this.timers.again);
    this.dispatch(message as Action, false);
    const { looking, table } = this.state;
    if (this.state.choosing !== choosing) this.later = [];
    // A question from before a break is not answered any more.
    else if (lost && choosing.asked) this.question(choosing.asked.gifts);
    if (looking && !before?.facts.scored) this.after("looked", 1000 * (table?.look ?? 0), () => this.dispatch({ type: "looked" }, false));
    if (!still && (won || find("trick-void"))) this.motion = () => this.collect(won?.winner ?? null);
    else if (!still && from) this.motion = () => cardsAt([played.seat]).forEach((card) => fly(card, from));
    this.remember();
    // A page that nobody looks at is not drawn, but its title is read.
    if (document.hidden) showTurn(choice.mine);
    if (played?.card === "QS" && before) sound("queen");
    if (find("moon-shot") && before) sound("moon");
    if (choice.mine && before && !before.choice.mine) {
      sound("turn");
      notifyTurn();
    }
    this.autoplay(before !== null && message.ply < before.ply);
  }

  private collect(winner: Seat | null): void {
    const { now } = this.state;
    const trick = now && trickKey({ now });
    if (!trick) return;
    const done = () => this.state.now && trickKey({ now: this.state.now }) === trick && this.dispatch({ type: "collected", trick }, false);
    const seats = now.facts.lying?.plays.map(({ seat }) => seat) ?? [];
    collect(cardsAt(seats), winner === null ? null : plateOf(winner), done);
  }

  drawn(): void {
    const { motion } = this;
    this.motion = null;
    showTurn(this.state.now?.choice.mine ?? false);
    motion?.();
  }

  notice(text: string): void {
    this.dispatch({ type: "notice", text });
  }

  why(text: string): void {
    if (text !== this.state.why) this.dispatch({ type: "why", text });
  }

  private own(move: Move): Move {
    return { ...move, seat: this.state.table?.seat ?? undefined };
  }

  move(move: Move): void {
    const { now } = this.state;
    if (!now) return;
    this.look(false);
    this.connection.move(now.ply, this.own(move));
    if (!this.connection.ready) this.notice(say("say.sent-later"));
  }

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
    const { now, choosing } = this.state;
    if (!now) return;
    const id = this.connection.choose(now.ply, this.own(passOf(choosing, handOf(now))));
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
  ask(request: Request, event?: Event): void {
    const send = async () => {
      if (!this.connection.ready) this.notice(say("say.not-sent"));
      else {
        this.dispatch({ type: "asked", what: request.type });
        await this.connection.ask({ ...request });
      }
    };
    void (event ? action(event, send) : send());
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
    if (shown) this.after("again", AGAIN, () => this.look(false));
  }

  /** Go on at another table with the same people. */
  follow(next: string): void {
    this.leads.follow(next, this.state.table?.seat == null ? null : this.token);
  }

  sit(token: string | null = null): void {
    this.leads.follow(this.id, token);
  }

  /** Get the link of this table; until it is there, the address of this page is shown. */
  async askLink(): Promise<void> {
    this.dispatch({ type: "link", link: `${location.origin}/#t/${this.id}` }, false);
    const answer = await get<{ link: string }>(`/api/tables/${this.id}`);
    if (answer.ok) this.dispatch({ type: "link", link: answer.body.link }, false);
  }

  private remember(): void {
    const { table, now } = this.state;
    if (!table || table.seat === null) return;
    const people = table.people.filter(({ kind }, seat) => seat !== table.seat && kind === "person").map(({ name }) => name);
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
    this.after("autoplay", AUTOPLAY, () => {
      if (this.state.now !== now) return;
      if (claims) this.ask({ type: "claim", ply });
      else this.move({ move: "play", card });
    });
  }

  /** Show what a player says. Others can be muted. */
  private hear(seat: Seat, phrase: Phrase): void {
    const { table } = this.state;
    if (!table || (seat !== table.seat && !prefers("phrases"))) return;
    const words = say(`phrase.${phrase}`);
    const told = say("phrases.heard", { name: called({ table }, seat), phrase: words });
    announce(told);
    this.bubbles.delete(seat);
    this.bubbles.set(seat, { words, told });
    this.after(`bubble ${seat}`, BUBBLE, () => {
      this.bubbles.delete(seat);
      redrawNow();
    });
  }

  private preferred(changed: Preference): void {
    if (changed === "sound") sound("turn");
    if (changed === "phrases") this.bubbles.clear();
    if (changed === "speed") void this.connection.ask({ type: "pace", pace: preference("speed") });
    if (changed === "sorting") this.dispatch({ type: "restart" });
    if (changed === "forced" || changed === "claim") this.autoplay();
    redrawNow();
  }

  hintTold({ sentence: parts }: HintMessage): string {
    return ready(this.state) ? sentence(parts, positionAt(this.state)) : "";
  }
}

const plateOf = (seat: Seat) => document.querySelector(`.board [data-seat="${seat}"] .who`);
const cardsAt = (seats: Seat[]): Element[] => seats.flatMap((seat) => document.querySelector(`.board [data-seat="${seat}"] .played svg`) ?? []);
