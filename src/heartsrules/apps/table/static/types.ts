/** The messages of the server as the page reads them. */

import type * as Wire from "./protocol.d.ts";

export type * from "./protocol.d.ts";
export type {
  DrillShown as Drill, OfferedChoices as Choices, PassOptionsShown as PassOptions, ReasonShown as Reason, ReviewedMove as Decision, ToPage as Message,
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
