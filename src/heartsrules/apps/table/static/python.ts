/** Python in a page or in its worker, with the rules among its modules. */

const RULES = new URL("../rules/", import.meta.url).href;

interface Pyodide {
  pyimport(name: string): any;
  toPy(value: unknown): unknown;
  runPython(program: string): void;
}

/** A compressed file: many hosts of static files do not compress them. */
export async function unpacked(name: string, type = "application/json"): Promise<Response> {
  const response = await fetch(name);
  if (!response.ok || !response.body) throw new Error(`${response.url}: ${response.status}`);
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

async function address(name: string, type: string): Promise<string> {
  return URL.createObjectURL(await (await unpacked(RULES + name, type)).blob());
}

export async function python(): Promise<Pyodide> {
  const wasm = unpacked(`${RULES}python.wasm.bin`, "application/wasm");
  const library = address("library.zip.bin", "application/zip");
  const asm = address("pyodide.asm.mjs.bin", "text/javascript");
  const made = asm.then((url) => import(url));
  const { loadPyodide } = await import(`${RULES}pyodide.mjs`);
  const ask = self.fetch;
  // Pyodide's own name of its WebAssembly is that of a file that is not compressed.
  self.fetch = (what, options) => (String(what).endsWith("pyodide.asm.wasm") ? wasm : ask(what, options));
  let pyodide: Pyodide;
  try {
    pyodide = await loadPyodide({ indexURL: RULES, createPyodideModule: (await made).default, stdLibURL: await library });
  } finally {
    self.fetch = ask;
    for (const url of [library, asm]) url.then(URL.revokeObjectURL, () => undefined);
  }
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
