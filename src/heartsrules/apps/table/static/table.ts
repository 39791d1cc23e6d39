/** The page of a table: before the game the people and the invitation, then the board, the hand and the panels. */

import "./core.ts";
import type { VNode } from "preact";
import { absentActions, actions } from "./actions.ts";
import { local } from "./api.ts";
import { Board } from "./board.ts";
import { cardInText, cardName, pictured } from "./cards.ts";
import { free } from "./choosing.ts";
import { SEEN, drawing, el, fragment, named, spoken, type Child } from "./dom.ts";
import { Ending } from "./ending.ts";
import { botFace } from "./faces.ts";
import { style } from "./games.ts";
import { Hand } from "./hand.ts";
import { menu, phrasesMenu } from "./menus.ts";
import { Steps, announce, redrawNow, type Page } from "./page.ts";
import { papers, trickTold } from "./papers.ts";
import { LinkField, SeatsMenu, invitationCode, waiting } from "./people.ts";
import { called, giftTexts, name } from "./position.ts";
import type { ReviewPage } from "./review.ts";
import { Session, type Leads } from "./session.ts";
import { positionAt, ready, type Ready } from "./state.ts";
import { isolated, list, say, total } from "./words.ts";

const PERSON = "M10 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM3 20c0-4 3-6 7-6s7 2 7 6M19 8v6M16 11h6";

export { InvitationForm, invitationTo } from "./people.ts";

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
    this.review = this.session.review = null;
    this.session.connection.restart();
    void this.follow();
  }

  /** Show what the entry of the browser's history stands for: the table, its review, or the practice. */
  private async follow(): Promise<void> {
    const { session, steps } = this;
    if (steps.depth > 0 && !this.review && ready(session.state)) {
      const { ReviewPage: Made } = await import("./review.ts");
      if (!steps.depth || this.review) return;
      this.review = session.review = new Made(session, steps);
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
    const seen = started && ready(state) && !over(state);
    const said = [...session.bubbles.values()].at(-1);
    return fragment(
      el("section", { key: "waiting", class: "panel", "aria-label": say("waiting.name"), hidden: started },
        !started && [waiting(session), notice]),
      started && ready(state) ? this.game(state, notice) : el("div", { key: "game", class: "game", hidden: true }),
      said && !seen && el("p", { class: "bubble aloud", ...SEEN }, said.told));
  }

  private game(state: Ready, notice: Child): VNode {
    const { session } = this;
    const { now: { ply, view, choice }, choosing, hint, waits } = state;
    const position = positionAt(state);
    const prompt = promptOf(state);
    if (prompt !== this.prompt) announce(prompt);
    this.prompt = prompt;
    const told = hint ? session.hintTold(hint) : "";
    const advice = waits ? say("hint.coming") : told && !told.endsWith(".") ? `${told}.` : told;
    const opens = say("papers.open");
    const onkeydown = ({ key }: KeyboardEvent) => key === "Escape" && session.look(false);
    return el("div", { key: "game", class: "game", "data-ply": ply, "data-phase": view.phase, "data-mine": String(choice.mine) },
      el("div", { class: "place" },
        over(state) && el(Ending, { session, state, openReview: this.open }),
        el("div", { class: "surface", hidden: over(state), onkeydown },
          el(Board, { position, gift: choosing.gift, opens, bubbles: session.bubbles }),
          el("div", { class: "mine" },
            el("div", { class: "said" },
              el("p", { id: "prompt", class: choice.mine && "mine", tabindex: -1, "data-focus": "" }, prompt),
              lastTrick(state),
              el("p", { id: "why", ...SEEN }, state.why),
              notice),
            actions(session, state, this.open),
            el("p", { id: "advice" }, advice),
            absentActions(session, state),
            el(Hand, { position, choosing, onChoose: (card, at) => session.choose(card, at), onWhy: (text) => session.why(text) })))),
      papers(state, this.open, el(SeatsMenu, { session, state })));
  }

  tools(): VNode {
    const { session } = this;
    const { table, link } = session.state;
    const played = table?.started && table.people.some(({ kind }, at) => at !== table.seat && kind === "person");
    const alone = !played || table.seat === null;
    const opened = (event: Event) => (event.currentTarget as HTMLDetailsElement).open && !link && session.askLink();
    const inside = table?.started && [
      el("p", {}, say("invite.told")),
      el("ol", { class: "sitting" }, table.people.map(({ kind, level }, seat) => {
        const bot = kind === "bot";
        const parts = [bot && botFace(seat, level), el("bdi", {}, name({ table }, seat)), bot && el("span", { class: "hint" }, style(level))];
        return el("li", {}, el("span", { class: "line" }, parts));
      })),
      link && el(LinkField, { id: "share", words: say("invite.link"), link, shared: true, code: invitationCode(session.id, 160) }),
    ];
    const summary = [drawing("0 0 24 24", "icon", el("path", { d: PERSON })), el("span", {}, say("invite.title-short"))];
    return fragment(
      menu("invite", summary, say("invite.button"), inside, { ontoggle: opened, hidden: local !== null || !table?.started || table.over }),
      phrasesMenu(local !== null || alone, (phrase) => session.ask({ type: "say", phrase })));
  }
}

/** Whether the end of the match covers the board. */
const over = ({ now, looking }: Ready): boolean => now.view.phase === "game-over" && !looking;

function lastTrick(state: Ready): VNode {
  const position = positionAt(state);
  const { last } = state.now.facts;
  if (!state.again || !last) return el("p", { id: "last-trick", hidden: true });
  return el("p", { id: "last-trick" },
    spoken(pictured(trickTold(position, last), cardName)),
    last.plays.map(({ seat, card }) =>
      el("span", { class: seat === last.winner && "winner", ...SEEN }, cardInText(card), named(name(position, seat)))));
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
    case "game-over": {
      const places = facts.standings.map(({ place, seats, total: points }) =>
        say("prompt.place", { place, names: list(seats.map((seat) => isolated(name(position, seat)))), points: total(points) }));
      return say("prompt.over", { places: list(places) });
    }
  }
}
