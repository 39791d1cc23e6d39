// Makes the package of the sources: node build.mjs
//
// node build.mjs FOLDER makes the single files instead that `heartsrules serve --print` prints: the client and the engine
// in TypeScript, in JavaScript and as declarations.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const HERE = dirname(fileURLToPath(import.meta.url));
/** The modules of the single files, each after those that it needs when it is loaded. */
const SINGLE = {
  heartsrules: ["documents", "operations", "client"],
  "heartsrules-engine": [
    "documents", "cards", "rules", "moves", "plays", "scoring", "shuffle", "game", "advance", "views", "words",
    "engine",
  ],
};
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(HERE, "tsconfig.json"), ts.sys.readFile).config, ts.sys, HERE);

/** Join modules, without what they import from each other. */
function joined(names) {
  const texts = names.map((name) => readFileSync(join(HERE, "src", `${name}.ts`), "utf8"));
  const from = /^(import|export) (type )?(\{[^}]*\}|\*) from "\.\/[\w-]+\.js";\n/gm;
  const parts = texts.map((text) => text.replace(from, ""));
  // The comment at the top is that of the last module.
  const [head, ...rest] = parts.pop().split(/(?<=^\/\/.*\n)\n/m);
  const others = parts.map((text) => text.replace(/^(\/\/.*\n)+\n*/, ""));
  return [head, ...others, rest.join("\n")].map((text) => text.trim()).join("\n\n").trim() + "\n";
}

/** Write the JavaScript and the declarations of a module. `npm run check` checks the types. */
function compile(folder, name, text) {
  const compilerOptions = { ...options, module: ts.ModuleKind.ES2022, rootDir: undefined, noEmit: false };
  const given = { compilerOptions, fileName: `${name}.ts`, reportDiagnostics: true };
  const types = ts.transpileDeclaration(text, given);
  const code = ts.transpileModule(text, { ...given, compilerOptions: { ...compilerOptions, isolatedDeclarations: false } });
  complain([...(code.diagnostics ?? []), ...(types.diagnostics ?? [])]);
  writeFileSync(join(folder, `${name}.js`), code.outputText);
  writeFileSync(join(folder, `${name}.d.ts`), types.outputText);
}

function single(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, names] of Object.entries(SINGLE)) {
    const text = joined(names);
    writeFileSync(join(folder, `${name}.ts`), text);
    compile(folder, name, text);
  }
}

function whole() {
  const dist = join(HERE, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  for (const file of readdirSync(join(HERE, "src"))) {
    compile(dist, basename(file, ".ts"), readFileSync(join(HERE, "src", file), "utf8"));
  }
}

function complain(diagnostics) {
  if (diagnostics.length > 0) {
    const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => HERE, getNewLine: () => "\n" };
    console.error(ts.formatDiagnostics(diagnostics, host));
    process.exit(1);
  }
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  whole();
} else {
  single(folder);
}
