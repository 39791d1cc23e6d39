/** The page of a table: before the game the people and the invitation, then the board, the hand and the panels. */

import "./core.ts";
import type { VNode } from "preact";
import { absentActions, actions } from "./actions.ts";
import { local } from "./api.ts";
import { boardOf } from "./board.ts";
import { cardInText, cardName } from "./cards.ts";
import { style } from "./choices.ts";
import { SEEN, drawing, el, fragment, named, spoken, type Child } from "./dom.ts";
import { ending } from "./ending.ts";
import { botFace } from "./faces.ts";
import { handShown } from "./hand.ts";
import { linkField } from "./link_field.ts";
import { menu } from "./menus.ts";
import { announce, redrawNow, type Page } from "./page.ts";
import { papers, trickTold } from "./papers.ts";
import { bubbleAloud, phrasesMenu } from "./phrases.ts";
import { called, completed, giftTexts, name, seatAt } from "./position.ts";
import { free } from "./choosing.ts";
import type { ReviewPage } from "./review.ts";
import { seatsMenu } from "./seats_menu.ts";
import { Session, type Leads } from "./session.ts";
import { positionAt, ready, type Ready } from "./state.ts";
import { Steps } from "./steps.ts";
import { waiting } from "./waiting.ts";
import { isolated, list, say, total } from "./words.ts";

const PERSON = "M10 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM3 20c0-4 3-6 7-6s7 2 7 6M19 8v6M16 11h6";

export class TablePage implements Page {
  readonly session: Session;
  private readonly steps = new Steps(history);
  private review: ReviewPage | null = null;
  /** What was announced last. */
  private prompt = "";
  private readonly moved = () => void this.follow();
  private readonly open = () => {
    this.steps.enter(1);
    void this.follow();
  };

  constructor(table: string, token: string | null, status: HTMLElement, leads: Leads) {
    this.session = new Session(table, token, status, leads);
    addEventListener("popstate", this.moved);
  }

  close(): void {
    removeEventListener("popstate", this.moved);
    this.review?.close();
    this.session.close();
  }

  drawn(): void {
    this.session.drawn();
    this.review?.drawn();
  }

  translate(): void {
    this.review?.close();
    this.review = null;
    this.session.review = null;
    this.session.connection.restart();
    void this.follow();
  }

  /** Show what the entry of the browser's history stands for: the table, its review, or the practice. */
  private async follow(): Promise<void> {
    const { session, steps } = this;
    if (steps.depth > 0 && !this.review && ready(session.state)) {
      const { ReviewPage: Made } = await import("./review.ts");
      if (!steps.depth || this.review) return;
      this.review = new Made(session, steps);
      session.review = this.review;
    }
    session.cover(this.review !== null && steps.depth > 0);
    this.review?.follow();
    redrawNow();
  }

  view(): VNode {
    const { session } = this;
    const { state } = session;
    const started = state.table?.started ?? false;
    if (this.review && this.steps.depth > 0 && ready(state)) return this.review.view(state);
    const notice = el("p", { id: "notice", key: "notice" }, state.notice);
    return fragment(
      el("section", { key: "waiting", class: "panel", "aria-label": say("waiting.name"), hidden: started }, !started && [waiting(session), notice]),
      started && ready(state) ? this.game(state, notice) : el("div", { key: "game", class: "game", hidden: true }),
      session.aloud && bubbleAloud(session.aloud));
  }

  private game(state: Ready, notice: Child): VNode {
    const { session } = this;
    const { now: { ply, view, choice }, choosing, again, looking, hint, waits } = state;
    const position = positionAt(state);
    const over = view.phase === "game-over" && !looking;
    const prompt = promptOf(state);
    if (prompt !== this.prompt) announce(prompt);
    this.prompt = prompt;
    const advice = waits ? say("hint.coming") : hint ? session.hintTold(hint) : "";
    return el("div", { key: "game", class: "game", "data-ply": ply, "data-phase": view.phase, "data-mine": String(choice.mine) },
      el("div", { class: "place" },
        over && ending({ session, state, openReview: this.open }),
        el("div", { class: "surface", hidden: over, onkeydown: ({ key }: KeyboardEvent) => key === "Escape" && session.look(false) },
          boardOf({ position, gift: choosing.gift, opens: say("papers.open"), bubbles: session.bubbles }),
          el("div", { class: "mine" },
            el("div", { class: "said" },
              el("p", { id: "prompt", class: choice.mine && "mine", tabindex: -1, "data-focus": "" }, prompt),
              this.lastTrick(state, again),
              el("p", { id: "why", ...SEEN }, state.why),
              notice),
            actions(session, state, this.open),
            el("p", { id: "advice" }, advice && (advice.endsWith(".") || waits ? advice : `${advice}.`)),
            absentActions(session, state),
            handShown({ position, choosing, onChoose: (card, at) => session.choose(card, at), onWhy: (text) => session.why(text) })))),
      papers(state, this.open, seatsMenu({ session, state })));
  }

