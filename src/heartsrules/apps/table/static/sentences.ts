/** Sentences of the server: the page shows their cards, players and options in its own way. */

import { cardSign } from "./cards.ts";
import { el } from "./dom.ts";
import type { VNode } from "preact";
import { who, type Position } from "./position.ts";
import type { Wording } from "./types.ts";
import { capital, say } from "./words.ts";

type Part = Exclude<Wording[number], string>;

/** A sentence as a text. Options are called by `named`, and players as at a table. */
export function told(wording: Wording, table?: Pick<Position, "table">, named: (option: string, value: string | null) => string = (option, value) => value ?? option): string {
  const part = (each: Part) => {
    if (each.type === "card") return cardSign(each.card);
    if (each.type === "option") return named(each.option, each.value);
    return table ? who(table, each.seat).name : say("seat.number", { number: each.seat + 1 });
  };
  return wording.map((each) => (typeof each === "string" ? each : part(each))).join("");
}

/** The same, with a capital letter. */
export const sentence = (wording: Wording, table?: Pick<Position, "table">): string => capital(told(wording, table));

/** The sentences of rules, as list items. */
export const ruleSentences = (sentences: readonly Wording[]): VNode[] => sentences.map((each) => el("li", {}, told(each)));
