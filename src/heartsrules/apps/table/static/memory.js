/** What this browser stores: settings, the name of its player, and the tables of its seats. */

const TABLES = "hearts-tables";
const MOST_TABLES = 12;

/** A stored value, or null. */
export function kept(name) {
  try {
    return localStorage.getItem(`hearts-${name}`);
  } catch {
    return null; // a browser may forbid a page to remember anything
  }
}

/** Store a value. */
export function keep(name, value) {
  try {
    localStorage.setItem(`hearts-${name}`, value);
  } catch {
    // Then it is forgotten.
  }
}

const CARRIED = "hearts-carried";

/** The values stored by `carry` before this load. @type {Record<string, any>} */
let carriedOver = {};
try {
  carriedOver = JSON.parse(sessionStorage.getItem(CARRIED) ?? "{}");
  sessionStorage.removeItem(CARRIED);
} catch {
  // Then nothing was carried over.
}

/** Store a value until the next load of this page, in this tab alone. Values not read yet are kept. */
export function carry(name, value) {
  try {
    sessionStorage.setItem(CARRIED, JSON.stringify({ ...carriedOver, ...JSON.parse(sessionStorage.getItem(CARRIED) ?? "{}"), [name]: value }));
  } catch {
    // Then it is lost.
  }
}

/** A value stored by `carry`, once; undefined: none. */
export function carried(name) {
  const value = carriedOver[name];
  delete carriedOver[name];
  return value;
}

/** Delete a stored value. */
export function forget(name) {
  try {
    localStorage.removeItem(`hearts-${name}`);
  } catch {
    // Then there is nothing.
  }
}

/**
 * The tables at which this browser has had a seat, the last one first.
 * @returns {{id: string, people: string[], at: number, over: boolean}[]}
 */
export function tables() {
  try {
    return JSON.parse(localStorage.getItem(TABLES) ?? "[]");
  } catch {
    return [];
  }
}

/** Store a table, or update it. @returns {boolean} whether its match has just ended */
export function rememberTable(id, people, over) {
  const known = tables();
  const before = known.find((table) => table.id === id);
  if (before && before.over === over && before.people.join() === people.join()) return false;
  const table = { id, people, over, at: Date.now() };
  keep("tables", JSON.stringify([table, ...known.filter((each) => each.id !== id)].slice(0, MOST_TABLES)));
  return before !== undefined && over && !before.over;
}

/** How often something was done in this browser, and how often well. @param {"matches" | "drills"} what */
export function tally(what) {
  return JSON.parse(kept(`tally-${what}`) ?? '{"count": 0, "good": 0}');
}

/** Count something that was done. @param {"matches" | "drills"} what @param {boolean} well */
export function count(what, well) {
  const { count: before, good } = tally(what);
  keep(`tally-${what}`, JSON.stringify({ count: before + 1, good: good + Number(well) }));
}

const DRILLS = "drills";
const MOST_DRILLS = 30;

/** The drills of one's own games, in a language, the last one first. @returns {any[]} */
export function ownDrills(language) {
  return JSON.parse(kept(DRILLS) ?? "[]").filter((each) => each.language === language).map(({ drill }) => drill);
}

/** Store a drill of one's own games, unless it is stored already. */
export function keepDrill(drill, language) {
  const known = JSON.parse(kept(DRILLS) ?? "[]");
  const text = JSON.stringify(drill);
  if (known.some((each) => JSON.stringify(each.drill) === text)) return;
  keep(DRILLS, JSON.stringify([{ drill, language }, ...known].slice(0, MOST_DRILLS)));
}

/** Delete a table. */
export function forgetTable(id) {
  keep("tables", JSON.stringify(tables().filter((table) => table.id !== id)));
}
