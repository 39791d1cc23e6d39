// A view that follows the events of its seat.

import { cardsOf, textOf, without } from "./cards.js";
import type { AnyView, Cards, Event, Events, PlayedDealViewWire, View } from "./documents.js";
import { toExpose } from "./game.js";
import type { ViewOf } from "./game.js";
import { anyNumber, exposesBeforePass, rulesOf, seatAt, throughMiddle } from "./rules.js";
import type { ResolvedRules } from "./rules.js";

/**
 * Return the view after events that were redacted for its seat. The events of whole moves are needed, and are taken as
 * valid.
 */
export function advance(view: View, { events }: Events): View {
  return events.reduce((before, event, index) => afterEvent(before, event, events[index + 1]), view);
}

const NO_PASS = { commitment: null, passed: "", received: "", pass_counts: [] };
const added = (one: Cards, other: Cards): Cards => textOf([...cardsOf(one), ...cardsOf(other)]);
const replaced = <T>(items: readonly T[], index: number, item: T): T[] =>
  items.map((each, place) => (place === index ? item : each));

/** The keys of every view. */
function sharedKeys(view: View): AnyView {
  const { heartsrules, kind, seat, rules, dealer, deal_number, scores, score_sheet, first, start, queen_taker } = view;
  return { heartsrules, kind, seat, rules, dealer, deal_number, scores, score_sheet, first, start, queen_taker };
}

function afterEvent(view: View, event: Event, next: Event | undefined): View {
  const rules = rulesOf(view.rules);
  switch (event.code) {
    case "cards-dealt-hidden":
      return exposesBeforePass(rules, view.deal_number) || rules.passPlan(view.deal_number).length === 0
        ? exposing(rules, view, event.hand, exposesBeforePass(rules, view.deal_number), NO_PASS)
        : passing(rules, view, event.hand);
    case "pass-committed":
    case "pass-committed-hidden":
      return view.phase === "passing" ? committed(rules, view, event) : view;
    case "cards-passed-hidden":
      return view.phase === "passing" || view.phase === "dealing-back" ? exchanged(rules, view, event) : view;
    case "exposure-committed":
    case "exposure-committed-hidden":
    case "cards-exposed":
      return view.phase === "exposing" ? exposed(rules, view, event, next) : view;
    case "play-began":
      return view.phase === "exposing" ? began(rules, view, event.leader) : view;
    case "moon-shot": {
      const { shooter, others_up, shooter_down } = event;
      return view.phase === "playing"
        ? { ...sharedKeys(view), phase: "choosing-moon", last_deal: dealOf(view), shooter, others_up, shooter_down }
        : view;
    }
    case "deal-scored": {
      const { score } = event;
      const deal_number = view.deal_number + 1;
      return {
        ...sharedKeys(view), phase: "awaiting-deal", dealer: rules.dealer(deal_number), deal_number, scores: score.totals,
        score_sheet: [...view.score_sheet, score], last_deal: view.phase === "playing" ? dealOf(view) : lastDeal(view),
      };
    }
    case "game-ended": {
      const deal_number = view.deal_number - 1;
      const last_deal = lastDeal(view);
      return last_deal === null ? view : {
        ...sharedKeys(view), phase: "game-over", dealer: rules.dealer(deal_number), deal_number, last_deal,
        winners: event.winners,
      };
    }
    default:
      return view.phase === "playing" ? played(rules, view, event) : view;
  }
}

const lastDeal = (view: View): PlayedDealViewWire | null => ("last_deal" in view ? view.last_deal : null);

function passing(rules: ResolvedRules, view: View, hand: Cards): ViewOf<"passing"> {
  const plan = rules.passPlan(view.deal_number);
  return {
    ...sharedKeys(view), phase: "passing", hand, plan, may_decline: rules.pass_optional !== "no" || anyNumber(plan),
    unpassable: rules.unpassable, commitment: null, committed: [], to_act: rules.seats,
  };
}

function committed(
  rules: ResolvedRules, view: ViewOf<"passing">,
  event: Extract<Event, { code: "pass-committed" | "pass-committed-hidden" }>,
): View {
  const to_act = view.to_act.filter((seat) => seat !== event.seat);
  const own = event.code === "pass-committed" ? event.cards.map((cards) => textOf(cardsOf(cards))) : view.commitment;
  if (to_act.length === 0 && throughMiddle(view.plan)) {
    return { ...sharedKeys(view), phase: "dealing-back", hand: view.hand, commitment: own };
  }
  return { ...view, commitment: own, committed: rules.seats.filter((seat) => !to_act.includes(seat)), to_act };
}

function exchanged(
  rules: ResolvedRules, view: ViewOf<"passing" | "dealing-back">, event: Extract<Event, { code: "cards-passed-hidden" }>,
): View {
  const { passed, received, counts: pass_counts } = event;
  const hand = textOf([...without(cardsOf(view.hand), cardsOf(passed)), ...cardsOf(received)]);
  return exposing(rules, view, hand, false, { commitment: view.commitment, passed, received, pass_counts });
}

