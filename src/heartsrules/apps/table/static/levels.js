/** What the server offers: its games and options, and the levels of bots with their titles. */

import { say } from "./words.js";

export const choices = await (await fetch("/api/choices")).json();

/** The levels of bots, and the server's own players. @type {{name: string, title: string, does: string, style: string, usual: boolean}[]} */
export const levels = choices.levels.map(({ name, ours, usual }) => ({
  name,
  title: ours ? say(`level.${name}`) : name,
  does: ours ? say(`level.${name}.does`) : say("form.own-player"),
  style: ours ? say(`level.${name}.style`) : name,
  usual,
}));

/** How the bot of a level plays, in a word. */
export function style(level) {
  return levels.find(({ name }) => name === level)?.style ?? level;
}
