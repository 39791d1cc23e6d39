/** The texts of the page, in the chosen language or that of the browser. */

import { format } from "./format.js";
import { carry, kept, keep } from "./memory.js";

/** The languages, by their own names. Each has a module, `<tag>.js`. */
export const LANGUAGES = { en: "English", de: "Deutsch" };
const MODULES = { en: () => import("./en.js"), de: () => import("./de.js") };

/** The language of this page. */
export const language = [kept("language"), ...navigator.languages.map((tag) => tag.split("-")[0])].find((tag) => tag && tag in LANGUAGES) ?? "en";

/** The patterns of the texts, and what gets the words for the options of the rules. */
const { words: patterns, options } = await MODULES[language]();
export { options };
document.documentElement.lang = language;

/**
 * The text of a key, filled in.
 * @param {string} key
 * @param {Record<string, any>} [args]
 */
export function say(key, args = {}) {
  return format(patterns[key], args, language);
}

/** Whether a key has a text. */
export function known(key) {
  return key in patterns;
}

/** Change the language of the page. Elements with `data-typed` get an event first, to carry their input over. */
export function speak(tag) {
  keep("language", tag);
  carry("settings", true);
  for (const part of document.querySelectorAll("[data-typed]")) part.dispatchEvent(new Event("speak"));
  location.reload();
}

/** A sentence that begins with a capital letter. */
export function capital(sentence) {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/**
 * The items as a list with "and".
 * @param {string[]} items
 */
export function list(items) {
  return new Intl.ListFormat(language).format(items);
}

/** A number with a typographic sign. */
export function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : "0";
}

/** A total with a typographic minus. */
export function total(number) {
  return String(number).replace("-", "\u2212");
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name within a sentence, isolated if it is written from right to left. */
export function isolated(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** A name, shortened to a number of characters as people see them. */
export function shortened(name, most) {
  const letters = [...new Intl.Segmenter(language).segment(name)].map(({ segment }) => segment);
  return letters.length <= most ? name : `${letters.slice(0, most - 1).join("")}…`;
}
