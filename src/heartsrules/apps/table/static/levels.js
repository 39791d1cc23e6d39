/** How strong bots are: the names from the server, in the words of the page; players of whoever runs the server. */

import { say } from "./words.js";

/** @type {{name: string, title: string, does: string, usual: boolean}[]} */
export const levels = (await (await fetch("/api/choices")).json()).levels.map(({ name, ours, usual }) => ({
  name,
  title: ours ? say(`level.${name}`) : name,
  does: ours ? say(`level.${name}.does`) : say("form.own-player"),
  usual,
}));