/** The view in which cards can be exposed. If there are none to expose, it lasts until the play begins. */
function exposing(
  rules: ResolvedRules, view: View, hand: Cards, before_pass: boolean,
  passed: Pick<ViewOf<"exposing">, "commitment" | "passed" | "received" | "pass_counts">,
): ViewOf<"exposing"> {
  return {
    ...sharedKeys(view), phase: "exposing", hand, exposable: rules.exposable, exposure: null, committed: [],
    to_act: toExpose(rules, view.deal_number, rules.seats), before_pass, ...passed, exposed: rules.seats.map(() => ""),
  };
}

type Exposed = Extract<Event, { code: "exposure-committed" | "exposure-committed-hidden" | "cards-exposed" }>;

function exposed(rules: ResolvedRules, view: ViewOf<"exposing">, event: Exposed, next: Event | undefined): View {
  const { seat } = event;
  let { exposure, exposed, committed } = view;
  if (event.code === "cards-exposed") {
    exposed = replaced(exposed, seat, added(exposed[seat] ?? "", event.cards));
  }
  if (event.code !== "cards-exposed" || rules.exposure !== "together") {
    // In rounds, a seat that exposes cards gives all others another turn.
    const again = event.code === "cards-exposed" && event.cards !== "" && rules.exposure.startsWith("rounds");
    committed = rules.seats.filter((each) => each === seat || (!again && view.committed.includes(each)));
    exposure = again && seat !== view.seat ? null : exposure;
    if (event.code === "exposure-committed") {
      exposure = textOf(cardsOf(event.cards));
    } else if (event.code === "cards-exposed" && seat === view.seat) {
      exposure = exposed[seat] ?? "";
    }
  }
  const all = committed.length === rules.players;
  if (all && view.before_pass && next?.code !== "cards-exposed" && exposed.every((cards) => cards === "")) {
    return passing(rules, view, view.hand);
  }
  const left = rules.seats.filter((each) => !committed.includes(each));
  return { ...view, exposure, exposed, committed, to_act: all ? [] : toExpose(rules, view.deal_number, left) };
}

function began(rules: ResolvedRules, view: ViewOf<"exposing">, leader: number): ViewOf<"playing"> {
  const { hand, commitment, passed, received, pass_counts, exposed } = view;
  return {
    ...sharedKeys(view), phase: "playing", hand, turn: leader, trick: [], hearts_broken: false, commitment, passed, received,
    pass_counts, exposed, led_before: [], leader, tricks: [], captured: rules.seats.map(() => ""),
    tricks_won: rules.seats.map(() => 0), trick_number: 0, set_aside: "", kitty_winner: null, kitty: null,
  };
}

/** The deal of a view. */
function dealOf({
  commitment, passed, received, pass_counts, exposed, led_before, leader, tricks, captured, tricks_won, trick_number,
  set_aside, kitty_winner, kitty,
}: ViewOf<"playing">): PlayedDealViewWire {
  return {
    commitment, passed, received, pass_counts, exposed, led_before, leader, tricks, captured, tricks_won, trick_number,
    set_aside, kitty_winner, kitty,
  };
}

function played(rules: ResolvedRules, view: ViewOf<"playing">, event: Event): ViewOf<"playing"> {
  const { captured } = view;
  const gains = (seat: number, cards: Cards): Cards[] => replaced(captured, seat, added(captured[seat] ?? "", cards));
  switch (event.code) {
    case "card-played": {
      const hand = event.seat === view.seat ? textOf(without(cardsOf(view.hand), [event.card])) : view.hand;
      return { ...view, hand, trick: [...view.trick, event.card], turn: seatAt(rules, event.seat, 1) };
    }
    case "hearts-broken":
      return { ...view, hearts_broken: true };
    case "trick-won": {
      const { winner, cards } = event;
      const tricks_won = view.tricks_won.map((count, seat) => (seat === winner ? count + 1 : count));
      return { ...completed(rules, view, winner), captured: gains(winner, cards), tricks_won, set_aside: "" };
    }
    case "trick-void":
      return { ...completed(rules, view, null), set_aside: event.cards };
    case "kitty-taken":
      return { ...view, kitty_winner: event.seat, kitty: event.cards, captured: gains(event.seat, event.cards) };
    case "kitty-taken-hidden":
      return { ...view, kitty_winner: event.seat };
    default:
      return view;
  }
}

function completed(rules: ResolvedRules, view: ViewOf<"playing">, winner: number | null): ViewOf<"playing"> {
  const tricks = [...view.tricks, { leader: view.leader, plays: view.trick, winner }];
  const trick_number = view.trick_number + 1;
  // The last leader of a deal stays.
  const leader = trick_number === rules.cardsPerHand ? view.leader : (winner ?? view.leader);
  return { ...view, tricks, trick: [], trick_number, leader, turn: leader };
}
