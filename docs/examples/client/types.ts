// What the types of the client say. It is never run: that the compiler accepts all of it, and refuses what is marked so,
// is the test.

import { HeartsRules, overHttp, overPyodide, Refused } from "./heartsrules.js";
import type { Move, Pyodide, Results, State, View } from "./heartsrules.js";

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
  // @ts-expect-error there is no such card option
  await hearts.ask("rules", { rules: { heartsrules: 1, kind: "rules", moon: "full" } });
  // @ts-expect-error only some phases have a hand
  (await hearts.ask("view", { state, seat: 2 })).view.hand.toLowerCase();
}
