/** Parts of the page that need no window: the layout, the form, what is stored, reviews and drills. */

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { after, posted, storage, FACTS, PEOPLE, TABLE, VIEW, WELCOME } from "./samples.ts";
import { places } from "../board.ts";
import { sorted, started } from "../choosing.ts";
import { Drills, drawn } from "../drills.ts";
import { passSchema } from "../form.ts";
import { rulesOf } from "../games.ts";
import { listenToKeys } from "../keys.ts";
import { allApart, fan, seated, trick, type Box } from "../layout.ts";
import { LocalSocket } from "../local.ts";
import { Steps } from "../page.ts";
import { ReviewPage } from "../review.ts";
import { initial } from "../schema_form.ts";
import { keepDrill, keysOf, ownDrills, rememberTable, storeKeys, set, tables, tally } from "../storage.ts";
import type { Choices, DecisionMessage, Drill, Message, OfferedPreset } from "../types.ts";
import { speak } from "../words.ts";

before(() => speak());
beforeEach(() => storage.clear());

// ---------------------------------------------------------------------------------------------------------------- layout

test("plates and the cards of a trick lie apart, for every number of players", () => {
  for (const [wide, high] of [[374, 330], [900, 420]]) {
    for (let players = 3; players <= 11; players += 1) {
      const room = { top: 30, wide, high };
      const plates = seated(Array.from({ length: players }, () => ({ wide: 68, high: 46 })), room);
      const laid = trick(plates, [], room, 12, 90);
      if (!laid) continue;
      const cards = laid.cards.map((each): Box => ({ ...each, wide: 1.08 * laid.card, high: 1.46 * laid.card }));
      assert.ok(allApart(cards, plates, 0), `${players} at ${wide}`);
      assert.ok(plates.every(({ x }) => x >= 38 && x <= wide - 38));
    }
  }
});

test("a whole hand is in its row, and each card can be hit", () => {
  for (let count = 1; count <= 34; count += 1) {
    const places = fan(count, count, 344, 60);
    assert.equal(places.length, count);
    for (const { x } of places) assert.ok(Math.abs(x) + 30 <= 172.5);
    places.slice(1).forEach((place, at) => assert.ok(place.row > places[at].row || place.x - places[at].x >= 23.9));
  }
});

test("a hand is sorted as somebody prefers", () => {
  assert.deepEqual(sorted(["2C", "AC", "2H"], "ranks"), ["2C", "2H", "AC"]);
  assert.deepEqual(sorted(["2C", "AC", "2H"], "high"), ["AC", "2C", "2H"]);
  assert.deepEqual(sorted(["2C", "AC", "2H"], "suits"), ["2C", "AC", "2H"]);
});

test("a board for fewer players has fewer seats", () => {
  const seats = (count: number) => places({ table: { people: PEOPLE.slice(0, count), seat: 0, teams: [] }, now: VIEW, rows: [] });
  assert.deepEqual([seats(4).length, seats(3).length], [4, 3]);
});

test("the key of a hint works wherever the focus is, but in fields and beside an open menu", () => {
  let [listen, open, hints] = [(_: object): void => undefined, false, 0];
  const page = document as unknown as { addEventListener: (_: string, listener: typeof listen) => void; querySelector: () => object | null };
  const before = { ...page };
  Object.assign(page, { addEventListener: (_: string, listener: typeof listen) => (listen = listener), querySelector: () => (open ? {} : null) });
  listenToKeys(() => ({ now: VIEW, choosing: started(VIEW), onChoose: () => undefined, onHint: () => (hints += 1) }));
  const press = (more: object = {}, inside = "") => listen({ key: "h", target: { closest: (selector: string) => (inside && selector.includes(inside) ? {} : null) }, preventDefault: () => undefined, ...more });
  for (const inside of ["", "hand", "papers"]) press({}, inside);
  assert.equal(hints, 3);
  press({}, "input");
  press({ ctrlKey: true });
  open = true;
  press();
  assert.equal(hints, 3);
  Object.assign(page, before);
});

test("a socket that is closed at once is not opened", async () => {
  const sockets = [new LocalSocket("a"), new LocalSocket("b")];
  sockets[0].close();
  await Promise.resolve();
  assert.deepEqual([posted.map(({ type }) => type), sockets.map(({ readyState }) => readyState)], [["open"], [3, 1]]);
});

// ------------------------------------------------------------------------------------------------------------------ form

test("rules begin with the defaults and the preset of their number of players", () => {
  const preset = { rules: { 3: { target: 50 }, 4: {} } } as unknown as OfferedPreset;
  const choices = { defaults: { 3: { players: 3, target: 100, decks: 1 }, 4: { players: 4, target: 100, decks: 1 } } } as unknown as Choices;
  assert.deepEqual(rulesOf(choices, preset, 3, { decks: 2 }), { heartsrules: 1, kind: "rules", players: 3, target: 50, decks: 2 });
  assert.deepEqual(rulesOf(choices, preset, 4), { heartsrules: 1, kind: "rules", players: 4, target: 100, decks: 1 });
});

test("a new value is one that its schema allows", () => {
  assert.equal(initial({ type: "integer", minimum: 3 }), 3);
  assert.equal(initial({ anyOf: [{ enum: [null] }, { type: "integer" }] }), null);
  assert.deepEqual(initial({ type: "object", properties: { card: { type: "string" }, on: { type: "boolean" } } }), { card: "", on: false });
  assert.deepEqual(initial({ type: "array", items: { type: "integer" }, minItems: 2, maxItems: 2 }), [1, 1]);
});

