/** What a table does on this page: it sends requests, takes messages, and lets sounds and animations follow. */

import { refusalText, socketAt } from "./api.ts";
import { calm, collect, fly, notifyTurn, showTurn, sound } from "./effects.ts";
import { against, answered, free, handOf, passOf, started, toggled } from "./choosing.ts";
import { Connection, type Status } from "./connection.ts";
import { reasons } from "./hand.ts";
import { listenToKeys } from "./keys.ts";
import { Steps, action, alarm, announce, arrive, byId, outdated, redraw, redrawNow } from "./page.ts";
import { newcomerTold } from "./people.ts";
import { called, giftTexts, sentence, trickKey } from "./position.ts";
import type { ReviewPage } from "./review.ts";
import { BEGINNING, changes, positionAt, ready, type State } from "./state.ts";
import { count, preference, prefers, rememberTable, storeKeys, type Preference } from "./storage.ts";
import type { Card, GameEvent, HintMessage, Message, Move, Refusal, Request, Seat, TableMessage, Viewed } from "./types.ts";
import { capital, language, list, say } from "./words.ts";

/** How long the last trick is shown again, a bubble is seen, and a position before a page acts by itself, in milliseconds. */
const AGAIN = 2000;
const BUBBLE = 4000;
const AUTOPLAY = 700;

export class Session {
  state: State = BEGINNING;
  /** What is said: the words at the seats, and the whole where no plate is seen. */
  readonly bubbles = new Map<Seat, { words: string; told: string }>();
  readonly connection: Connection;
  private readonly steps = new Steps(history);
  private review: ReviewPage | null = null;
  /** Whether the review covers the table: the next deal waits for that. */
  private covered = false;
  private readonly timers: Record<string, ReturnType<typeof setTimeout> | undefined> = {};
  /** What waits for the answer about the options of a pass. */
  private later: (() => void)[] = [];
  /** The animation that follows the next drawing. */
  private motion: (() => void) | null = null;
  private readonly ending = new AbortController();
  private readonly silence: () => void;

  constructor(readonly id: string, readonly token: string | null, private readonly refused: (session: Session, refusal: Refusal) => void) {
    this.connection = new Connection(
      () => socketAt(id),
      () => ({ type: "hello", token, language }),
      (message) => this.receive(message),
      (state, refusal) => this.connected(state, refusal),
    );
    const { signal } = this.ending;
    const wake = () => document.hidden || this.connection.wake();
    // What an earlier load of the page had opened is closed.
    history.replaceState(null, "");
    addEventListener("online", wake, { signal });
    document.addEventListener("visibilitychange", wake, { signal });
    addEventListener("popstate", () => void this.step(), { signal });
    addEventListener("preference", (event) => this.preferred((event as CustomEvent<Preference>).detail), { signal });
    const act = { onChoose: (card: Card, at: number) => this.choose(card, at), onHint: () => this.askHint() };
    this.silence = listenToKeys(() => (ready(this.state) && !this.covered ? { ...this.state, ...act } : null));
  }

  close(): void {
    this.review?.close();
    this.connection.close();
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.ending.abort();
    this.silence();
    byId("connection").textContent = "";
    showTurn(false);
    alarm("");
  }

  translate(): void {
    this.review?.close();
    this.review = null;
    this.connection.restart();
    void this.step();
  }

  /** The review, while it covers the table. */
  get reviewing(): ReviewPage | null {
    return this.steps.depth > 0 ? this.review : null;
  }

  readonly openReview = (): void => {
    this.steps.enter(1);
    void this.step();
  };

  /** Show what the entry of the browser's history stands for: the table, its review, or the practice. */
  private async step(): Promise<void> {
    const { steps } = this;
    if (steps.depth > 0 && !this.review && ready(this.state)) {
      const { ReviewPage: Made } = await import("./review.ts");
      if (!steps.depth || this.review) return;
      this.review = new Made(this, steps);
    }
    const covered = this.reviewing !== null;
    if (covered !== this.covered) this.connection.request({ type: "reviewing", open: covered });
    this.covered = covered;
    this.review?.follow();
    redrawNow();
  }

