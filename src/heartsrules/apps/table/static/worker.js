/** The server of a page without one: Python in a web worker. `in_page.py` says which messages it takes and gives. */

import { python } from "./python.js";

const SERVER = "heartsrules.apps.table.in_page";

// ------------------------------------------------------------------------------------------------ what is kept of tables

/** The tables in this browser: a document by the name of each; null: it keeps nothing. @type {Promise<IDBDatabase | null>} */
const database = new Promise((done) => {
  try {
    const opening = indexedDB.open("hearts", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("tables");
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => done(null);
  } catch {
    done(null);
  }
});

/** The names and documents of all tables. @returns {Promise<[string, string][]>} */
async function kept() {
  const store = (await database)?.transaction("tables").objectStore("tables");
  if (!store) return [];
  const all = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  const [names, documents] = await Promise.all([all(store.getAllKeys()), all(store.getAll())]);
  return names.map((name, at) => [name, documents[at]]);
}

async function keep(table, document) {
  const store = (await database)?.transaction("tables", "readwrite").objectStore("tables");
  if (document === null) store?.delete(table);
  else store?.put(document, table);
}

// ---------------------------------------------------------------------------------------------------------- the server

function post(text) {
  const message = JSON.parse(text);
  if (message.type === "keep") keep(message.table, message.document);
  else self.postMessage(message);
}

/** What the page has said before the server was there. @type {string[] | null} */
let early = [];
let server;
self.onmessage = ({ data }) => (early ? early.push(data) : server.receive(data));

try {
  const [pyodide, tables] = await Promise.all([python(), kept()]);
  server = await pyodide.pyimport(SERVER).serve(post, pyodide.toPy(tables));
  for (const text of early) server.receive(text);
  early = null;
} catch (error) {
  self.postMessage({ type: "failed", message: String(error) });
  throw error;
}
