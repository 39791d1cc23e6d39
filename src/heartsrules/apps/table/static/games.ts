/** What the server offers, in words: games, bots, and the usual game in five steps. */

import type { VNode } from "preact";
import { get, type Answer } from "./api.ts";
import { el } from "./dom.ts";
import { get as stored } from "./storage.ts";
import type { Choices, OfferedPreset, Origin } from "./types.ts";
import { capital, known, say } from "./words.ts";

export type Game = Choices["games"][number];
let answer: Promise<Answer<Choices>> | undefined;
let offered: Choices["levels"] = [];

/** What the server offers; it is asked for once, unless the server fails. */
export function choices(): Promise<Answer<Choices>> {
  return (answer ??= get<Choices>("/api/choices").then((asked) => {
    if (asked.ok) offered = asked.body.levels;
    else answer = undefined;
    return asked;
  }));
}

/** The levels of bots and the server's own players, in words; empty until the choices are there. */
export const levels = () => offered.map(({ name, ours }) => ({
  name,
  title: ours ? say(`level.${name}`) : name,
  does: ours ? say(`level.${name}.does`) : say("form.own-player"),
  style: ours ? say(`level.${name}.style`) : name,
}));
export type LevelWords = ReturnType<typeof levels>[number];

/** The level of bots that was chosen in this browser, or else the usual one. */
export const chosenLevel = (): string =>
  (offered.find(({ name }) => name === stored("strength")) ?? offered.find(({ usual }) => usual))?.name ?? "usual";
export const style = (level: string): string => levels().find(({ name }) => name === level)?.style ?? level;

/** A name for people: `kitty_shown_to` and `first-trick` become `Kitty shown to` and `First trick`. */
export const title = (name: string): string => capital(name.replaceAll(/[_-]/g, " "));

export const gameTitle = ({ name, preset, players }: Game): string =>
  name ? say("form.proposed") : say(`game.${preset}.${players}.title`);

export const gameSpecial = ({ name, preset, players }: Game): string => name ?? say(`game.${preset}.${players}.special`);

/** From which game a table was made, as the form calls it. */
export function gameTold({ preset, changed }: Origin, players: number): string {
  const key = `game.${preset}.${players}.title`;
  return say("invite.game", { name: known(key) ? say(key) : title(preset), changed });
}

/** The preset of a name; the server offers every one. */
export const presetOf = ({ presets }: Choices, name: string): OfferedPreset => presets.find((each) => each.name === name) ?? presets[0];

/** The document of a preset's rules for a number of players, with what was changed in them. */
export const rulesOf = ({ defaults }: Choices, { rules }: OfferedPreset, players: number, changed: object = {}): Record<string, unknown> =>
  ({ heartsrules: 1, kind: "rules", ...defaults[players], ...rules[players], ...changed });

const STEPS = ["goal", "pass", "follow", "trick", "moon"];

/** A fold with the usual game, for whoever has never played it. */
export const introduction = (): VNode =>
  el("details", { class: "introduction" },
    el("summary", {}, say("intro.title")), el("ol", {}, STEPS.map((step) => el("li", {}, say(`intro.${step}`)))));
