// Tests of the client without a server: npm test

import assert from "node:assert/strict";
import { test } from "node:test";
import { HeartsRules, NoAnswer, overHttp, overPyodide, Refused } from "heartsrules/client";

/** A transport that notes its requests, with one answer to all of them. */
function noting(answer) {
  const requests = [];
  return { requests, send: async (op, request) => (requests.push([op, request]), answer) };
}

test("each operation has a method", async () => {
  const transport = noting({ id: 1, ok: true, result: { moves: [], total: 0 } });
  const hearts = new HeartsRules(transport);
  assert.deepEqual(await hearts.legalMoves({ state: 1, limit: 2 }), { moves: [], total: 0 });
  await hearts.presets();
  await hearts.newGame({ rules: 3 });
  assert.deepEqual(transport.requests, [
    ["legal-moves", { state: 1, limit: 2 }], ["presets", {}], ["new-game", { rules: 3 }],
  ]);
});

test("a refusal is an error with its violations", async () => {
  const problems = [{ message: "no", violation: { code: "game-over" } }, { message: "never" }];
  const hearts = new HeartsRules(noting({ id: 1, ok: false, problems }));
  await assert.rejects(hearts.judge({}), (error) => {
    assert.ok(error instanceof Refused);
    assert.equal(error.message, "judge: no; never");
    assert.deepEqual(error.violations, [{ code: "game-over" }]);
    return true;
  });
});

test("requests over HTTP are posted, with a signal", async () => {
  const asked = [];
  const fetch = async (url, options) => (asked.push([url, options]), new Response('{"id":null,"ok":true,"result":[]}'));
  const hearts = new HeartsRules(overHttp("http://localhost:1/", { fetch }));
  assert.deepEqual(await hearts.ask("presets", {}), []);
  const [[url, { method, body, signal }]] = asked;
  assert.deepEqual([url, method, body], ["http://localhost:1/v1/presets", "POST", "{}"]);
  assert.ok(signal instanceof AbortSignal);
});

test("other answers are errors", async () => {
  for (const text of ["[]", "{}", '{"ok":true}', '{"ok":false,"problems":1}', "no JSON"]) {
    const hearts = new HeartsRules(overHttp("http://localhost:1", { fetch: async () => new Response(text) }));
    await assert.rejects(hearts.presets(), NoAnswer);
  }
});

test("Pyodide answers in the page", async () => {
  const loaded = [];
  const python = {
    loadPackage: async (wheels) => loaded.push(...wheels),
    runPython: () => (request) => JSON.stringify({ id: null, ok: true, result: JSON.parse(request) }),
  };
  const hearts = new HeartsRules(await overPyodide(python, ["one.whl"]));
  assert.deepEqual(await hearts.view({ seat: 2 }), { op: "view", seat: 2 });
  assert.deepEqual(loaded, ["one.whl"]);
});
