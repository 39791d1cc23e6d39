/** The page of a table: before the game the people and the invitation, then the board, the hand and the panels. */

import "./core.ts";
import type { VNode } from "preact";
import { local } from "./api.ts";
import { Board } from "./board.ts";
import { cardInText, cardName, pictured } from "./cards.ts";
import { free, handOf } from "./choosing.ts";
import { SEEN, button, drawing, el, fragment, menu, named, spoken, type Attributes, type Child } from "./dom.ts";
import { Ending } from "./ending.ts";
import { Hand } from "./hand.ts";
import { announce, type Page } from "./page.ts";
import { papers, trickTold } from "./papers.ts";
import { LinkField, invitationCode, newcomers, seatsMenu, sits, waiting } from "./people.ts";
import { called, giftTexts, name } from "./position.ts";
import { Session } from "./session.ts";
import { positionAt, ready, type Ready } from "./state.ts";
import type { Request, Seat } from "./types.ts";
import { isolated, list, say, signed, total } from "./words.ts";

export const PHRASES = ["hello", "luck", "nice", "ouch", "sorry", "thanks", "moment", "game", "again", "bye"] as const;
const BUBBLE = "M4 4h16a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-9l-5 4v-4h-2a1.5 1.5 0 0 1-1.5-1.5v-10a1.5 1.5 0 0 1 1.5-1.5Z";
const PERSON = "M10 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM3 20c0-4 3-6 7-6s7 2 7 6M19 8v6M16 11h6";

export { InvitationForm, invitationTo } from "./people.ts";

export class TablePage extends Session implements Page {
  /** What was announced last. */
  private prompt = "";

  view(): VNode {
    const { state, reviewing } = this;
    const started = state.table?.started ?? false;
    if (reviewing && ready(state)) return reviewing.view(state);
    const notice = el("p", { id: "notice", key: "notice" }, state.notice);
    const seen = started && ready(state) && !over(state);
    const said = [...this.bubbles.values()].at(-1);
    return fragment(
      el("section", { key: "waiting", class: "panel", "aria-label": say("waiting.name"), hidden: started },
        !started && [waiting(this), notice]),
      started && ready(state) ? this.game(state, notice) : el("div", { key: "game", class: "game", hidden: true }),
      said && !seen && el("p", { class: "bubble aloud", ...SEEN }, said.told));
  }

  private game(state: Ready, notice: Child): VNode {
    const { now: { ply, view, choice }, choosing, hint, waits } = state;
    const position = positionAt(state);
    const prompt = promptOf(state);
    if (prompt !== this.prompt) announce(prompt);
    this.prompt = prompt;
    const told = hint ? this.hintTold(hint) : "";
    const advice = waits ? say("hint.coming") : told && !told.endsWith(".") ? `${told}.` : told;
    const opens = say("papers.open");
    const onkeydown = ({ key }: KeyboardEvent) => key === "Escape" && this.look(false);
    return el("div", { key: "game", class: "game", "data-ply": ply, "data-phase": view.phase, "data-mine": String(choice.mine) },
      el("div", { class: "place" },
        over(state) && el(Ending, { session: this, state, openReview: this.openReview }),
        el("div", { class: "surface", hidden: over(state), onkeydown },
          el(Board, { position, gift: choosing.gift, opens, bubbles: this.bubbles }),
          el("div", { class: "mine" },
            el("div", { class: "said" },
              el("p", { id: "prompt", class: choice.mine && "mine", tabindex: -1, "data-focus": "" }, prompt),
              lastTrick(state),
              el("p", { id: "why", ...SEEN }, state.why),
              notice),
            actions(this, state),
            el("p", { id: "advice" }, advice),
            absentActions(this, state),
            el(Hand, { position, choosing, onChoose: (card, at) => this.choose(card, at), onWhy: (text) => this.why(text) })))),
      papers(state, this.openReview, seatsMenu(this, state)));
  }

