/** The levels of bots, with their titles; and the server's own players. */

import { say } from "./words.js";

/** @type {{name: string, title: string, does: string, usual: boolean}[]} */
export const levels = (await (await fetch("api/choices")).json()).levels.map(({ name, ours, usual }) => ({
  name,
  title: ours ? say(`level.${name}`) : name,
  does: ours ? say(`level.${name}.does`) : say("form.own-player"),
  usual,
}));
