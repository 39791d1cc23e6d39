/** What games are called: those that the server offers, and presets. */

import type { Choices, Origin } from "./types.ts";
import { capital, known, say } from "./words.ts";

type Game = Choices["games"][number];

/** A name for people: `kitty_shown_to` and `first-trick` become `Kitty shown to` and `First trick`. */
export const title = (name: string): string => capital(name.replaceAll(/[_-]/g, " "));

/** The title of a game that the server offers. */
export const gameTitle = ({ name, preset, players }: Game): string => (name ? say("form.proposed") : say(`game.${preset}.${players}.title`));

/** What is special about a game that the server offers. */
export const gameSpecial = ({ name, preset, players }: Game): string => name ?? say(`game.${preset}.${players}.special`);

/** From which game a table was made, as the form calls it. */
export function gameTold({ preset, changed }: Origin, players: number): string {
  const key = `game.${preset}.${players}.title`;
  return say("invite.game", { name: known(key) ? say(key) : title(preset), changed });
}
