/** What this browser stores: settings, the name of its player, and the tables of its seats. */

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

/** A stored value, if it is one that this page could have stored: pages of other projects can have the same storage. */
function read<T>(name: string, fits: (value: any) => value is T, otherwise: T): T {
  try {
    const value: unknown = JSON.parse(get(name) ?? "null");
    return fits(value) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

const listOf = <T>(fits: (each: any) => boolean) => (value: any): value is T[] => Array.isArray(value) && value.every((each) => typeof each === "object" && each !== null && fits(each));

/** A table at which this browser has had a seat. */
export interface KnownTable {
  id: string;
  people: string[];
  at: number;
  over: boolean;
}
const areTables = listOf<KnownTable>(({ id, people, at }) => typeof id === "string" && Number.isFinite(at) && Array.isArray(people) && people.every((each) => typeof each === "string"));

/** The tables at which this browser has had a seat, the last one first. */
export const tables = (): KnownTable[] => read("tables", areTables, []);

/** Store a table, or update it; the result says whether its match has just ended. The keys of forgotten tables go, too. */
export function rememberTable(id: string, people: string[], over: boolean): boolean {
  const known = tables();
  const before = known.find((table) => table.id === id);
  if (before && before.over === over && before.people.join() === people.join()) return false;
  const all = [{ id, people, over, at: Date.now() }, ...known.filter((each) => each.id !== id)];
  for (const old of all.slice(MOST_TABLES)) forgetKeys(old.id);
  set("tables", JSON.stringify(all.slice(0, MOST_TABLES)));
  return before !== undefined && over && !before.over;
}

/** Delete a table. */
export function forgetTable(id: string): void {
  set("tables", JSON.stringify(tables().filter((table) => table.id !== id)));
}

/** The names under which the key of a seat is stored, and the one that it has replaced. */
export const seatKey = (table: string): string => `seat ${table}`;
export const formerKey = (table: string): string => `seat-before ${table}`;

function forgetKeys(table: string): void {
  set(seatKey(table), null);
  set(formerKey(table), null);
}

export interface Tally {
  count: number;
  good: number;
}
const isTally = (value: any): value is Tally => Number.isFinite(value?.count) && Number.isFinite(value?.good);

/** How often something was done in this browser, and how often well. */
export const tally = (what: "matches" | "drills"): Tally => read(`tally-${what}`, isTally, { count: 0, good: 0 });

/** Count something that was done. */
export function count(what: "matches" | "drills", well: boolean): void {
  const { count: before, good } = tally(what);
  set(`tally-${what}`, JSON.stringify({ count: before + 1, good: good + Number(well) }));
}

interface KeptDrill {
  drill: Drill;
  language: string;
}
const areDrills = listOf<KeptDrill>(({ drill, language }) => typeof language === "string" && Array.isArray(drill?.choices) && Array.isArray(drill.names) && Array.isArray(drill.rows) && Boolean(drill.view && drill.facts && drill.choice));

/** The drills of one's own games, in a language, the last one first. */
export const ownDrills = (language: string): Drill[] => read("drills", areDrills, []).filter((each) => each.language === language).map(({ drill }) => drill);

/** Store a drill of one's own games, unless it is stored already. */
export function keepDrill(drill: Drill, language: string): void {
  const known = read("drills", areDrills, []);
  const text = JSON.stringify(drill);
  if (known.some((each) => JSON.stringify(each.drill) === text)) return;
  set("drills", JSON.stringify([{ drill, language }, ...known].slice(0, MOST_DRILLS)));
}
