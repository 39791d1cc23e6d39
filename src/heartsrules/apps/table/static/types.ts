/** The messages of the server as the page reads them. */

import type * as Wire from "./protocol.d.ts";

export type {
  Absent, BotLevel, CardMark, CheckedRules, OfferedChoices as Choices, Counting, DrillAnswer, DrillChoice, Facts, GameEvent, HintMessage, Invitation, KeyLink, LogEntry,
  LuckAndSkill, Newcomer, Note, OpenedTable, OfferedPreset, Origin, Person, ProblemShown, ReasonShown as Reason, Refusal, RefusedMessage, RulesPicture,
  SheetMessage, SheetRow, TableMessage, TakenSeat, Turn, Welcome, Wording,
} from "./protocol.d.ts";

export type Seat = number;
export type Card = Wire.Card;
export type Message = Wire.ToPage;
export type Decision = Wire.ReviewedMove;
export type DecisionMessage = Wire.DecisionMessage;
export type Drill = Wire.DrillShown;
export type PassOptions = Wire.PassOptionsShown;

type Unnumbered<R> = R extends { id: number } ? Omit<R, "id"> : never;
/** A request of the page, without its number. */
export type Request = Unnumbered<Wire.FromPage>;

type KeyOf<U> = U extends unknown ? keyof U : never;
type ValueOf<U, K extends PropertyKey> = U extends unknown ? (K extends keyof U ? U[K] : undefined) : never;
/** Any of several kinds of object: a key that only some of them have may be undefined. */
type AnyOf<U> = { readonly [K in KeyOf<U>]?: ValueOf<U, K> };

/** A view of any phase. */
export type View = AnyOf<Wire.AnySeen> & Pick<Wire.AnySeen, "phase" | "deal_number" | "dealer">;
/** A move of any kind. */
export type Move = AnyOf<Wire.GameMove>;
export type Trick = Wire.PlayingView["tricks"][number];

/** A deal in play, or one that is over. */
export type Course = Pick<Wire.PlayingView, "tricks" | "captured" | "tricks_won">;

/** A position as it is shown. */
export interface Shown {
  view: View;
  facts: Wire.Facts;
  choice: Wire.SeatChoice;
}

/** A message of the type `view`. */
export type Viewed = Shown & Omit<Wire.ViewMessage, "view">;
