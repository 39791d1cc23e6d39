/** What the options of the rules are called, and their values and parts, in the language of the page.
 *
 * `options.<tag>.json` has them. What it leaves out is called as it is declared, so a new option needs no line here. */

import { title } from "./games.ts";
import { passWords } from "./passes.ts";
import { told } from "./position.ts";
import type { Wording } from "./types.ts";
import { capital, options, say } from "./words.ts";

interface OptionWords {
  label?: string;
  sentence?: string;
  values?: Record<string, string>;
  pair?: string[];
}
interface Words {
  sections: Record<string, string>;
  options: Record<string, OptionWords>;
  parts: Record<string, string>;
  explained: Record<string, string>;
}
let found: Words = { sections: {}, options: {}, parts: {}, explained: {} };

/** Get the words of the options, which only the form needs. */
export async function getOptionWords(): Promise<void> {
  found = ((await options().catch(() => null)) as Words | null) ?? found;
}

/** A section of the options; `declared` is the server's name for it. */
export const sectionWords = (declared: string): string => found.sections[declared] ?? declared;

/** What an option is called, and its own words. */
export const label = (option: string): string => found.options[option]?.label ?? title(option);
export const wordsOf = (option: string): OptionWords => found.options[option] ?? {};

/** What a value of an option is called. */
export function valueWords(option: string, value: unknown): string {
  if (option === "first_dealer") return say("seat.number", { number: Number(value) + 1 });
  if (option === "pass_cycle") return capital(passWords(value as Parameters<typeof passWords>[0]));
  return capital(wordsOf(option).values?.[String(value)] ?? title(String(value)));
}

/** What a part of a value is called, such as the factor of a doubler. */
export const partWords = (name: string): string => found.parts[name] ?? name;

/** What a part of a value is; empty: its name says it. */
export const partSentence = (name: string): string => found.explained[name] ?? "";

/** A sentence about options, in which they and their values have the names of the form. */
export const reworded = (sentence: Wording): string =>
  told(sentence, undefined, (option, value) => say("form.quoted", { text: value === null ? label(option) : valueWords(option, value) }));
