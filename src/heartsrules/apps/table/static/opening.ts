/** What the form that opens a table holds, and what follows from it. */

import type { Choices, OfferedPreset } from "./types.ts";

export type Rules = Record<string, unknown>;

/** Who sits on another seat: the level of a bot, which plays there only if nobody comes, or in any case. */
interface Plan {
  level: string;
  friend: boolean;
}

export interface Opening {
  /** A named game, by its place in the list; or a preset, by its name. */
  game: string;
  players: number;
  /** The options that differ from those of the game. */
  changed: Rules;
  play: boolean;
  /** `friends`, `each`, or the level of all others. */
  others: string;
  strength: string;
  /** The plans of the other seats, if each is chosen. */
  plans: Plan[];
  away: number | null;
  hints: string;
}

/** The preset of the chosen game, and its number of players. */
export function chosenGame({ games, presets }: Choices, game: string): { preset: OfferedPreset; players: number } {
  const named = games[Number(game)];
  const preset = presets.find(({ name }) => name === (named ? (named.name ?? named.preset) : game)) ?? presets[0];
  return { preset, players: named?.players ?? preset.players };
}

/** The options of the chosen game, without the number of players. */
export function baseOf(choices: Choices, { game, players }: Pick<Opening, "game" | "players">): Rules {
  const own = (rules: object): Rules => (rules as Record<number, Rules>)[players];
  const { players: _, ...rules } = { ...own(choices.defaults), ...own(chosenGame(choices, game).preset.rules) };
  return rules;
}

export const withGame = (choices: Choices, opening: Opening, game: string): Opening =>
  ({ ...opening, game, players: chosenGame(choices, game).players, changed: {} });

/** The opening after an option was changed; one that is as in the game is not kept. */
export function withOption(choices: Choices, opening: Opening, option: string, value: unknown): Opening {
  const { [option]: _, ...changed } = opening.changed;
  if (JSON.stringify(value) !== JSON.stringify(baseOf(choices, opening)[option])) changed[option] = value;
  return { ...opening, changed };
}

export const documentOf = (choices: Choices, opening: Pick<Opening, "game" | "players" | "changed">): Rules =>
  ({ heartsrules: 1, kind: "rules", players: opening.players, ...baseOf(choices, opening), ...opening.changed });

/** The plan of another seat; `alone`: nobody else can come. */
export const planOf = ({ plans, strength, play }: Opening, at: number, alone: boolean): Plan =>
  plans[at] ?? { level: strength, friend: play && !alone };

/** The plans of all seats, as the server reads them. */
export function seatsOf(opening: Opening, alone: boolean): object[] {
  const { players, play, others, strength } = opening;
  const all = others === "friends" ? { level: strength, friend: true } : { level: others, friend: false };
  const plan = (at: number) => (others === "each" ? planOf(opening, at, alone) : all);
  return Array.from({ length: players }, (_, seat) => (play && !seat ? {} : plan(seat - Number(play))));
}
