/** The server of a page without one: Python in a web worker. `in_page.py` says which messages it takes and gives. */

import { python } from "./python.ts";

/** How long a tab that is being closed may keep the tables, in milliseconds. */
const PATIENCE = 500;
const SERVER = "heartsrules.apps.table.in_page";
interface Server {
  receive(text: string): void;
}
const post = (message: object) => (self as unknown as { postMessage(message: object): void }).postMessage(message);

// ---------------------------------------------------------------------------------------------- what is kept of tables

const answerTo = <T>(request: IDBRequest<T>) => new Promise<T>((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

async function opened(): Promise<IDBDatabase> {
  const opening = indexedDB.open("hearts", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("tables");
  return answerTo(opening);
}
/** The tables in this browser: a document by the name of each; null: it keeps nothing. */
const database = opened().catch(() => null);

async function kept(): Promise<[IDBValidKey, string][]> {
  const store = (await database)?.transaction("tables").objectStore("tables");
  if (!store) return [];
  const [names, documents] = await Promise.all([answerTo(store.getAllKeys()), answerTo<string[]>(store.getAll())]);
  return names.map((name, at) => [name, documents[at]]);
}

async function keep(table: string, text: string | null): Promise<void> {
  const transaction = (await database)?.transaction("tables", "readwrite");
  // The browser keeps no more, as when the disk is full: the table is played on, and is lost when the page is closed.
  transaction?.addEventListener("abort", () => console.warn("the table could not be stored", transaction.error));
  const store = transaction?.objectStore("tables");
  if (text === null) store?.delete(table);
  else store?.put(text, table);
}

/** Wait until no other tab has the tables: they would overwrite each other's. The lock is held until the worker ends. */
async function alone(): Promise<void> {
  const late = setTimeout(() => post({ type: "other-tab" }), PATIENCE);
  const held = new Promise((done) => void navigator.locks?.request("hearts-tables", () => new Promise(() => done(null))));
  if (navigator.locks) await held;
  clearTimeout(late);
}

// ---------------------------------------------------------------------------------------------------------- the server

function told(text: string): void {
  const message = JSON.parse(text);
  if (message.type === "keep") void keep(message.table, message.document);
  else post(message);
}

/** What the page has said before the server was there. */
let early: string[] | null = [];
let server: Server;
self.onmessage = ({ data }) => (early ? early.push(data) : server.receive(data));

try {
  await alone();
  const [pyodide, tables] = await Promise.all([python(), kept()]);
  server = await pyodide.pyimport(SERVER).serve(told, pyodide.toPy(tables));
  for (const text of early) server.receive(text);
  early = null;
} catch (error) {
  post({ type: "failed", message: String(error) });
  throw error;
}
