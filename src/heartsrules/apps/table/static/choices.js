/** What the server offers: rule sets, options, games and bots. */

import { get } from "./api.js";
import { say } from "./words.js";

/** The answer of the server, or that to come. @type {Promise<{ok: boolean, body: any}> | undefined} */
let answer;

/** The levels of bots, with their titles, and the server's own players; empty until `choices` are there.
 *  @type {{name: string, title: string, does: string, style: string, usual: boolean}[]} */
export const levels = [];

async function ask() {
  const asked = await get("/api/choices");
  if (!asked.ok) answer = undefined;
  else levels.push(...asked.body.levels.map(({ name, ours, usual }) => ({
    name,
    title: ours ? say(`level.${name}`) : name,
    does: ours ? say(`level.${name}.does`) : say("form.own-player"),
    style: ours ? say(`level.${name}.style`) : name,
    usual,
  })));
  return asked;
}

/** How the bot of a level plays, in a word. */
export function style(level) {
  return levels.find(({ name }) => name === level)?.style ?? level;
}

/** The choices; they are asked for once, unless the server fails. */
export function choices() {
  return (answer ??= ask());
}
