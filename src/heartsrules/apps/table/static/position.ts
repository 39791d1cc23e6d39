/** A position as the board and the hand show it: what follows from the messages, in the words of the page. */

import { cardName } from "./cards.ts";
import type { Card, CardMark, Course, HintMessage, Person, Seat, SheetRow, Shown, Trick } from "./types.ts";
import { isolated, say } from "./words.ts";

/** Who plays, as the board needs it. */
export interface Players {
  people: readonly Person[];
  /** The own seat; null for spectators. */
  seat: Seat | null;
  /** By seat, the number of its team; empty if each plays alone. */
  teams: readonly number[];
  hints?: string;
}

/** What a board and a hand show. */
export interface Position {
  table: Players;
  now: Shown;
  /** The rows of the score sheet. */
  rows: readonly SheetRow[];
  hint?: HintMessage | null;
  /** Whether a deal has just ended, and its last trick is still shown. */
  looking?: boolean;
  /** The trick whose cards have been moved to its winner, by `trickKey`. */
  gone?: string;
}

export const players = ({ table }: Position): number => table.people.length;

/** The deal in play, or else the last one; null: the next one has not come to its first trick. */
export function course({ now: { view } }: Pick<Position, "now">): Course | null {
  if (view.phase === "playing") return view as Course;
  return ["passing", "dealing-back", "exposing"].includes(view.phase) ? null : (view.last_deal ?? null);
}

/** The last completed trick. */
export const completed = (position: Pick<Position, "now">): Trick | undefined => course(position)?.tricks?.at(-1);

export const seatAt = (position: Position, leader: Seat, offset: number): Seat => (leader + offset) % players(position);

/** The trick that is shown, told from all others. */
export const trickKey = ({ now: { view, facts } }: Pick<Position, "now">): string =>
  facts.lying?.complete ? `${view.deal_number} ${facts.lying.leader} ${facts.lying.plays.join(" ")}` : "";

/** The cards on the table by seat, in the order of play; between two tricks, those of the last one. */
export function lying(position: Position): Map<Seat, Card> {
  const { facts } = position.now;
  const cards = new Map<Seat, Card>();
  if (facts.lying && (!position.gone || trickKey(position) !== position.gone)) facts.lying.plays.forEach((card, offset) => cards.set(seatAt(position, facts.lying?.leader ?? 0, offset), card));
  return cards;
}

/** The points of a seat in the shown deal; before it is scored, those of the cards taken so far. */
export const dealPoints = ({ now }: Pick<Position, "now">, seat: Seat): number => now.facts.taken[seat]?.points ?? 0;

/** The name of a seat on this page. */
export function name({ table }: Pick<Position, "table">, seat: Seat): string {
  if (seat === table.seat) return say("you");
  return table.people[seat].name || say("seat.number", { number: seat + 1 });
}

/** The same within a sentence. */
export const called = (position: Pick<Position, "table">, seat: Seat): string => isolated(name(position, seat));

/** A player, for sentences. */
export type Who = { name: string; you: boolean };

/** The player of a seat, for sentences. */
export function who(position: Pick<Position, "table">, seat: Seat | null): Who {
  return { name: seat === null ? "" : called(position, seat), you: seat !== null && seat === position.table.seat };
}

/** The team of a seat, from 0; null: each plays alone. */
export const team = ({ table }: Pick<Position, "table">, seat: Seat): number | null => table.teams[seat] ?? null;

/** The class of the colour of its team. */
export const teamClass = (position: Pick<Position, "table">, seat: Seat): string | null => (team(position, seat) === null ? null : `team-${team(position, seat)}`);

/** The special effect of a card; undefined: none. */
export const mark = ({ now }: Pick<Position, "now">, card: Card): CardMark | undefined => now.facts.marks[card];

export const markName = ({ kind, worth }: CardMark): string => say(`mark.${kind}`, { worth });

/** The name of a card, with its special effect. */
export function cardNamed(position: Pick<Position, "now">, card: Card): string {
  const special = mark(position, card);
  return special ? `${cardName(card)}, ${markName(special)}` : cardName(card);
}

/** The transfers of the pass, in words. */
export function giftTexts(position: Position): string[] {
  const { now, table: { seat } } = position;
  const count = players(position);
  return now.facts.plan.map(([offset, cards]) => {
    if (!offset) return say("gift.middle", { count: cards });
    if (seat !== null) return say("gift.to", { count: cards, name: called(position, (seat + offset + count) % count) });
    return say("gift.way", { count: cards, way: Math.abs(offset) * 2 === count ? "across" : offset > 0 ? "left" : "right", seats: Math.abs(offset) });
  });
}
