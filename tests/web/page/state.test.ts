/** The state of a table: what messages and presses make of it. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { against, answered, started, toggled } from "../choosing.ts";
import { cardInText, cardSign, pictured } from "../cards.ts";
import { lying, told, trickKey } from "../position.ts";
import { positionAt, type Ready } from "../state.ts";
import type { Card, Facts, TableMessage, Viewed } from "../types.ts";
import { say, speak } from "../words.ts";
import { CHOICE, FACTS, PEOPLE, TABLE, VIEW, WELCOME, after, next } from "./samples.ts";

before(() => speak());

const view = (more: Partial<Viewed>): Viewed => ({ ...VIEW, ...more });
const facts = (more: Partial<Facts>) => ({ ...FACTS, ...more });

const trick = (leader: number, cards: Card[], winner: number) =>
  ({ plays: cards.map((card, at) => ({ seat: (leader + at) % 4, card, cancelled: false })), winner, complete: cards.length === 4 });

test("a player who is called JD is no card", () => {
  const table: TableMessage = { ...TABLE, people: [PEOPLE[0], { ...PEOPLE[1], name: "JD" }, ...PEOPLE.slice(2)] };
  const state = after(WELCOME, table, view({ events: [{ code: "card-played", seat: 1, card: "QS" }] }));
  const shown = pictured(state.log[0].text);
  assert.equal(shown[0], "JD: ");
  assert.equal(shown.length, 3, "the card is one");
  assert.equal(told([{ type: "person", seat: 1 }, " led ", { type: "card", card: "JD" }], positionAt(state as Ready)), "JD led ♦J");
});

test("a collected trick does not lie there again after a reconnection", () => {
  const complete = facts({ lying: trick(1, ["2C", "3C", "4C", "5C"], 0) });
  const seen = view({ facts: complete });
  const shown = after(WELCOME, TABLE, seen);
  assert.equal(lying(positionAt(shown as Ready)).size, 4);
  const collected = next(shown, { gone: trickKey(shown as Ready) });
  const again = [{ lost: true }, WELCOME, TABLE, JSON.parse(JSON.stringify(seen))].reduce(next, collected);
  assert.equal(lying(positionAt(again as Ready)).size, 0);
  const later = next(again, view({ facts: facts({ lying: trick(0, ["9H"], 0) }) }));
  assert.deepEqual([...lying(positionAt(later as Ready))], [[0, "9H"]]);
});

test("a hint is kept while its question is open", () => {
  const hint = { type: "hint", id: 1, ply: 4, sentence: ["so"], move: { move: "play", seat: 0, card: "2C" } };
  const asked = after(WELCOME, TABLE, view({}), { waits: true }, hint);
  assert.equal(asked.waits, false);
  assert.ok(asked.hint);
  assert.ok(next(asked, view({ ply: 5 })).hint, "others may move meanwhile");
  assert.equal(next(asked, view({ ply: 9, since: 9 })).hint, null);
});

test("what somebody was told stays while others move, but not over a break", () => {
  const shown = after(WELCOME, TABLE, view({}), { notice: "no", toldAt: 4 });
  assert.equal(next(shown, view({ ply: 5 })).notice, "no");
  assert.equal(next(shown, view({ ply: 8, since: 8 })).notice, "");
  assert.equal(next(next(shown, { lost: true }), view({ ply: 5 })).notice, "");
});

test("the last trick of a deal is looked at before its result", () => {
  const scored = view({ view: { ...VIEW.view, phase: "awaiting-deal" }, facts: facts({ scored: true }) });
  assert.equal(after(WELCOME, { ...TABLE, look: 1 }, view({}), scored).looking, true);
  assert.equal(after(WELCOME, { ...TABLE, look: 1 }, scored).looking, false, "a page that has just come sees the result");
});

test("lines of the log are numbered on, and have the names of their time", () => {
  const note = { code: "seat-taken", seat: 1, name: "Eve", before: "Bruno", why: "open" } as const;
  const played = { deal: 0, events: [{ code: "card-played", seat: 1, card: "2C" }], note: null } as const;
  const table = { ...TABLE, people: [PEOPLE[0], { ...PEOPLE[1], name: "Eve" }, ...PEOPLE.slice(2)] };
  const state = after(WELCOME, table, { type: "log", entries: [played, { deal: 0, events: [], note }, played] });
  assert.deepEqual(state.log.map(({ text }) => text.split(":")[0]), ["Bruno", state.log[1].text.split(":")[0], "Eve"]);
  assert.equal(state.replaced, true);
  assert.deepEqual(next(state, { type: "log", entries: [] }).log, []);
  const more = next(state, { type: "note", note });
  assert.deepEqual([more.replaced, more.log.map(({ at }) => at)], [false, [1, 2, 3, 4]]);
  for (let at = 0; at < 80; at += 1) Object.assign(more, next(more, { type: "note", note }));
  assert.deepEqual([more.log.length, more.log.at(-1)?.at], [60, 84]);
});

test("an event that the page does not know is named in the log", () => {
  const state = after(WELCOME, TABLE, view({ events: [{ code: "cards-stolen" }] as never }));
  assert.ok(state.log[0].text.includes("cards-stolen"));
});

test("a pass is chosen as the server says, and a refusal takes the last choice back", () => {
  const full = { missing: [0], complete: true, reasons: [{ code: "wrong-number-of-cards", kind: "full" as const, sentence: [] }], cards: [{ "4C": [0] }] };
  const empty = { missing: [2], complete: false, reasons: [], cards: [{}] };
  const now = { view: { ...VIEW.view, phase: "passing" as const }, facts: facts({ plan: [[1, 2]] }), choice: { ...CHOICE, options: empty } };
  const none = started(now);
  const one = { ...toggled(none, 0), asked: none.gifts };
  assert.deepEqual(answered(one, null).gifts, [[]]);
  const chosen = answered(one, full);
  assert.deepEqual(chosen.gifts, [[0]]);
  assert.deepEqual(against(now, chosen, "4C", 2).map(({ kind }) => kind), ["full"]);
  assert.deepEqual(against(now, chosen, "4C", 0), [], "a chosen card may be taken back");
  assert.deepEqual(toggled(chosen, 0).gifts, [[]]);
});

test("in German a jack is a Bube, and every rank is drawn", async () => {
  for (const [language, jack] of [["de", "♦B"], ["en", "♦J"]]) {
    await speak(language);
    assert.equal(cardSign("JD"), jack);
    for (const rank of "23456789TJQKA") assert.ok(cardInText(`${rank}H` as Card));
  }
});

test("a key without a text is shown itself", () => {
  assert.equal(say("no.such.key"), "no.such.key");
});
