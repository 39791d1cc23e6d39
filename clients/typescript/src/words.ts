// The arguments that fill a catalogue's patterns, for the reasons and events of the engine.

import { cardsOf } from "./cards.js";
import type { Event } from "./documents.js";
import type { Reason } from "./plays.js";

export type Arguments = Record<string, string | number>;
/**
 * Fills the pattern of a key, such as `(key, values) => new IntlMessageFormat(patterns[key], language).format(values)`.
 * Parts of some arguments, such as names of cards, are patterns, too.
 */
export type Fill = (key: string, values: Arguments) => string;

/**
 * Return the arguments of the pattern `violation.CODE`. A `bad-deal` has none: the engine does not list the problems of
 * a deal.
 */
export function reasonArguments({ code, ...fields }: Reason, fill: Fill): Arguments {
  const found = argumentsOf(fields, fill, 5);
  // This pattern quotes the value.
  return "effect" in fields ? { ...found, effect: fields.effect } : found;
}

/** Return the arguments of the pattern `event.CODE`, in the language of `fill`. */
export function eventArguments({ code, arguments: sent, ...fields }: Event, fill: Fill): Arguments {
  return argumentsOf(fields, fill, Infinity);
}

/** Return the arguments of fields; `most` limits the cards of a list. */
function argumentsOf(fields: object, fill: Fill, most: number): Arguments {
  const found: Arguments = {};
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "number") {
      found[name] = value;
    } else if (Array.isArray(value)) {
      const items = value.map((item) => (typeof item === "string" ? cardsInWords(item, fill, most) : String(item)));
      const others = items.slice(0, -1).join(", ");
      found[name] = items.join(typeof value[0] === "string" ? fill("term.between-bags", {}) : ", ") ||
        fill("term.nothing", {});
      found[`${name}_count`] = items.length;
      found[`${name}_and`] = others === "" ? found[name] : fill("term.and", { others, last: items.at(-1) ?? "" });
    } else if (typeof value === "object" && value !== null) {
      const { points }: { points: readonly number[] } = value;
      found[name] = points.map((each, seat) => fill("term.points", { seat, points: each })).join(", ");
    } else if (/^[CDSH]$/.test(value)) {
      found[name] = fill("term.suit", { suit: value });
    } else if (/^(|[2-9TJQKA][CDSH]( .*)?)$/.test(value)) {
      const suit = value.charAt(1);
      found[name] = cardsInWords(value, fill, most);
      found[`${name}_count`] = cardsOf(value).length;
      if (suit !== "") {
        Object.assign(found, { [`${name}_suit`]: suit, [`${name}_suit_name`]: fill("term.suit", { suit }) });
      }
    } else {
      found[name] = String(value).replaceAll("-", "_");
    }
  }
  return found;
}

function cardsInWords(text: string, fill: Fill, most: number): string {
  const cards = cardsOf(text);
  const texts = cards.slice(0, most).map((card) => fill("term.card", { rank: card.charAt(0), suit: card.charAt(1) }));
  const named = texts.join(" ");
  const more = cards.length - texts.length;
  return more > 0 ? fill("term.more", { named, more }) : named || fill("term.nothing", {});
}
