// What one seat, or a spectator, may know of a state and of what happened. A view is a document of the wire format.

import { bagOf, cardsOf } from "./cards.js";
import type { Bag, Card } from "./cards.js";
import { beforePass, exposuresOf, outcomeOf, passed, passesOf, tableOf, toAct } from "./engine.js";
import type { DealRecord, Event, Gifts, Move, State, Trick } from "./engine.js";
import { bagAt, judge, suitsOf } from "./plays.js";
import { anyNumber, rulesOf } from "./rules.js";
import type { Rules, RulesDocument, PassPlan } from "./rules.js";
import { scoreOf } from "./scoring.js";
import type { Row } from "./scoring.js";

/** A seat, or null: a spectator. */
export type Viewer = number | null;

interface PassView {
  commitment: Gifts | null;
  passed: Bag;
  received: Bag;
  pass_counts: number[];
}

/** What may be known of a deal from its first lead on. */
export interface DealView extends PassView {
  exposed: Bag[];
  led_before: string[];
  leader: number;
  tricks: Trick[];
  captured: Bag[];
  tricks_won: number[];
  trick_number: number;
  set_aside: Bag;
  kitty_winner: number | null;
  kitty: Bag | null;
}

interface Common {
  heartsrules: 1;
  kind: "view";
  seat: Viewer;
  rules: RulesDocument;
  dealer: number;
  deal_number: number;
  scores: number[];
  score_sheet: Row[];
  first: number;
  start: number[] | null;
  queen_taker: number | null;
}

export type View = Common & (
  | { phase: "awaiting-deal"; last_deal: DealView | null }
  | {
    phase: "passing"; hand: Bag; plan: PassPlan; may_decline: boolean; unpassable: Bag; commitment: Gifts | null;
    committed: number[]; to_act: number[];
  }
  | { phase: "dealing-back"; hand: Bag; commitment: Gifts | null }
  | ({
    phase: "exposing"; hand: Bag; exposable: Bag; exposure: Bag | null; committed: number[]; to_act: number[];
    before_pass: boolean; exposed: Bag[];
  } & PassView)
  | ({ phase: "playing"; hand: Bag; turn: number; trick: Card[]; hearts_broken: boolean } & DealView)
  | { phase: "choosing-moon"; last_deal: DealView; shooter: number; others_up: Row; shooter_down: Row }
  | { phase: "game-over"; last_deal: DealView; winners: number[] }
);

/** The view of a seat, or of a spectator. */
export function viewOf(state: State, seat: Viewer): View {
  const rules = rulesOf(state.rules);
  const { deal_number, scores, score_sheet, first, start, queen_taker } = state;
  const common: Common = {
    heartsrules: 1, kind: "view", seat, rules: state.rules, dealer: rules.dealer(deal_number), deal_number, scores,
    score_sheet, first, start, queen_taker,
  };
  // At the end, and while a shooter chooses, the number of the deal is that of the last one; else it is that before.
  const last = state.phase === "awaiting-deal" ? deal_number - 1 : deal_number;
  switch (state.phase) {
    case "awaiting-deal": {
      const last_deal = state.last_deal === null ? null : dealView(rules, last, state.last_deal, seat, true);
      return { ...common, phase: state.phase, last_deal };
    }
    case "passing": {
      const plan = rules.passPlan(deal_number);
      return {
        ...common, phase: state.phase, hand: own(state.hands, seat), plan, unpassable: rules.unpassable,
        may_decline: rules.pass_optional !== "no" || anyNumber(plan),
        commitment: seat === null ? null : (state.passes[seat] ?? null),
        committed: rules.seats.filter((each) => state.passes[each] !== null), to_act: toAct(state),
      };
    }
    case "dealing-back":
      return {
        ...common, phase: state.phase, hand: own(state.hands, seat),
        commitment: seat === null ? null : (state.passes[seat] ?? null),
      };
    case "exposing": {
      const { exposures } = state;
      const open = { together: [], "in-turn": exposures, rounds: state.exposed, "rounds-in-turn": state.exposed };
      return {
        ...common, phase: state.phase, hand: own(state.hands, seat), exposable: rules.exposable,
        exposure: seat === null ? null : (exposures[seat] ?? null),
        committed: rules.seats.filter((each) => exposures[each] !== null), to_act: toAct(state),
        before_pass: beforePass(rules, state),
        ...passView(rules, deal_number, state.passes, state.dealt_back, seat),
        exposed: rules.seats.map((each) => open[rules.exposure]?.[each] ?? ""),
      };
    }
    case "playing": {
      const { turn, trick, hearts_broken } = state;
      const hand = own(state.hands, seat);
      const view = dealView(rules, deal_number, state, seat, false);
      return { ...common, phase: state.phase, hand, turn, trick, hearts_broken, ...view, leader: state.leader };
    }
    case "choosing-moon": {
      const outcome = outcomeOf(rules, state, state.last_deal);
      return {
        ...common, phase: state.phase, last_deal: dealView(rules, last, state.last_deal, seat, true),
        shooter: state.shooter, others_up: scoreOf(rules, outcome, "others-up"),
        shooter_down: scoreOf(rules, outcome, "shooter-down"),
      };
    }
    case "game-over": {
      const last_deal = dealView(rules, last, state.last_deal, seat, true);
      return { ...common, phase: state.phase, last_deal, winners: state.winners };
    }
  }
}

