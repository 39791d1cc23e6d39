/** Events and notes as lines of the log, for `pictured`. Screen readers read them aloud. */

import { cardsOf, marked } from "./cards.ts";
import type { Who } from "./position.ts";
import type { State } from "./state.ts";
import type { AnyOf, GameEvent, LogEntry, Note, Seat } from "./types.ts";
import { isolated, known, list, say, signed, total } from "./words.ts";

/** One sentence for an event, from its fields. `points` is what its deal did to the totals, by seat. */
function sentence(event: GameEvent, who: (seat: Seat | null) => Who, points: readonly number[]): string {
  const key = `event.${event.code}`;
  if (!known(key)) return say("event.unknown", { code: event.code });
  const { cards, card, effect, winners, ...found }: AnyOf<GameEvent> = event;
  const names = (seats: readonly Seat[]) => list(seats.map((seat) => who(seat).name));
  const numbers = (each: readonly number[], text = total) =>
    list(each.map((number, seat) => `${who(seat).name} ${text(number)}`));
  const bag = (text = "") => ({ cards: list(cardsOf(text).map(marked)), count: cardsOf(text).length });
  const said = [say(key, {
    ...who(found.seat ?? found.leader ?? found.winner ?? found.shooter ?? null),
    ...bag(typeof cards === "string" ? cards : cards?.join(" ").trim()),
    card: card && marked(card),
    effect: effect?.replaceAll("-", "_"),
    names: names(winners ?? []),
    points: numbers(points, signed),
  })];
  if (event.code === "cards-passed-hidden") {
    const { counts, received } = event;
    const none = counts.flatMap((count, seat) => (count ? [] : [seat]));
    const unequal = new Set(counts.filter(Boolean)).size > 1;
    if (event.seat !== null) said.push(say("event.received", bag(received)));
    if (unequal) said.push(say("event.laid", { counts: numbers(counts) }));
    else if (none.length) said.push(say("event.declined", { names: names(none) }));
  }
  return said.join(" ");
}

/** One sentence for a note: what has become of a seat, and why. `who` sat there then. */
function noteSentence({ code, seat, why, name, before }: Note, who: (seat: Seat) => Who): string {
  const { name: player, you } = who(seat);
  return say(`event.${code}`, { name: isolated(name), before: isolated(before), why, player, you });
}

/** The lines of a log, in which everybody has the name of that time. */
export function lines({ table, sheet }: Pick<State, "table" | "sheet">, entries: readonly LogEntry[]): string[] {
  if (!table) return [];
  const own = table.seat === null ? null : table.people[table.seat].name;
  const names = table.people.map((person, seat) => person.name || say("seat.number", { number: seat + 1 }));
  const who = (seat: Seat | null): Who => {
    const you = seat !== null && seat === table.seat && names[seat] === own;
    return { name: seat === null ? "" : you ? say("you") : isolated(names[seat]), you };
  };
  const found: string[] = [];
  // The names of now are known: go back from there.
  for (const { deal, events, note } of entries.toReversed()) {
    const points = sheet?.rows[Math.min(deal, sheet.rows.length - 1)]?.points ?? [];
    if (note) found.push(noteSentence(note, who));
    else for (const event of events.toReversed()) found.push(sentence(event, who, points));
    if (note && ["seat-taken", "seat-left", "seat-returned"].includes(note.code)) names[note.seat] = note.before;
  }
  return found.toReversed();
}