  /** Change the state, and draw it: what somebody has pressed at once, all else in the next frame. */
  change(more: Partial<State>, pressed = true): void {
    const { notice } = this.state;
    this.state = { ...this.state, ...more };
    if (this.state.notice !== notice) alarm(this.state.notice);
    if (pressed) redrawNow();
    else redraw();
  }

  private after(name: string, milliseconds: number, act: () => void): void {
    clearTimeout(this.timers[name]);
    this.timers[name] = setTimeout(act, milliseconds);
  }

  private connected(status: Status, refusal?: Refusal | null): void {
    const lost = refusal ? `${capital(refusalText(refusal))}. ${say("stuck.trying")}` : say("status.lost");
    const shown = { textContent: { connected: say("status.connected"), lost, refused: "" }[status], className: status };
    Object.assign(byId("connection"), shown);
    if (status === "refused") this.refused(this, refusal as Refusal);
    else if (status === "lost") this.change({ lost: true }, false);
    else {
      // Who prefers another pace asks for it each time.
      if (preference("speed") !== "usual") this.preferred("speed");
      if (this.covered) this.connection.request({ type: "reviewing", open: true });
      this.review?.want();
    }
  }

  private receive(message: Message): void {
    if (this.review?.receive(message)) return;
    const before = this.state;
    this.change(changes(before, message), false);
    if (message.type === "welcome" && message.version) outdated(message.version);
    else if (message.type === "table") this.seated(message, before.table);
    else if (message.type === "view") this.viewed(message as Viewed, before);
    else if (message.type === "phrase") this.hear(message.seat, message.phrase);
    else if (message.type === "hint") announce(capital(this.hintTold(message)));
    // A review says itself that a mistake makes no drill.
    else if (message.type === "refused" && before.now && !this.covered) this.refuse(message);
  }

  private seated(table: TableMessage, before: TableMessage | null): void {
    this.remember();
    const asking = (each: TableMessage | null) => each?.newcomers.filter(({ asked }) => asked.includes(each.seat ?? -1)) ?? [];
    const known = asking(before).map(({ seat }) => seat);
    for (const each of asking(table)) if (!known.includes(each.seat)) announce(newcomerTold(table, each));
    if (table.next && this.state.leads) this.follow(table.next);
    if (table.started && before && !before.started) this.motion = () => arrive(document.getElementById("prompt"));
  }

  /** Follow a view, and the events that led to it, by animations and sounds. What was measured before it is still drawn. */
  private viewed({ events, choice, ply }: Viewed, { now: before, lost, choosing, table: seats }: State): void {
    const find = <C extends GameEvent["code"]>(code: C) => events.find((event): event is Extract<GameEvent, { code: C }> => event.code === code);
    const [played, won] = [find("card-played"), find("trick-won")];
    const still = calm() || !document.querySelector(".board");
    const own = played?.seat === seats?.seat && document.querySelector(`.hand [data-card="${played?.card}"]`);
    const from = played && (own || plateOf(played.seat))?.getBoundingClientRect();
    clearTimeout(this.timers.again);
    if (this.state.choosing !== choosing) this.later = [];
    // A question from before a break is not answered any more.
    else if (lost && choosing.asked) void this.question(choosing.asked);
    if (this.state.looking && !before?.facts.scored) this.after("looked", 1000 * (seats?.look ?? 0), () => this.change({ looking: false }, false));
    if (!still && (won || find("trick-void"))) this.motion = () => this.collect(won?.winner ?? null);
    else if (!still && from) this.motion = () => cardsAt([played.seat]).forEach((card) => fly(card, from));
    this.remember();
    // A page that nobody looks at is not drawn, but its title is read.
    if (document.hidden) showTurn(choice.mine);
    if (!before) return this.autoplay();
    if (played?.card === "QS") sound("queen");
    if (find("moon-shot")) sound("moon");
    if (choice.mine && !before.choice.mine) {
      sound("turn");
      notifyTurn();
    }
    this.autoplay(ply < before.ply);
  }

