/** What the options of the rules are called, and their values and parts, in the language of the page.
 *
 * `options.<tag>.json` has them. What it leaves out is called as it is declared, so a new option needs no line here. */

import { capital, known, language, options, say } from "./words.js";

/** @type {{sections: Record<string, string>, options: Record<string, {label?: string, sentence?: string, values?: Record<string, string>, pair?: string[]}>, parts: Record<string, string>, explained: Record<string, string>}} */
let found = { sections: {}, options: {}, parts: {}, explained: {} };

/** Get the words of the options, which only the form needs. */
export async function getOptionWords() {
  const got = await options().catch(() => null);
  if (got) found = got.default;
}

/**
 * A name for people: `kitty_shown_to` and `first-trick` become `Kitty shown to` and `First trick`.
 * @param {string} name
 */
export function title(name) {
  return capital(name.replaceAll(/[_-]/g, " "));
}

/** The title of a game that the server offers. */
export function gameTitle({ name, preset, players }) {
  return name ? say("form.proposed") : say(`game.${preset}.${players}.title`);
}

/** What is special about a game that the server offers. */
export function gameSpecial({ name, preset, players }) {
  return name ?? say(`game.${preset}.${players}.special`);
}

/**
 * From which game a table was made, as the form calls it.
 * @param {{preset: string, changed: boolean}} game
 * @param {number} players
 */
export function gameTold(game, players) {
  const key = `game.${game.preset}.${players}.title`;
  return say("invite.game", { name: known(key) ? say(key) : title(game.preset), changed: game.changed });
}

/** A section of the options; `declared` is what the server calls it. */
export function sectionWords(declared) {
  return found.sections[declared] ?? declared;
}

/** What an option is called. */
export function label(option) {
  return found.options[option]?.label ?? title(option);
}

/** What an option is about; `declared` is what the server says. */
export function explained(option, declared) {
  return found.options[option]?.sentence ?? declared;
}

/** What a value of an option is called. */
export function valueWords(option, value) {
  if (option === "first_dealer") return say("seat.number", { number: value + 1 });
  return capital(found.options[option]?.values?.[value] ?? title(String(value)));
}

/** The values of an option in the order in which they are explained. */
export function inOrder(option, values) {
  const order = Object.keys(found.options[option]?.values ?? {});
  return order.length ? [...values].sort((one, other) => order.indexOf(String(one)) - order.indexOf(String(other))) : values;
}

/** What a part of a value is called, such as the factor of a doubler. */
export function partWords(name) {
  return found.parts[name] ?? name;
}

/** What a part of a value is; empty: its name says it. */
export function partSentence(name) {
  return found.explained[name] ?? "";
}

/** The parts of each pair of an option; undefined: they have no names. */
export function pairOf(option) {
  return found.options[option]?.pair;
}

/**
 * A sentence of the server about options, in which they and their values have the names of the form.
 * @param {string} sentence
 * @param {string[]} options the options that it is about
 * @param {string[]} all the names of all options
 */
export function reworded(sentence, options, all) {
  const quoted = (text) => say("form.quoted", { text });
  const value = (constant) => {
    const name = constant.toLowerCase().replaceAll("_", "-");
    const option = [...options, ...all].find((each) => found.options[each]?.values?.[name]);
    return option ? quoted(valueWords(option, name)) : constant;
  };
  // A name of one word may be any word of an English sentence.
  const told = all.filter((name) => language !== "en" || name.includes("_"));
  return sentence.replaceAll(/\b[a-z]+(?:_[a-z]+)*\b/g, (word) => (told.includes(word) ? quoted(label(word)) : word)).replaceAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g, value);
}
