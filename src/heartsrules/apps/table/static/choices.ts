/** What the server offers: rule sets, options, games and bots. */

import { get, type Answer } from "./api.ts";
import { get as stored } from "./storage.ts";
import type { Choices } from "./types.ts";
import { say } from "./words.ts";

let answer: Promise<Answer<Choices>> | undefined;
let offered: Choices["levels"] = [];

/** A level of bots, or one of the server's own players, in words. */
export interface LevelWords {
  name: string;
  title: string;
  does: string;
  style: string;
  usual: boolean;
}

/** The levels of bots, the usual one among them; empty until the choices are there. */
export function levels(): LevelWords[] {
  return offered.map(({ name, ours, usual }) => ({
    name,
    title: ours ? say(`level.${name}`) : name,
    does: ours ? say(`level.${name}.does`) : say("form.own-player"),
    style: ours ? say(`level.${name}.style`) : name,
    usual,
  }));
}

/** The level of bots that was chosen in this browser, or else the usual one. */
export const chosenLevel = (): string => (offered.find(({ name }) => name === stored("strength")) ?? offered.find(({ usual }) => usual))?.name ?? "usual";

/** How the bot of a level plays, in a word. */
export const style = (level: string): string => levels().find(({ name }) => name === level)?.style ?? level;

/** The choices; they are asked for once, unless the server fails. */
export function choices(): Promise<Answer<Choices>> {
  return (answer ??= get<Choices>("/api/choices").then((asked) => {
    if (asked.ok) offered = asked.body.levels;
    else answer = undefined;
    return asked;
  }));
}
