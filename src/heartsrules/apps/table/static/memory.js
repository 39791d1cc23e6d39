/** What this browser remembers: settings, the name of its player, and the tables it sat at. */

const TABLES = "hearts-tables";
const MOST_TABLES = 12;

/** Something that was kept under a name, or null. */
export function kept(name) {
  try {
    return localStorage.getItem(`hearts-${name}`);
  } catch {
    return null; // a browser may forbid a page to remember anything
  }
}

/** Keep something under a name. */
export function keep(name, value) {
  try {
    localStorage.setItem(`hearts-${name}`, value);
  } catch {
    // Then it is forgotten.
  }
}

const CARRIED = "hearts-carried";

/** What this page was left with before it was loaded anew. @type {Record<string, any>} */
let carriedOver = {};
try {
  carriedOver = JSON.parse(sessionStorage.getItem(CARRIED) ?? "{}");
  sessionStorage.removeItem(CARRIED);
} catch {
  // Then nothing was carried over.
}

/** Carry something over to when this page is loaded anew, in this tab alone; what nobody has taken yet comes along. */
export function carry(name, value) {
  try {
    sessionStorage.setItem(CARRIED, JSON.stringify({ ...carriedOver, ...JSON.parse(sessionStorage.getItem(CARRIED) ?? "{}"), [name]: value }));
  } catch {
    // Then it is lost.
  }
}

/** What was carried over, once; undefined: nothing. */
export function carried(name) {
  const value = carriedOver[name];
  delete carriedOver[name];
  return value;
}

/** Forget what was kept under a name. */
export function forget(name) {
  try {
    localStorage.removeItem(`hearts-${name}`);
  } catch {
    // Then there is nothing.
  }
}

/**
 * The tables that somebody sat at in this browser, the last one first.
 * @returns {{id: string, people: string[], at: number, over: boolean}[]}
 */
export function tables() {
  try {
    return JSON.parse(localStorage.getItem(TABLES) ?? "[]");
  } catch {
    return [];
  }
}

/** Remember a table, or what has become of it. */
export function rememberTable(id, people, over) {
  const known = tables();
  const before = known.find((table) => table.id === id);
  if (before && before.over === over && before.people.join() === people.join()) return;
  const table = { id, people, over, at: Date.now() };
  keep("tables", JSON.stringify([table, ...known.filter((each) => each.id !== id)].slice(0, MOST_TABLES)));
}

/** Forget a table that is not there any more. */
export function forgetTable(id) {
  keep("tables", JSON.stringify(tables().filter((table) => table.id !== id)));
}