  tools(): VNode {
    const { table, welcome } = this.state;
    const played = table?.started && table.people.some(({ kind }, at) => at !== table.seat && kind === "person");
    const alone = !played || table.seat === null;
    const inside = welcome && table?.started && [
      el("p", {}, say("invite.told")),
      el("ol", { class: "sitting" }, table.people.map((each, seat) => sits(each, seat))),
      el(LinkField, { id: "share", words: say("invite.link"), link: welcome.link, shared: true, code: invitationCode(this.id, 160) }),
    ];
    const icon = (d: string) => drawing("0 0 24 24", "icon", el("path", { d }));
    const summary = [icon(PERSON), el("span", {}, say("invite.title-short"))];
    // Pressing one closes the menu.
    const choose = { type: "button", popovertarget: "phrases-menu", popovertargetaction: "hide" };
    const phrases = PHRASES.map((phrase) =>
      el("button", { ...choose, onclick: () => this.ask({ type: "say", phrase }) }, say(`phrase.${phrase}`)));
    return fragment(
      menu("invite", summary, say("invite.button"), inside, local !== null || !table?.started || table.over),
      menu("phrases", icon(BUBBLE), say("phrases.title"), el("div", { class: "phrases" }, phrases), local !== null || alone));
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
  const { now: { view, choice, facts }, table: { paused, reviewing } } = state;
  const position = positionAt(state);
  const namesOf = (seats: readonly Seat[]) => list(seats.map((seat) => called(position, seat)));
  const places = list(facts.standings.map(({ place, seats, total: points }) => say("prompt.place", { place, names: namesOf(seats), points: total(points) })));
  return say(`prompt.${view.phase}`, {
    ...{ mine: choice.mine, names: namesOf(choice.to_act), paused, reviewing: namesOf(reviewing), places },
    ...{ gifts: giftTexts(position).join("; "), free: free(state.now).length, before_pass: view.before_pass },
    shooter: called(position, view.shooter ?? 0),
  });
}

const group = (kind: string, label: string, buttons: Child[]) =>
  el("div", { class: kind, role: "group", "aria-label": say(label) }, buttons);

export function actions(session: Session, state: Ready): VNode {
  const { now: { ply, view, choice, facts: { lying, last, scored } }, table: { people, paused, seat }, sheet } = state;
  const several = handOf(state.now).length > 1;
  const ask = (id: string, request: Request, more: Attributes = {}) =>
    button(id, say(`act.${id}`), (event) => session.ask(request, event), more);
  const claim = choice.claim ? "claim" : choice.settled && "finish";
  const told = claim && say(`act.${claim}-told`);
  const covered = view.phase === "playing" ? lying && !lying.complete : view.phase === "awaiting-deal";
  return group("actions", "act.name", [
    paused === "unattended" && ask("go-on", { type: "go-on" }),
    seat !== null && people[seat].stand_in && ask("back", { type: "back" }),
    choice.mine && question(session, state),
    // With one card left, a claim is a play.
    claim && several && ask(claim, { type: "claim", ply }, { title: told, "aria-label": choice.claim && told }),
    choice.hint && button("hint", say("act.hint"), () => session.askHint(),
      { "aria-keyshortcuts": "h", title: say("act.hint-key"), "aria-busy": state.waits && "true" }),
    choice.undo && ask("undo", { type: "undo" }),
    view.phase === "awaiting-deal" && scored && (sheet?.rows.length ?? 0) > 0 && seat !== null && button("review", say("act.review"), session.openReview),
    covered && last && button("again", say("act.last-trick"), () => session.look(!state.again), { "aria-pressed": String(state.again) }),
  ]);
}

function question(session: Session, state: Ready): Child {
  const { now: { view, choice, facts: { moon } }, choosing, hint } = state;
  const primary = { class: "primary" };
  const position = positionAt(state);
  if (view.phase === "passing") {
    const disabled = { "aria-disabled": !(choosing.options?.complete && !choosing.asked) && "true" };
    const words = say("act.pass", { gifts: giftTexts(position).join(", ") });
    return [
      button("pass", words, () => session.pass(), { ...primary, ...disabled }),
      choice.may_decline && button("decline", say("act.decline"), () => session.move({ move: "pass", cards: [] })),
    ];
  }
  if (view.phase === "exposing") {
    const hand = handOf(state.now);
    const cards = (choosing.gifts[0] ?? []).map((at) => hand[at]);
    const words = say("act.show", { count: cards.length, cards: list(cards.map(cardName)) });
    return button("show", words, () => session.move({ move: "expose", cards: cards.join(" ") }), primary);
  }
  return view.phase === "choosing-moon" && moon && (["others-up", "shooter-down"] as const).map((effect) => {
    const totals = moon[effect === "others-up" ? "others_up" : "shooter_down"];
    const points = list(totals.map((each, seat) => `${called(position, seat)} ${signed(each)}`));
    const advised = hint?.move.move === "choose-moon" && hint.move.effect === effect;
    const kind = { class: advised ? "primary advised" : "primary" };
    return button(effect, say(`act.${effect}`, { points }), () => session.move({ move: "choose-moon", effect }), kind);
  });
}

/**
 * The actions on other seats: bots for absent people, and newcomers. They stand below the hand, so that the hand stays
 * where it is.
 */
export function absentActions(session: Session, { table }: Ready): VNode {
  const { absent, host, people, seat: own } = table;
  const votes = absent.map(({ seat, votes: given, needed }) => {
    if (own === null || seat === own) return null;
    const called = isolated(name({ table }, seat));
    if (host === own && !people[seat].here) {
      return button(`stand-in-${seat}`, say("act.stand-in", { name: called }), (event) => session.ask({ type: "stand-in", seat }, event));
    }
    const wanted = given.includes(own);
    const words = say("act.vote", { name: called, votes: given.length, needed });
    const vote = (event: Event) => session.ask({ type: "vote", seat, wanted: !wanted }, event);
    return button(`vote-${seat}`, words, vote, { "aria-pressed": String(wanted) });
  });
  return group("actions absent", "act.absent", [newcomers(session, table), votes]);
}
