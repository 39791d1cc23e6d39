/** The messages of the server as the page reads them. */

import type * as Wire from "./protocol.d.ts";

export type {
  BotLevel, Card, CardMark, CheckedRules, OfferedChoices as Choices, Counting, DecisionMessage, DrillAnswer, DrillChoice,
  DrillShown as Drill, Facts, GameEvent, HintMessage, Invitation, KeyLink, LogEntry, ToPage as Message, Note,
  OfferedPreset, OpenedTable, Origin, PassOptionsShown as PassOptions, Person, ProblemShown, ReasonShown as Reason, Refusal,
  RefusedMessage, ReviewedMessage, ReviewedMove as Decision, RulesPicture, SheetMessage, SheetRow, ShownTrick, TableMessage, TakenSeat, Turn,
  Welcome, Wording,
} from "./protocol.d.ts";

export type Seat = number;

type Unnumbered<R> = R extends { id: number } ? Omit<R, "id"> : never;
/** A request of the page, without its number. */
export type Request = Unnumbered<Wire.FromPage>;

type KeyOf<U> = U extends unknown ? keyof U : never;
type ValueOf<U, K extends PropertyKey> = U extends unknown ? (K extends keyof U ? U[K] : undefined) : never;
/** Any of several kinds of object: a key that only some of them have may be undefined. */
export type AnyOf<U> = { readonly [K in KeyOf<U>]?: ValueOf<U, K> };

export type View = AnyOf<Wire.AnySeen> & Pick<Wire.AnySeen, "phase" | "deal_number" | "dealer">;
export type Move = AnyOf<Wire.GameMove>;

/** A position as it is shown. */
export interface Shown {
  view: View;
  facts: Wire.Facts;
  choice: Wire.SeatChoice;
}

export type Viewed = Shown & Omit<Wire.ViewMessage, "view">;
