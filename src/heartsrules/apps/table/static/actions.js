/** The buttons under the table: all actions but choosing cards. */

import { cardName } from "./cards.js";
import { el, update } from "./dom.js";
import { isolated, list, say, signed } from "./words.js";

/**
 * Render the buttons of the current position.
 * @param {import("./table.js").TableView} table
 * @param {HTMLElement} place
 */
export function renderActions(table, place) {
  const { view, choice, facts } = table.now;
  const { hand, board } = table;
  const { people, paused } = table.table;
  const buttons = [];
  const ask = (id, words, request) => buttons.push(el("button", { id, onclick: () => table.ask(request) }, words));
  if (paused === "unattended") ask("go-on", say("act.go-on"), { type: "go-on" });
  if (table.seat !== null && people[table.seat].stand_in) ask("back", say("act.back"), { type: "back" });
  if (view.phase === "passing" && choice.mine) {
    const complete = hand.options.complete && !hand.asked;
    const pass = () => {
      if (hand.asked) hand.later.push(pass);
      else if (hand.options.complete) table.move(hand.pass);
      else table.say(say("say.first-choose", { gifts: list(table.giftTexts()) }));
    };
    buttons.push(el("button", { id: "pass", class: "primary", "aria-disabled": complete ? null : "true", onclick: pass }, say("act.pass", { gifts: table.giftTexts().join(", ") })));
    if (choice.may_decline) buttons.push(el("button", { id: "decline", onclick: () => table.move({ move: "pass", cards: [] }) }, say("act.decline")));
  } else if (view.phase === "exposing" && choice.mine) {
    const cards = () => hand.gifts[0].map((at) => hand.cards[at]);
    const text = say("act.show", { count: cards().length, cards: list(cards().map(cardName)) });
    buttons.push(el("button", { id: "show", class: "primary", onclick: () => table.move({ move: "expose", cards: cards().join(" ") }) }, text));
  } else if (view.phase === "choosing-moon" && choice.mine) {
    const points = (effect) => list(facts.moon[effect].map((each, seat) => `${isolated(table.name(seat))} ${signed(each)}`));
    const effect = (name) => (table.hint?.move.effect === name ? "primary advised" : "primary");
    buttons.push(
      el("button", { id: "others-up", class: effect("others-up"), onclick: () => table.move({ move: "choose-moon", effect: "others-up" }) }, say("act.others-up", { points: points("others_up") })),
      el("button", { id: "shooter-down", class: effect("shooter-down"), onclick: () => table.move({ move: "choose-moon", effect: "shooter-down" }) }, say("act.shooter-down", { points: points("shooter_down") })),
    );
  }
  // With one card left, a claim is a play.
  if (choice.settled && !choice.claim && hand.cards.length > 1) buttons.push(el("button", { id: "finish", title: say("act.finish-told"), onclick: () => table.ask({ type: "claim", ply: table.now.ply }) }, say("act.finish")));
  if (choice.claim && hand.cards.length > 1) buttons.push(el("button", { id: "claim", "aria-label": say("act.claim-told"), title: say("act.claim-told"), onclick: () => table.ask({ type: "claim", ply: table.now.ply }) }, say("act.claim")));
  if (choice.hint) buttons.push(el("button", { id: "hint", "aria-keyshortcuts": "h", title: say("act.hint-key"), onclick: () => table.askHint() }, say("act.hint")));
  if (choice.undo) ask("undo", say("act.undo"), { type: "undo" });
  if (view.phase === "awaiting-deal" && view.score_sheet.length && table.seat !== null) buttons.push(el("button", { id: "review", onclick: () => table.review.open() }, say("act.review")));
  const covered = view.phase === "playing" ? view.trick.length > 0 : view.phase === "awaiting-deal";
  if (covered && board.completed) {
    buttons.push(el("button", { id: "again", "aria-pressed": String(!table.parts.again.hidden), onclick: () => table.look(table.parts.again.hidden) }, say("act.last-trick")));
  }
  update(place, buttons);
}

/**
 * Render the actions on other seats: bots for absent people, and newcomers. They stand below the hand, so that the hand
 * stays where it is.
 * @param {import("./table.js").TableView} table
 * @param {HTMLElement} place
 */
export function renderAbsent(table, place) {
  const { people, votes, needed, host } = table.table;
  const buttons = newcomersShown(table);
  const ask = (id, words, request, pressed = null) => buttons.push(el("button", { id, "aria-pressed": pressed, onclick: () => table.ask(request) }, words));
  people.forEach((person, seat) => {
    const name = isolated(table.name(seat));
    if (seat === table.seat || table.seat === null || person.kind !== "person" || person.stand_in) return;
    if (!votes[seat]) return;
    if (host === table.seat && !person.here) ask(`stand-in-${seat}`, say("act.stand-in", { name }), { type: "stand-in", seat });
    else {
      const wanted = votes[seat].includes(table.seat);
      ask(`vote-${seat}`, say("act.vote", { name, votes: votes[seat].length, needed: needed[seat] }), { type: "vote", seat, wanted: !wanted }, String(wanted));
    }
  });
  update(place, buttons);
}

/**
 * The newcomers: the status of the own request for a seat, and buttons to agree to others.
 * @param {import("./table.js").TableView} table
 * @returns {HTMLElement[]}
 */
export function newcomersShown(table) {
  const { newcomers, waits_for: own, started } = table.table;
  return Object.entries(newcomers).flatMap(([at, { name: newcomer, near, asked }]) => {
    const seat = Number(at);
    const [name, place] = [isolated(newcomer), isolated(table.name(seat))];
    const names = (seats) => list(seats.map((each) => isolated(table.table.people[each].name)));
    if (seat === own) {
      const told = asked.length ? say("newcomer.wait", { names: names(asked), count: asked.length }) : say("newcomer.next-deal", { place });
      return [el("p", { class: "newcomer", role: "status" }, told), el("button", { id: "wait-no-more", onclick: () => table.ask({ type: "leave" }) }, say("newcomer.leave"))];
    }
    if (!asked.includes(table.seat)) return [];
    const answer = (agreed) => () => table.ask({ type: "agree", seat, agreed });
    return [
      el("p", { class: "newcomer", role: "status" }, say("newcomer.asks", { name, place, started, near: near.length ? names(near) : say("newcomer.somebody") })),
      el("button", { id: `agree-${seat}`, onclick: answer(true) }, say("newcomer.agree", { name })),
      el("button", { id: `decline-${seat}`, onclick: answer(false) }, say("newcomer.decline", { name })),
    ];
  });
}

/**
 * A sentence for each group of players at the same network address.
 * @param {any[]} people
 * @returns {HTMLElement[]}
 */
export function nearShown(people) {
  const told = new Set();
  return people.flatMap((person, seat) => {
    if (told.has(seat) || !person.near.length || person.kind !== "person") return [];
    const seats = [seat, ...person.near].filter((each) => people[each].kind === "person");
    for (const each of seats) told.add(each);
    return seats.length > 1 ? [el("p", { class: "hint near" }, say("seats.near", { names: list(seats.map((each) => isolated(people[each].name))) }))] : [];
  });
}
