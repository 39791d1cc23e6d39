/** The buttons under the table: what may be done that is not a card, and what is always there. */

import { cardName } from "./cards.js";
import { el, update } from "./dom.js";
import { isolated, list, say, signed } from "./words.js";

/**
 * The buttons of a table as it stands.
 * @param {import("./table.js").TableView} table
 * @param {HTMLElement} place
 */
export function renderActions(table, place) {
  const { view, choice } = table.now;
  const { hand, board } = table;
  const buttons = [];
  if (view.phase === "passing" && choice.mine) {
    const complete = hand.options.complete && !hand.asked;
    const pass = () => {
      if (hand.asked) hand.later.push(pass);
      else if (hand.options.complete) table.move(hand.pass);
      else table.say(say("say.first-choose", { gifts: list(table.giftTexts()) }));
    };
    buttons.push(el("button", { id: "pass", class: "primary", "aria-disabled": complete ? null : "true", onclick: pass }, say("act.pass", { gifts: table.giftTexts().join(", ") })));
    if (choice.may_decline) buttons.push(el("button", { id: "decline", onclick: () => table.move({ move: "pass", gifts: [] }) }, say("act.decline")));
  } else if (view.phase === "exposing" && choice.mine) {
    const cards = () => hand.gifts[0].map((at) => hand.cards[at]);
    const text = say("act.show", { count: cards().length, cards: list(cards().map(cardName)) });
    buttons.push(el("button", { id: "show", class: "primary", onclick: () => table.move({ move: "expose", cards: cards().join(" ") }) }, text));
  } else if (view.phase === "choosing-moon" && choice.mine) {
    const points = (score) => list(score.points.map((each, seat) => `${isolated(table.name(seat))} ${signed(each)}`));
    buttons.push(
      el("button", { id: "others-up", class: "primary", onclick: () => table.move({ move: "choose-moon", effect: "others-up" }) }, say("act.others-up", { points: points(view.others_up) })),
      el("button", { id: "shooter-down", class: "primary", onclick: () => table.move({ move: "choose-moon", effect: "shooter-down" }) }, say("act.shooter-down", { points: points(view.shooter_down) })),
    );
  }
  if (choice.claim) buttons.push(el("button", { id: "claim", onclick: () => table.ask({ type: "claim", ply: table.now.ply }) }, say("act.claim")));
  if (view.phase === "playing" && view.trick.length > 0 && board.completed) {
    buttons.push(el("button", { id: "again", "aria-pressed": String(board.again), onclick: () => table.look() }, say("act.last-trick")));
  }
  update(place, buttons);
}
