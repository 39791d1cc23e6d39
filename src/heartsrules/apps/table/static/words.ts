/** The texts of the page, in the chosen language or that of the browser. */

import { get, set } from "./storage.ts";

/** The languages, by their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch" };
type Tag = keyof typeof LANGUAGES;
const WORDS = { en: () => import("./en.ts"), de: () => import("./de.ts") };
const OPTIONS = { en: () => import("./options.en.json"), de: () => import("./options.de.json") };
export let language: Tag = "en";
let patterns: Record<string, Pattern> = {};
let lists = new Intl.ListFormat(language);
/** Get the words for the options of the rules. */
export const options = async (): Promise<object> => (await OPTIONS[language]()).default;

/** Load the words of a language, by default of the one that was chosen, or that the browser prefers. */
export async function speak(tag?: string): Promise<void> {
  const preferred = [tag, get("language"), ...navigator.languages.map((each) => each.split("-")[0])];
  const chosen = preferred.find((each): each is Tag => (each ?? "") in LANGUAGES) ?? "en";
  const found = await WORDS[chosen]();
  if (tag) set("language", chosen);
  language = chosen;
  patterns = found.default as object as typeof patterns;
  lists = new Intl.ListFormat(chosen);
  document.documentElement.lang = chosen;
}

/** A pattern, as `support.bundle` parses it: a text, or parts: texts, 0 for the number of a plural, and arguments; the cases of a plural have an offset. */
export type Pattern = string | readonly (string | 0 | readonly [string, Record<string, Pattern>?, number?])[];

const plurals: Record<string, Intl.PluralRules> = {};

/** A pattern with its arguments, in the plural forms of a language. */
export function format(pattern: Pattern, args: Record<string, unknown>, language: string, count = 0): string {
  if (typeof pattern === "string") return pattern;
  const parts = pattern.map((part) => {
    if (typeof part === "string") return part;
    if (!part) return count.toLocaleString(language);
    const [name, cases, offset] = part;
    const value = String(args[name]);
    if (!cases) return value;
    if (offset === undefined) return format(cases[value] ?? cases.other, args, language, count);
    const rest = Number(value) - offset;
    const form = () => cases[(plurals[language] ??= new Intl.PluralRules(language)).select(rest)] ?? cases.other;
    return format(cases[`=${value}`] ?? form(), args, language, rest);
  });
  return parts.join("");
}

/** The text of a key, filled in. A key without a text is shown itself. */
export const say = (key: string, args: Record<string, unknown> = {}): string => format(patterns[key] ?? key, args, language);
export const known = (key: string): boolean => key in patterns;
export const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
export const list = (items: string[]): string => lists.format(items);

/** A number in the language of the page, with a typographic minus. */
export const number = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  value.toLocaleString(language, options).replace("-", "\u2212");
export const total = (value: number): string => String(value).replace("-", "\u2212");
export const signed = (value: number): string => (value > 0 ? "+" : "") + total(value);

export const moment = (at: number): string =>
  new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name within a sentence, isolated if it is written from right to left. */
export const isolated = (name: string): string => RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