  /** The last trick again, in place of the prompt. */
  private lastTrick(state: Ready, shown: boolean): VNode {
    const position = positionAt(state);
    const trick = completed(position);
    if (!shown || !trick) return el("p", { id: "last-trick", hidden: true });
    const told = trickTold(position, trick).replaceAll(/\ue000(..)/g, (_, card) => cardName(card));
    return el("p", { id: "last-trick" },
      spoken(told),
      trick.plays.map((card, offset) => {
        const seat = seatAt(position, trick.leader, offset);
        return el("span", { class: seat === trick.winner && "winner", ...SEEN }, cardInText(card), named(name(position, seat)));
      }));
  }

  tools(): VNode {
    const { session } = this;
    const { table, link } = session.state;
    const alone = !table?.started || table.seat === null || table.people.every((person, at) => at === table.seat || person.kind === "bot");
    const person = drawing("0 0 24 24", "icon", el("path", { d: PERSON }));
    const opened = (event: Event) => (event.currentTarget as HTMLDetailsElement).open && !link && session.askLink();
    const inside = table?.started && [
      el("p", {}, say("invite.told")),
      el("ol", { class: "sitting" }, table.people.map(({ kind, level }, seat) =>
        el("li", {}, el("span", { class: "line" }, kind === "bot" && botFace(seat, level), el("bdi", {}, session.nameOf(seat)), kind === "bot" && el("span", { class: "hint" }, style(level)))))),
      link && linkField({ id: "share", words: say("invite.link"), link, shared: true, code: el("img", { class: "code", src: `/api/tables/${session.id}/code.svg`, alt: say("waiting.code"), width: 160, height: 160 }) }),
    ];
    return fragment(
      menu("invite", [person, el("span", {}, say("invite.title-short"))], say("invite.button"), inside, { ontoggle: opened, hidden: local !== null || !table?.started || table.over }),
      phrasesMenu(local !== null || alone, (phrase) => session.ask({ type: "say", phrase })));
  }
}

/** What this seat, or everybody else, has to do now. */
function promptOf(state: Ready): string {
  const { now: { view, choice, facts }, table } = state;
  const position = positionAt(state);
  const waitingFor = () => say("prompt.waiting", { names: list(choice.to_act.map((seat) => called(position, seat))) });
  switch (view.phase) {
    case "awaiting-deal":
      return table.paused ? say(`prompt.paused-${table.paused}`, { names: list(table.reviewing.map((seat) => called(position, seat))) }) : say("prompt.awaiting-deal");
    case "passing":
      return choice.mine ? say("prompt.pass", { gifts: giftTexts(position).join("; ") }) : waitingFor();
    case "dealing-back":
      return say("prompt.dealing-back");
    case "exposing":
      if (!choice.mine) return waitingFor();
      return `${say(free(state.now).length ? "prompt.show" : "prompt.nothing-to-show")}${view.before_pass ? ` ${say("prompt.before-pass")}` : ""}`;
    case "playing":
      return choice.mine ? say("prompt.your-turn") : waitingFor();
    case "choosing-moon":
      return choice.mine ? say("prompt.your-moon") : say("prompt.moon", { name: called(position, view.shooter ?? 0) });
    default: {
      const place = ({ place: at, seats, total: points }: (typeof facts.standings)[number]) => say("prompt.place", { place: at, names: list(seats.map((seat) => isolated(name(position, seat)))), points: total(points) });
      return say("prompt.over", { places: list(facts.standings.map(place)) });
    }
  }
}
