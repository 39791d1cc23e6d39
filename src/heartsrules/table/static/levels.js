/** How strong bots are, from the server, in the words of the page. */

import { known, say } from "./words.js";

/** @type {{name: string, title: string, sentence: string, usual: boolean}[]} */
export const levels = (await (await fetch("/api/choices")).json()).levels.map((level) => ({
  ...level,
  title: known(`level.${level.name}`) ? say(`level.${level.name}`) : level.title,
}));
