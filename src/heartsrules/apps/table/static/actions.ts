/** The buttons under the table: all actions but choosing cards. */

import type { VNode } from "preact";
import { cardName } from "./cards.ts";
import { handOf } from "./choosing.ts";
import { el, type Attributes, type Child } from "./dom.ts";
import { newcomers } from "./people.ts";
import { called, giftTexts, name } from "./position.ts";
import type { Session } from "./session.ts";
import { positionAt, type Ready } from "./state.ts";
import type { Request } from "./types.ts";
import { isolated, list, say, signed } from "./words.ts";

/** A button that is the same element as long as it is there. */
const button = (id: string, words: Child, onclick: (event: Event) => void, more: Attributes = {}) =>
  el("button", { key: id, id, onclick, ...more }, words);

const group = (kind: string, label: string, buttons: Child[]) =>
  el("div", { class: kind, role: "group", "aria-label": say(label) }, buttons);

export function actions(session: Session, state: Ready, openReview: () => void): VNode {
  const { now: { ply, view, choice, facts: { lying, last, scored } }, table: { people, paused, seat }, sheet } = state;
  const several = handOf(state.now).length > 1;
  const ask = (id: string, request: Request, more: Attributes = {}) =>
    button(id, say(`act.${id}`), (event) => session.ask(request, event), more);
  const claim: Request = { type: "claim", ply };
  const told = say("act.claim-told");
  const covered = view.phase === "playing" ? lying && !lying.complete : view.phase === "awaiting-deal";
  return group("actions", "act.name", [
    paused === "unattended" && ask("go-on", { type: "go-on" }),
    seat !== null && people[seat].stand_in && ask("back", { type: "back" }),
    choice.mine && question(session, state),
    // With one card left, a claim is a play.
    choice.settled && !choice.claim && several && ask("finish", claim, { title: say("act.finish-told") }),
    choice.claim && several && ask("claim", claim, { "aria-label": told, title: told }),
    choice.hint && button("hint", say("act.hint"), () => session.askHint(),
      { "aria-keyshortcuts": "h", title: say("act.hint-key"), "aria-busy": state.waits && "true" }),
    choice.undo && ask("undo", { type: "undo" }),
    view.phase === "awaiting-deal" && scored && (sheet?.rows.length ?? 0) > 0 && seat !== null && button("review", say("act.review"), openReview),
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
  return group("actions absent", "act.absent", [newcomers(session), votes]);
}