const own = (bags: readonly Bag[], seat: Viewer): Bag => (seat === null ? "" : (bags[seat] ?? ""));

function passView(
  rules: Rules, dealNumber: number, passes: readonly Gifts[], dealtBack: readonly Bag[] | undefined, seat: Viewer,
): PassView {
  if (passes.length === 0) {
    return { commitment: null, passed: "", received: "", pass_counts: [] };
  }
  const moved = passed(rules, dealNumber, passes, dealtBack);
  return {
    commitment: seat === null ? null : (passes[seat] ?? null),
    passed: own(moved.passed, seat), received: own(moved.received, seat), pass_counts: moved.counts,
  };
}

function dealView(rules: Rules, dealNumber: number, record: DealRecord, seat: Viewer, over: boolean): DealView {
  const { piles, tricksWon, setAside, kittyWinner, tricks } = tableOf(rules, record, over);
  const seen = kittyWinner !== null &&
    (rules.kitty_shown_to === "everybody" || (rules.kitty_shown_to === "taker" && kittyWinner === seat));
  const hidden = seen ? [] : cardsOf(record.kitty);
  return {
    ...passView(rules, dealNumber, record.passes, record.dealt_back, seat),
    exposed: rules.seats.map((each) => record.exposed[each] ?? ""),
    led_before: record.resumed_from?.suits_led ?? [],
    leader: record.tricks.at(-1)?.leader ?? 0,
    tricks: record.tricks,
    captured: piles.map((pile, taker) => bagOf(taker === kittyWinner ? withoutKitty(pile, hidden) : pile)),
    tricks_won: tricksWon,
    trick_number: tricks,
    set_aside: bagOf(setAside),
    kitty_winner: kittyWinner,
    kitty: seen ? record.kitty : null,
  };
}

function withoutKitty(pile: readonly Card[], kitty: readonly Card[]): Card[] {
  const left = [...pile];
  kitty.forEach((card) => left.splice(left.indexOf(card), 1));
  return left;
}

/** The legal moves of the seat whose view it is, in the order of docs/reference/order.md. */
export function legalMovesIn(view: View): Move[] {
  const { seat } = view;
  const rules = rulesOf(view.rules);
  if (seat === null) {
    return [];
  }
  switch (view.phase) {
    case "passing":
      return view.to_act.includes(seat) ? passesOf(rules, view.plan, seat, cardsOf(view.hand)) : [];
    case "exposing":
      return view.to_act.includes(seat)
        ? exposuresOf(rules, seat, cardsOf(view.hand), bagAt(view.exposed, seat))
        : [];
    case "playing": {
      if (view.turn !== seat) {
        return [];
      }
      const judged = judge(rules, {
        hand: cardsOf(view.hand), trick: view.trick, heartsBroken: view.hearts_broken, exposed: bagAt(view.exposed, seat),
        suitsLed: [...view.led_before, ...suitsOf(view.tricks)],
      });
      const legal = [...judged].filter(([, reasons]) => reasons.length === 0);
      return legal.map(([card]) => ({ move: "play", seat, card }));
    }
    case "choosing-moon":
      return view.shooter === seat
        ? ["others-up", "shooter-down"].map((effect) => ({ move: "choose-moon", seat, effect }))
        : [];
    default:
      return [];
  }
}

/** An event that says less, to those who may not know all of it. */
export type HiddenEvent =
  | { code: "cards-dealt-hidden"; seat: Viewer; hand: Bag }
  | { code: "pass-committed-hidden"; seat: number }
  | { code: "cards-passed-hidden"; seat: Viewer; passed: Bag; received: Bag; counts: number[] }
  | { code: "exposure-committed-hidden"; seat: number }
  | { code: "kitty-taken-hidden"; seat: number };

/** What a seat, or a spectator, is told of events. */
export function redacted(events: readonly Event[], seat: Viewer): (Event | HiddenEvent)[] {
  return events.map((event): Event | HiddenEvent => {
    switch (event.code) {
      case "cards-dealt":
        return { code: "cards-dealt-hidden", seat, hand: own(event.hands, seat) };
      case "pass-committed":
        return event.seat === seat ? event : { code: "pass-committed-hidden", seat: event.seat };
      case "cards-passed": {
        const { counts } = event;
        const [gave, got] = [own(event.passed, seat), own(event.received, seat)];
        return { code: "cards-passed-hidden", seat, passed: gave, received: got, counts };
      }
      case "exposure-committed":
        return event.seat === seat ? event : { code: "exposure-committed-hidden", seat: event.seat };
      case "kitty-taken":
        return event.shown_to === "everybody" || (event.shown_to === "taker" && event.seat === seat)
          ? event
          : { code: "kitty-taken-hidden", seat: event.seat };
      default:
        return event;
    }
  });
}
