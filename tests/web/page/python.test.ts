/** Python in the page: what was put in its place while it was loaded is taken away again. */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { python } from "../python.ts";

test("a failure leaves the page its own fetch, and no file of Python", async () => {
  const rules = new URL("../rules/", import.meta.url);
  mkdirSync(rules, { recursive: true });
  writeFileSync(new URL("pyodide.mjs", rules), "export const loadPyodide = () => Promise.reject(new Error('no memory'));");
  const own = async () => new Response(new Uint8Array(gzipSync("export default 1;")));
  const revoked: string[] = [];
  const urls = { createObjectURL: () => "data:text/javascript,export default 1;", revokeObjectURL: (url: string) => void revoked.push(url) };
  Object.assign(URL, urls);
  Object.assign(globalThis, { self: globalThis, fetch: own });
  await assert.rejects(python(), /no memory/);
  await new Promise((done) => setImmediate(done));
  assert.equal(globalThis.fetch, own);
  assert.equal(revoked.length, 2);
});
