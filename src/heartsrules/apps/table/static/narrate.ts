/** Events and notes as sentences of the log, for `pictured`. Screen readers read them aloud. */

import { cardsOf, marked } from "./cards.ts";
import type { Who } from "./position.ts";
import type { GameEvent, Note, Seat } from "./types.ts";
import { isolated, list, say, signed } from "./words.ts";

/** One sentence for an event. `points` is what its deal did to the totals, by seat. */
export function sentence(event: GameEvent, who: (seat: Seat | null) => Who, points: readonly number[]): string {
  const bag = (cards: string) => ({ cards: list(cardsOf(cards).map(marked)), count: cardsOf(cards).length });
  const names = (seats: readonly Seat[]) => list(seats.map((seat) => who(seat).name));
  switch (event.code) {
    case "cards-dealt-hidden":
      return say("event.cards-dealt-hidden");
    case "pass-committed":
      return say("event.pass-committed", bag(event.cards.join(" ").trim()));
    case "pass-committed-hidden":
      return say("event.pass-committed-hidden", who(event.seat));
    case "cards-passed-hidden": {
      const counts = event.counts;
      const received = event.seat === null ? "" : ` ${say("event.received", bag(event.received))}`;
      const none = counts.flatMap((count, seat) => (count ? [] : [seat]));
      const unequal = new Set(counts.filter((count) => count)).size > 1;
      const laid = () => say("event.laid", { counts: list(counts.map((count, seat) => `${who(seat).name} ${count}`)) });
      const declined = unequal ? ` ${laid()}` : none.length ? ` ${say("event.declined", { names: names(none) })}` : "";
      return `${say("event.cards-passed-hidden")}${received}${declined}`;
    }
    case "exposure-committed":
      return say("event.exposure-committed", bag(event.cards));
    case "exposure-committed-hidden":
      return say("event.exposure-committed-hidden", who(event.seat));
    case "cards-exposed":
      return say("event.cards-exposed", { ...who(event.seat), ...bag(event.cards) });
    case "play-began":
      return say("event.play-began", who(event.leader));
    case "card-played":
      return say("event.card-played", { ...who(event.seat), card: marked(event.card) });
    case "hearts-broken":
      return say("event.hearts-broken");
    case "trick-won":
      return say("event.trick-won", who(event.winner));
    case "trick-void":
      return say("event.trick-void");
    case "kitty-taken":
      return say("event.kitty-taken", { ...who(event.seat), ...bag(event.cards) });
    case "kitty-taken-hidden":
      return say("event.kitty-taken-hidden", who(event.seat));
    case "moon-shot":
      return say("event.moon-shot", who(event.shooter));
    case "moon-chosen":
      return say("event.moon-chosen", { effect: event.effect.replaceAll("-", "_") });
    case "deal-scored":
      return say("event.deal-scored", { points: list(points.map((each, seat) => `${who(seat).name} ${signed(each)}`)) });
    case "game-ended":
      return say("event.game-ended", { names: names(event.winners) });
    default:
      return say("event.unknown", { code: event.code });
  }
}

/** One sentence for a note: what has become of a seat, and why. `who` sat there then. */
export function noteSentence(note: Note, who: (seat: Seat | null) => Who): string {
  const { code, seat, why } = note;
  const { name: player, you } = who(seat);
  return say(`event.${code}`, { name: isolated(note.name), before: isolated(note.before), why, player, you });
}
