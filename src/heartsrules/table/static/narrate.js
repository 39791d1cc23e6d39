/** What happened, as sentences: for the log, which a screen reader reads aloud. */

import { cardName, cardsOf } from "./cards.js";
import { list } from "./dom.js";

/**
 * One sentence for an event.
 * @param {any} event a document of an event, redacted for this seat
 * @param {(seat: number) => string} name of a seat; "You" for one's own
 * @returns {string}
 */
export function sentence(event, name) {
  const named = (bag) => list(cardsOf(bag).map(cardName)) || "nothing";
  switch (event.code) {
    case "cards-dealt-hidden":
      return "The cards are dealt.";
    case "pass-committed":
      return event.gifts.length ? `You pass ${named(event.gifts.join(" "))}.` : "You decline to pass.";
    case "pass-committed-hidden":
      return `${name(event.seat)} has chosen.`;
    case "cards-passed-hidden": {
      const declined = event.declined.length ? ` Declined: ${list(event.declined.map(name))}.` : "";
      return `The cards change hands.${event.seat === null ? "" : ` You receive ${named(event.received)}.`}${declined}`;
    }
    case "exposure-committed":
      return event.cards ? `You will show ${named(event.cards)}.` : "You will show no card.";
    case "exposure-committed-hidden":
      return `${name(event.seat)} decided what to show.`;
    case "cards-shown":
      return event.cards ? `Shown by ${name(event.seat)}: ${named(event.cards)}.` : `No card shown by ${name(event.seat)}.`;
    case "play-began":
      return `${name(event.leader)} to lead.`;
    case "card-played":
      return `${name(event.seat)}: ${cardName(event.card)}.`;
    case "hearts-broken":
      return "Hearts are broken.";
    case "trick-won":
      return `Trick to ${name(event.winner)}.`;
    case "trick-void":
      return "Nobody wins the trick: it is set aside.";
    case "kitty-taken":
      return `Kitty to ${name(event.seat)}: ${named(event.cards)}.`;
    case "kitty-taken-hidden":
      return `Kitty to ${name(event.seat)}.`;
    case "moon-shot":
      return `Moon shot by ${name(event.shooter)}.`;
    case "moon-chosen":
      return event.effect === "others-up" ? "The others get the points." : "The shooter's total goes down.";
    case "deal-scored":
      return `Points of the deal: ${list(event.score.points.map((points, seat) => `${name(seat)} ${points}`))}.`;
    case "game-ended":
      return `The match is over. Winner: ${list(event.winners.map(name))}.`;
    default:
      return `An event that this page does not know: ${event.code}. Load the page again.`;
  }
}
