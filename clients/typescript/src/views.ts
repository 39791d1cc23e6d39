// What one seat, or a spectator, can see of a state and of events.

import { cardsOf, textOf, without } from "./cards.js";
import type { AnyView, Cards, Event, Events, FinishedDealWire, PlayedDealViewWire, State, View } from "./documents.js";
import { beforePass, outcomeOf, passed, tableOf, toAct } from "./game.js";
import { anyNumber, rulesOf } from "./rules.js";
import type { ResolvedRules } from "./rules.js";
import { scoreOf } from "./scoring.js";

/** A seat, or null for a spectator. */
export type Viewer = number | null;
type PassView = Pick<PlayedDealViewWire, "commitment" | "passed" | "received" | "pass_counts">;

/** Return the view of a seat or a spectator. */
export function viewOf(state: State, seat: Viewer): View {
  const rules = rulesOf(state.rules);
  const { deal_number, scores, score_sheet, first, start, queen_taker } = state;
  const common: AnyView = {
    heartsrules: 1, kind: "view", seat, rules: state.rules, dealer: rules.dealer(deal_number), deal_number, scores,
    score_sheet, first, start, queen_taker,
  };
  // At the end, and while a shooter chooses, `deal_number` is the number of the last deal; before a deal, of the next.
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

const own = (hands: readonly Cards[], seat: Viewer): Cards => (seat === null ? "" : (hands[seat] ?? ""));

function passView(
  rules: ResolvedRules, dealNumber: number, passes: FinishedDealWire["passes"],
  dealtBack: readonly Cards[] | undefined, seat: Viewer,
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

function dealView(
  rules: ResolvedRules, dealNumber: number, record: FinishedDealWire, seat: Viewer, over: boolean,
): PlayedDealViewWire {
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
    captured: piles.map((pile, taker) => textOf(taker === kittyWinner ? without(pile, hidden) : pile)),
    tricks_won: tricksWon,
    trick_number: tricks,
    set_aside: textOf(setAside),
    kitty_winner: kittyWinner,
    kitty: seen ? record.kitty : null,
  };
}

/** Redact events for a seat or a spectator. */
export function redacted({ events, ...envelope }: Events, seat: Viewer): Events {
  const shown = events.map((event): Event => {
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
  return { ...envelope, events: shown };
}