test("a pass begins with none, and a list of transfers with one to the left", () => {
  const { anyOf } = passSchema(5).items ?? {};
  assert.deepEqual(anyOf?.[0].enum, [[], [[1, 1], [2, 1], [-2, 1], [-1, 1]]]);
  assert.deepEqual(anyOf?.map(initial), [[], [[1, 1]]]);
});

// --------------------------------------------------------------------------------------------------------------- storage

test("values that this page has not stored blank nothing", () => {
  for (const bad of ["x", "null", "7", '"a"', "[null]", "[{}]", '{"count": "x"}', '[{"drill": 1}]']) {
    for (const name of ["tables", "drills en", "tally-drills"]) set(name, bad);
    assert.deepEqual([tables(), ownDrills("en"), tally("drills")], [[], [], { count: 0, good: 0 }], bad);
    rememberTable("t", ["Bob"], false);
    assert.deepEqual(tables().map(({ id }) => id), ["t"]);
  }
});

test("the key of a seat is forgotten with its table", () => {
  for (let table = 0; table < 14; table += 1) {
    storeKeys(`t${table}`, ["key"]);
    rememberTable(`t${table}`, [], false);
  }
  assert.equal(tables().length, 12);
  assert.deepEqual(Array.from({ length: 14 }, (_, table) => keysOf(`t${table}`)).flat().length, 12);
});

const DRILL = { theme: "queen", seat: 0, names: ["Ann", "Bob"], teams: [], rows: [], choices: [], view: VIEW.view, facts: FACTS, choice: VIEW.choice } as unknown as Drill;

test("a drill of one's own game is kept once, in its language", () => {
  keepDrill(DRILL, "en");
  keepDrill(DRILL, "en");
  assert.deepEqual([ownDrills("en").length, ownDrills("de").length], [1, 0]);
});

// ----------------------------------------------------------------------------------------------------- reviews and drills

/** A browser's history. */
class Entries {
  states: unknown[] = [null];
  at = 0;
  get state(): unknown {
    return this.states[this.at];
  }
  pushState(state: unknown): void {
    this.states = [...this.states.slice(0, ++this.at), state];
  }
  go(by: number): void {
    this.at += by;
  }
}

test("after a reload one press leads back to the table", () => {
  const entries = new Entries();
  const before = new Steps(entries);
  before.enter(1);
  before.enter(2);
  entries.states[entries.at] = null; // as a session does when it begins
  const steps = new Steps(entries);
  assert.equal(steps.depth, 0, "nothing is open");
  steps.enter(1);
  assert.equal(steps.depth, 1);
  steps.enter(0);
  assert.equal(steps.depth, 0);
});

const decision = (id: number, ply: number) => ({ type: "decision", id, decision: { ply, deal: 0, trick: 1, quality: "best", cost: { points: { mean: ply } } } }) as unknown as DecisionMessage;
const told = (review: ReviewPage) => (review as unknown as { selected: number; decisions: DecisionMessage[] });

test("a review keeps its selection and its moves when the connection breaks", () => {
  const state = after(WELCOME, TABLE, { type: "sheet", zero: 0, start: [0, 0, 0, 0], rows: [{ points: [], totals: [], shooter: null }], statistics: [] }, VIEW);
  const asked: object[] = [];
  const session = { state, connection: { request: (request: object) => asked.push(request) } };
  const review = new ReviewPage(session as never, { depth: 1 } as never);
  review.follow();
  for (const ply of [5, 9]) review.receive(decision(1, ply));
  (review as unknown as { select(ply: number): void }).select(9);
  review.want();
  assert.deepEqual(asked, [{ type: "review", deals: [0] }, { type: "review", deals: [0] }]);
  assert.deepEqual([told(review).selected, told(review).decisions.length], [9, 2]);
  review.receive(decision(2, 5));
  assert.deepEqual(told(review).decisions.map((each) => each.decision.ply), [5, 9]);
  review.receive({ type: "reviewed", id: 2, done: [0], accuracy: 1, counts: {}, win: 0.5, luck: null, turns: [] } as unknown as Message);
  review.want();
  assert.equal(asked.length, 2, "what is known is not asked for again");
  review.close();
});

test("the answer to an earlier question for a drill comes too late", async () => {
  const answers: ((drill: Drill) => void)[] = [];
  const drills = new Drills(() => new Promise((done) => answers.push(done)), () => null);
  void drills.ask();
  answers[1]({ ...DRILL, theme: "second" } as never);
  await Promise.resolve();
  answers[0]({ ...DRILL, theme: "first" } as never);
  await new Promise((done) => setImmediate(done));
  assert.equal((drills as unknown as { drill: { theme: string } }).drill.theme, "second");
  drills.close();
});

test("what is drawn is drawn once, and each of what is left can be the next", () => {
  assert.deepEqual([0, 0.5, 0.99].map((random) => drawn(["a", "b", "c"], () => random)), ["a", "b", "c"]);
  const left = [...Array(30).keys()];
  const all = Array.from({ length: 31 }, () => drawn(left));
  assert.deepEqual(all.slice(0, 30).sort((a, b) => Number(a) - Number(b)), [...Array(30).keys()]);
  assert.equal(all[30], undefined);
});
