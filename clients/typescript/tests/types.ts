// Tests of the types. It never runs: the compiler must accept all of it, and refuse what is marked.

import { HeartsRules, overHttp, overPyodide, Refused } from "heartsrules/client";
import type { Card, Event, FullRules, Move, PresetName, Pyodide, Results, State, View } from "heartsrules/client";
import { advance, legalMoves, passOptions, reasons, redacted, transition, viewOf } from "heartsrules/engine";

const hearts = new HeartsRules(overHttp("http://127.0.0.1:8001"));

/** The hands of a first deal: the result of each operation says which phases can follow. */
export async function dealt(): Promise<readonly string[]> {
  const { rules } = await hearts.ask("preset", { name: "pagat", players: 4 });
  const { state } = await hearts.ask("new-game", { rules });
  const before: "awaiting-deal" = state.phase;
  const deal = await hearts.ask("deal", { state });
  const after: "passing" | "exposing" | "playing" = deal.state.phase;
  return [before, after, deal.move.kitty, ...deal.state.hands];
}

/** A whole match, in which every seat plays the first legal move. */
export async function match(): Promise<readonly number[]> {
  const { rules } = await hearts.preset({ name: "microsoft" });
  let state: State = (await hearts.newGame({ rules })).state;
  while (state.phase !== "game-over") {
    if (state.phase === "awaiting-deal" || state.phase === "dealing-back") {
      state = (await hearts.deal({ state })).state;
    } else {
      const { moves } = await hearts.legalMoves({ state, limit: 1 });
      const move = moves[0]!;
      state = (await hearts.transition({ state, move })).state;
    }
  }
  return state.scores;
}

/** The states, views, moves and events of the client are those of the engine. */
export async function both(state: State, seat: number): Promise<View> {
  const { view } = await hearts.view({ state, seat });
  const move: Move | undefined = legalMoves(view).at(-1) ?? legalMoves(state, seat).at(0);
  if (move === undefined || reasons(view, move).length > 0 || reasons(state, move).length > 0) {
    return viewOf(state, seat);
  }
  if (view.phase === "passing") {
    const { addable }: { addable: string[] } = passOptions(view, ["QS"]);
    return addable.length > 1 ? view : advance(view, redacted(transition(state, move).events, seat));
  }
  const { updates } = await hearts.transition({ state, move });
  return advance(view, updates[seat]!.events);
}

/** Every option of a rule set is there. */
export const deal = (rules: FullRules): number => rules.players * (rules.hand_size ?? 13) + rules.pass_cycle.length;
export const named: PresetName = "charged_hearts";
export const built: Record<"QS", Card> = { QS: "QS" };

export function cards(events: readonly Event[]): readonly Card[] {
  return events.flatMap((event) => (event.code === "card-played" ? [event.card] : []));
}

/** The hand of a seat that plays, and what may be played; null in other phases. */
export async function hand(state: State, seat: number): Promise<{ cards: string; legal: readonly Move[] } | null> {
  const { view }: Results["view"] = await hearts.ask("view", { state, seat });
  const { moves, total } = await hearts.ask("legal-moves", { view });
  const counted: number | null = total;
  if (view.phase !== "playing" || counted === 0) {
    return null;
  }
  const suits: readonly ("C" | "D" | "S" | "H")[] = view.led_before;
  return suits.length > 4 ? null : { cards: view.hand, legal: moves };
}

/** How many moves are legal, without a server. */
export async function inThePage(python: Pyodide, state: State): Promise<number | null> {
  const rules = new HeartsRules(await overPyodide(python, ["heartsrules.whl", "attrs.whl", "msgspec.whl"]));
  return (await rules.ask("legal-moves", { state })).total;
}

/** The suit that had to be followed, if that is why a move was refused. */
export async function mustFollow(state: State, move: Move): Promise<string | undefined> {
  try {
    await hearts.ask("transition", { state, move, views: true });
  } catch (error) {
    if (error instanceof Refused) {
      for (const violation of error.violations) {
        if (violation.code === "must-follow-suit") {
          return violation.suit;
        }
      }
    }
  }
  return undefined;
}

export async function wrong(state: State, view: View): Promise<void> {
  // @ts-expect-error there is no such operation
  await hearts.ask("legal-move", { state });
  // @ts-expect-error a state or a view, not both
  await hearts.ask("legal-moves", { state, view });
  // @ts-expect-error one of them is needed
  await hearts.ask("legal-moves", {});
  // @ts-expect-error the seat is needed
  await hearts.ask("view", { state });
  // @ts-expect-error a seat is a number
  await hearts.ask("view", { state, seat: "2" });
  // @ts-expect-error a view is not a state
  await hearts.ask("view", { state: view, seat: 2 });
  // @ts-expect-error there is no such key
  await hearts.ask("view", { state, seat: 2, chair: 2 });
  // @ts-expect-error there is no such effect
  await hearts.ask("rules", { rules: { heartsrules: 1, kind: "rules", moon: "full" } });
  // @ts-expect-error there is no such rank
  await hearts.judge({ state, move: { heartsrules: 1, kind: "move", move: "play", seat: 0, card: "10H" } });
  // @ts-expect-error a shooter does not choose this effect
  await hearts.judge({ state, move: { heartsrules: 1, kind: "move", move: "choose-moon", seat: 0, effect: "off" } });
  // @ts-expect-error there is no such preset
  await hearts.preset({ name: "microsft" });
  // @ts-expect-error only some phases have a hand
  (await hearts.ask("view", { state, seat: 2 })).view.hand.toLowerCase();
}
