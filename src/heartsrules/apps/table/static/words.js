/** The words of the page, in the language of the browser or the one that was chosen on it. */

import { format } from "./format.js";
import { carry, kept, keep } from "./memory.js";

/** The languages that there is a catalogue for, `words.<tag>.json`, by their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch" };

/** The language of this page. */
export const language = [kept("language"), ...navigator.languages.map((tag) => tag.split("-")[0])].find((tag) => tag && tag in LANGUAGES) ?? "en";

const patterns = await (await fetch(new URL(`words.${language}.json`, import.meta.url))).json();
document.documentElement.lang = language;

/**
 * The words of a key, filled in.
 * @param {string} key
 * @param {Record<string, any>} [args]
 */
export function say(key, args = {}) {
  return format(patterns[key], args, language);
}

/** Whether there are words of a key. */
export function known(key) {
  return key in patterns;
}

/** Have the page speak another language from now on. What has `data-typed` is told before, to carry over what it was told. */
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

/** A number with its sign as typographers have it. */
export function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : "0";
}

/** A total: a minus instead of a hyphen. */
export function total(number) {
  return String(number).replace("-", "\u2212");
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name within a sentence: one that is written from right to left must not turn what stands around it. */
export function isolated(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** A name of at most so many characters as people see them: an emoji of several joined ones is one of them. */
export function shortened(name, most) {
  const letters = [...new Intl.Segmenter(language).segment(name)].map(({ segment }) => segment);
  return letters.length <= most ? name : `${letters.slice(0, most - 1).join("")}…`;
}
