/** A position as the board and the hand show it: what follows from the messages, in the words of the page. */

import type { VNode } from "preact";
import { cardName, cardSign } from "./cards.ts";
import { el } from "./dom.ts";
import type { Card, CardMark, HintMessage, Person, Seat, SheetRow, Shown, Wording } from "./types.ts";
import { capital, isolated, say } from "./words.ts";

/** Those who play, and the own seat; null for spectators. */
export interface Players {
  table: { people: readonly Person[]; seat: Seat | null };
}

/** What a board and a hand show. */
export interface Position {
  /** `teams` has the number of the team of each seat; it is empty if each plays alone. */
  table: Players["table"] & { teams: readonly number[]; hints?: string };
  now: Shown;
  /** The rows of the score sheet. */
  rows: readonly SheetRow[];
  hint?: HintMessage | null;
  /** Whether a deal has just ended, and its last trick is still shown. */
  looking?: boolean;
  /** The trick whose cards have been moved to its winner, by `trickKey`. */
  gone?: string;
}
type Now = Pick<Position, "now">;
type Teams = Pick<Position, "table">;

/** The trick that is shown, told from all others. */
export const trickKey = ({ now: { view, facts: { lying: trick } } }: Now): string =>
  trick?.complete ? `${view.deal_number} ${trick.plays.map(({ seat, card }) => `${seat}${card}`).join(" ")}` : "";

/** The cards on the table by seat, in the order of play; between two tricks, those of the last one. */
export function lying({ now, gone }: Now & Pick<Position, "gone">): Map<Seat, Card> {
  const plays = gone && trickKey({ now }) === gone ? [] : (now.facts.lying?.plays ?? []);
  return new Map(plays.map(({ seat, card }) => [seat, card]));
}

/** The name of a seat on this page. */
export function name({ table }: Players, seat: Seat): string {
  if (seat === table.seat) return say("you");
  return table.people[seat].name || say("seat.number", { number: seat + 1 });
}

export const called = (players: Players, seat: Seat): string => isolated(name(players, seat));

export type Who = { name: string; you: boolean };
export const who = (players: Players, seat: Seat | null): Who =>
  ({ name: seat === null ? "" : called(players, seat), you: seat !== null && seat === players.table.seat });

/** The team of a seat, from 0; null: each plays alone. */
export const team = ({ table }: Teams, seat: Seat): number | null => table.teams[seat] ?? null;
export const teamClass = ({ table }: Teams, seat: Seat): string | null => table.teams.length ? `team-${table.teams[seat]}` : null;

/** The special effect of a card; undefined: none. */
export const mark = ({ now }: Now, card: Card): CardMark | undefined => now.facts.marks[card];
export const markName = ({ kind, worth }: CardMark): string => say(`mark.${kind}`, { worth });

export function cardNamed(position: Now, card: Card): string {
  const special = mark(position, card);
  return special ? `${cardName(card)}, ${markName(special)}` : cardName(card);
}

/** The transfers of the pass, in words. */
export function giftTexts({ now, table }: Now & Players): string[] {
  const players = table.people.length;
  return now.facts.plan.map(([offset, count]) => {
    if (!offset) return say("gift.middle", { count });
    const to = () => called({ table }, ((table.seat ?? 0) + offset + players) % players);
    if (table.seat !== null) return say("gift.to", { count, name: to() });
    const way = Math.abs(offset) * 2 === players ? "across" : offset > 0 ? "left" : "right";
    return say("gift.way", { count, way, seats: Math.abs(offset) });
  });
}

type Named = (option: string, value: string | null) => string;

/** A sentence of the server as a text. Options are called by `named`, and players as at a table. */
export function told(wording: Wording, table?: Players, named: Named = (option, value) => value ?? option): string {
  const texts = wording.map((part) => {
    if (typeof part === "string") return part;
    if (part.type === "card") return cardSign(part.card);
    if (part.type === "option") return named(part.option, part.value);
    return table ? who(table, part.seat).name : say("seat.number", { number: part.seat + 1 });
  });
  return texts.join("");
}

export const sentence = (wording: Wording, table?: Players): string => capital(told(wording, table));

/** The sentences of rules, as list items. */
export const ruleSentences = (sentences: readonly Wording[]): VNode[] => sentences.map((each) => el("li", {}, told(each)));
