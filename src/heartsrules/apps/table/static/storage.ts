/** What this browser stores: preferences, the name of its player, and the tables of its seats. */

import type { Drill } from "./types.ts";

const MOST_TABLES = 12;
const MOST_DRILLS = 30;

/** A stored text, or null. A browser may forbid a page to store anything. */
export function get(name: string): string | null {
  try {
    return localStorage.getItem(`hearts-${name}`);
  } catch {
    return null;
  }
}

/** Store a text, or with null delete it. */
export function set(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`hearts-${name}`);
    else localStorage.setItem(`hearts-${name}`, value);
  } catch {
    // Then it is forgotten.
  }
}

/** A stored value that fits; reading another one may throw: pages of other projects can have the same storage. */
function read<T>(name: string, otherwise: T, fits: (value: any) => boolean): T {
  try {
    const value = JSON.parse(get(name) ?? "null");
    return fits(value) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

const DEFAULTS = {
  ...{ sound: "off", phrases: "on", notify: "off", motion: "on", forced: "off", claim: "off", keys: "on" },
  ...{ speed: "usual", colours: "two", sorting: "suits" },
};
export type Preference = keyof typeof DEFAULTS;

export const preference = (name: Preference): string => get(`prefers-${name}`) ?? DEFAULTS[name];
export const prefers = (name: Preference): boolean => preference(name) === "on";

/** Set a preference; an event of the window, "preference", says which. */
export function prefer(name: Preference, value: string): void {
  set(`prefers-${name}`, value);
  dispatchEvent(new CustomEvent("preference", { detail: name }));
}

/** A table at which this browser has had a seat. */
interface KnownTable {
  id: string;
  people: string[];
  at: number;
  over: boolean;
}

/** The tables at which this browser has had a seat, the last one first. */
export const tables = (): KnownTable[] =>
  read("tables", [], (all) => all.every(({ id, people, at }: KnownTable) => id.trim() && Array.isArray(people) && at.toFixed()));

const storeTables = (all: KnownTable[]) => set("tables", JSON.stringify(all));

/** Store a table, or update it; the result says whether its match has just ended. The keys of forgotten tables go, too. */
export function rememberTable(id: string, people: string[], over: boolean): boolean {
  const known = tables();
  const before = known.find((table) => table.id === id);
  if (before && before.over === over && before.people.join() === people.join()) return false;
  const all = [{ id, people, over, at: Date.now() }, ...known.filter((each) => each.id !== id)];
  for (const old of all.slice(MOST_TABLES)) storeKeys(old.id, []);
  storeTables(all.slice(0, MOST_TABLES));
  return before !== undefined && over && !before.over;
}

export const forgetTable = (id: string): void => storeTables(tables().filter((table) => table.id !== id));

/** The keys of seats at a table: the one in use, and after it those that it has replaced. */
export const keysOf = (table: string): string[] => get(`seat ${table}`)?.split(" ") ?? [];
export const storeKeys = (table: string, keys: string[]): void => set(`seat ${table}`, keys.join(" ") || null);

export const tally = (what: "matches" | "drills"): { count: number; good: number } =>
  read(`tally-${what}`, { count: 0, good: 0 }, ({ count, good }) => Number.isFinite(count + good));

export function count(what: "matches" | "drills", well: boolean): void {
  const { count: before, good } = tally(what);
  set(`tally-${what}`, JSON.stringify({ count: before + 1, good: good + Number(well) }));
}

const isDrill = ({ choices, names, rows, view, facts, choice }: Drill) => [choices, names, rows].every(Array.isArray) && view && facts && choice;

/** The drills of one's own games, in a language, the last one first. */
export const ownDrills = (language: string): Drill[] => read(`drills ${language}`, [], (all) => all.every(isDrill));

/** Store a drill of one's own games, unless it is stored already. */
export function keepDrill(drill: Drill, language: string): void {
  const known = ownDrills(language);
  const text = JSON.stringify(drill);
  if (known.some((each) => JSON.stringify(each) === text)) return;
  set(`drills ${language}`, JSON.stringify([drill, ...known].slice(0, MOST_DRILLS)));
}
