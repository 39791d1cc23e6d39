/** The server of a page without one: Python in a web worker. `in_page.py` says which messages it takes and gives. */

const RULES = new URL("../rules/", import.meta.url).href;
const SERVER = "heartsrules.apps.table.in_page";

/** A compressed file of the rules. They are compressed here, since many hosts of static files do not. */
async function unpacked(name, type) {
  const response = await fetch(RULES + name);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

async function address(name, type) {
  return URL.createObjectURL(await (await unpacked(name, type)).blob());
}

/** Python, with the rules among its modules. */
async function python() {
  const wasm = unpacked("python.wasm.bin", "application/wasm");
  const library = address("library.zip.bin", "application/zip");
  const asm = address("pyodide.asm.mjs.bin", "text/javascript").then((url) => import(url));
  const { loadPyodide, version } = await import(`${RULES}pyodide.mjs`);
  const ask = self.fetch;
  self.fetch = (what, options) => (String(what).endsWith("pyodide.asm.wasm") ? wasm : ask(what, options));
  const pyodide = await loadPyodide({
    indexURL: RULES,
    createPyodideModule: (await asm).default,
    stdLibURL: await library,
  });
  self.fetch = ask;
  // Compiled modules cannot be imported from an archive.
  pyodide.runPython(`
def unpack():
    import os, sys, zipimport
    archive = zipimport.zipimporter(next(path for path in sys.path if path.endswith(".zip")))
    for name in archive.get_data("native.txt").decode().split():
        path = "/lib/native/" + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(archive.get_data("native/" + name))
    sys.path.append("/lib/native")

unpack()
del unpack
`);
  return pyodide;
}

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