  private collect(winner: Seat | null): void {
    const { now } = this.state;
    const gone = now && trickKey({ now });
    if (!gone) return;
    const seats = now.facts.lying?.plays.map(({ seat }) => seat) ?? [];
    collect(cardsAt(seats), winner === null ? null : plateOf(winner), () => this.change({ gone }, false));
  }

  drawn(): void {
    const { motion } = this;
    this.motion = null;
    showTurn(this.state.now?.choice.mine ?? false);
    motion?.();
    this.review?.drawn();
  }

  notice(text: string): void {
    this.change({ notice: text, toldAt: this.state.now?.ply ?? -1, why: "" });
  }

  /** Say that a request was refused, and why. */
  refuse(refusal: Pick<Refusal, "code" | "message">): void {
    this.notice(say("say.refused", { why: refusalText(refusal) }));
  }

  why(text: string): void {
    if (text !== this.state.why) this.change({ why: text, ...(text && { notice: "" }) });
  }

  private own(move: Move): object {
    return { heartsrules: 1, kind: "move", ...move, seat: this.state.table?.seat };
  }

  move(move: Move): void {
    const { now } = this.state;
    if (!now) return;
    this.look(false);
    this.connection.move(now.ply, this.own(move));
    this.sentLater();
  }

  private sentLater(): void {
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
    this.change({ choosing: toggled(choosing, at) });
    if (now.view.phase === "passing") void this.question(choosing.gifts);
  }

  /** Ask how the pass may go on; `before` is what was chosen before. A break ends the question, then it is asked again. */
  private async question(before: number[][]): Promise<void> {
    const { now, choosing } = this.state;
    if (!now) return;
    this.change({ choosing: { ...choosing, asked: before } });
    this.sentLater();
    const answer = await this.connection.ask({ type: "choose", ply: now.ply, move: this.own(passOf(choosing, handOf(now))) });
    if (!answer || this.state.choosing.asked !== before) return;
    this.change({ choosing: answered(this.state.choosing, answer.type === "options" ? answer.options : null) });
    // Now comes what was pressed meanwhile.
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
        this.change({ leads: this.state.leads || request.type === "again", leaving: this.state.leaving || request.type === "leave" });
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
    else {
      this.ask({ type: "hint", ply: state.now.ply });
      if (!this.connection.ready) return;
      this.change({ waits: true, hint: null, notice: "" });
      announce(say("hint.coming"));
    }
  }

  /** Show the last trick again, until a move, Escape or two seconds end it; or hide it. */
  look(again: boolean): void {
    clearTimeout(this.timers.again);
    if (again === this.state.again) return;
    this.change({ again, ...(!again && { notice: "" }) });
    if (again) this.after("again", AGAIN, () => this.look(false));
  }

  /** Go on at another table with the same people. */
  follow(next: string): void {
    if (this.token && this.state.table?.seat !== null) storeKeys(next, [this.token]);
    location.hash = `#t/${next}`;
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
  private hear(seat: Seat, phrase: string): void {
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
    if (changed === "sorting" && this.state.now) this.change({ choosing: started(this.state.now) });
    if (changed === "forced" || changed === "claim") this.autoplay();
  }

  hintTold({ sentence: parts }: HintMessage): string {
    return ready(this.state) ? sentence(parts, positionAt(this.state)) : "";
  }
}

const plateOf = (seat: Seat) => document.querySelector(`.board [data-seat="${seat}"] .who`);
const cardsAt = (seats: Seat[]): Element[] => seats.flatMap((seat) => document.querySelector(`.board [data-seat="${seat}"] .played svg`) ?? []);
