// node pack.mjs PYODIDE GIVEN LIBRARY: has `packing.py` write the library of a static page, in the Python that will read it.

import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder, given, library] = process.argv;
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const pyodide = await loadPyodide({ indexURL: folder });
pyodide.FS.mkdir("/given");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: given }, "/given");
pyodide.runPython("import sys; sys.path.insert(0, '/given')");
await pyodide.pyimport("heartsrules.apps.table.packing").pack("/given", "/library.zip");
writeFileSync(library, pyodide.FS.readFile("/library.zip"));
process.exit(); // timers that were cancelled would still be waited for
