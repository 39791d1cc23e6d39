/** The buttons under the table: all actions but choosing cards. */

import type { VNode } from "preact";
import { cardName } from "./cards.ts";
import { handOf } from "./choosing.ts";
import { el, type Attributes, type Child } from "./dom.ts";
import { called, completed, giftTexts } from "./position.ts";
import type { Session } from "./session.ts";
import { positionAt, type Ready } from "./state.ts";
import type { Person, Request } from "./types.ts";
import { isolated, list, say, signed } from "./words.ts";

/** A button that is the same element as long as it is there. */
const button = (id: string, words: Child, onclick: (event: Event) => void, more: Attributes = {}) => el("button", { key: id, id, onclick, ...more }, words);

const group = (kind: string, label: string, buttons: Child[]) => el("div", { class: kind, role: "group", "aria-label": say(label) }, buttons);

/** The buttons of the current position. */
export function actions(session: Session, state: Ready, openReview: () => void): VNode {
  const { now: { view, choice, facts }, table } = state;
  const { people, paused, seat } = table;
  const several = handOf(state.now).length > 1;
  const ask = (id: string, words: Child, request: Request, more: Attributes = {}) => button(id, words, (event) => session.ask(request, event), more);
  const claim = { type: "claim", ply: state.now.ply } as Request;
  const covered = view.phase === "playing" ? (view.trick?.length ?? 0) > 0 : view.phase === "awaiting-deal";
  return group("actions", "act.name", [
    paused === "unattended" && ask("go-on", say("act.go-on"), { type: "go-on" }),
    seat !== null && people[seat].stand_in && ask("back", say("act.back"), { type: "back" }),
    choice.mine && question(session, state),
    // With one card left, a claim is a play.
    choice.settled && !choice.claim && several && ask("finish", say("act.finish"), claim, { title: say("act.finish-told") }),
    choice.claim && several && ask("claim", say("act.claim"), claim, { "aria-label": say("act.claim-told"), title: say("act.claim-told") }),
    choice.hint && button("hint", say("act.hint"), () => session.askHint(), { "aria-keyshortcuts": "h", title: say("act.hint-key"), "aria-busy": state.waits && "true" }),
    choice.undo && ask("undo", say("act.undo"), { type: "undo" }),
    view.phase === "awaiting-deal" && facts.scored && (state.sheet?.rows.length ?? 0) > 0 && seat !== null && button("review", say("act.review"), openReview),
    covered && completed(state) && button("again", say("act.last-trick"), () => session.look(!state.again), { "aria-pressed": String(state.again) }),
  ]);
}

/** The buttons that answer what this seat is asked. */
function question(session: Session, state: Ready): Child {
  const { now: { view, choice, facts }, choosing, hint } = state;
  const primary = { class: "primary" };
  if (view.phase === "passing") {
    const complete = choosing.options?.complete && !choosing.asked;
    return [
      button("pass", say("act.pass", { gifts: giftTexts(positionAt(state)).join(", ") }), () => session.pass(), { ...primary, "aria-disabled": !complete && "true" }),
      choice.may_decline && button("decline", say("act.decline"), () => session.move({ move: "pass", cards: [] })),
    ];
  }
  if (view.phase === "exposing") {
    const hand = handOf(state.now);
    const cards = (choosing.gifts[0] ?? []).map((at) => hand[at]);
    return button("show", say("act.show", { count: cards.length, cards: list(cards.map(cardName)) }), () => session.move({ move: "expose", cards: cards.join(" ") }), primary);
  }
  const { moon } = facts;
  if (view.phase !== "choosing-moon" || !moon) return null;
  const points = (effect: readonly number[]) => list(effect.map((each, seat) => `${called(positionAt(state), seat)} ${signed(each)}`));
  const effect = (id: "others-up" | "shooter-down", words: string) =>
    button(id, words, () => session.move({ move: "choose-moon", effect: id }), { class: (hint?.move as { effect?: string } | undefined)?.effect === id ? "primary advised" : "primary" });
  return [effect("others-up", say("act.others-up", { points: points(moon.others_up) })), effect("shooter-down", say("act.shooter-down", { points: points(moon.shooter_down) }))];
}

/**
 * The actions on other seats: bots for absent people, and newcomers. They stand below the hand, so that the hand stays
 * where it is.
 */
export function absentActions(session: Session, state: Ready): VNode {
  const { table: { absent, host, people, seat: own } } = state;
  const votes = absent.map(({ seat, votes: given, needed }) => {
    if (own === null || seat === own) return null;
    const name = session.nameOf(seat);
    if (host === own && !people[seat].here) return button(`stand-in-${seat}`, say("act.stand-in", { name: isolated(name) }), (event) => session.ask({ type: "stand-in", seat }, event));
    const wanted = given.includes(own);
    return button(`vote-${seat}`, say("act.vote", { name: isolated(name), votes: given.length, needed }), (event) => session.ask({ type: "vote", seat, wanted: !wanted }, event), { "aria-pressed": String(wanted) });
  });
  return group("actions absent", "act.absent", [newcomers(session), votes]);
}

/** The newcomers: what is said of the own request for a seat, and buttons to agree to others. */
export function newcomers(session: Session): Child[] {
  const { table } = session.state;
  return (table?.newcomers ?? []).map(({ seat, name, asked }) => {
    const told = el("p", { key: `told-${seat}`, class: "newcomer" }, session.newcomerTold(seat));
    if (seat === table?.waits_for) return [told, button("wait-no-more", say("newcomer.leave"), (event) => session.ask({ type: "leave" }, event))];
    if (table?.seat == null || !asked.includes(table.seat)) return null;
    const answer = (agreed: boolean) => (event: Event) => session.ask({ type: "agree", seat, agreed }, event);
    return [told, button(`agree-${seat}`, say("newcomer.agree", { name: isolated(name) }), answer(true)), button(`decline-${seat}`, say("newcomer.decline", { name: isolated(name) }), answer(false))];
  });
}

/** A sentence for each group of players at the same network address. */
export function nearTold(people: readonly Person[]): VNode[] {
  const told = new Set<number>();
  return people.flatMap((person, seat) => {
    if (told.has(seat) || !person.near.length || person.kind !== "person") return [];
    const seats = [seat, ...person.near].filter((each) => people[each].kind === "person");
    for (const each of seats) told.add(each);
    return seats.length > 1 ? [el("p", { class: "hint near" }, say("seats.near", { names: list(seats.map((each) => isolated(people[each].name))) }))] : [];
  });
}
