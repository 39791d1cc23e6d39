/** Messages of a table of four, for the tests of the page's logic; and the parts of a browser that modules look at. */

import { BEGINNING, changes, type State } from "../state.ts";
import type { Facts, Message, Person, Shown, TableMessage, Viewed, Welcome } from "../types.ts";

const stored = new Map<string, string>();
export const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
  removeItem: (name: string) => void stored.delete(name),
  clear: () => stored.clear(),
};
/** What was sent to a worker. */
export const posted: { type: string }[] = [];
const target = { addEventListener: () => undefined, removeEventListener: () => undefined };
const element = { ...target, lang: "", textContent: "", toggleAttribute: () => false, matches: () => false };
const places: Record<string, unknown> = {
  localStorage: storage,
  document: { ...target, documentElement: element, activeElement: null, querySelector: () => null, getElementById: () => element },
  ResizeObserver: class {},
  WebSocket: { CONNECTING: 0, OPEN: 1, CLOSED: 3 },
  Worker: class {
    postMessage(text: string): void {
      posted.push(JSON.parse(text));
    }
  },
};
for (const [name, value] of Object.entries(places)) Object.defineProperty(globalThis, name, { value, configurable: true });
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });

export const PEOPLE: Person[] = ["Ann", "Bruno", "Carla", "Dario"].map((name, seat) => ({ name, kind: seat ? "bot" : "person", here: true, stand_in: false, level: "usual", owner: null, takeable: false, near: [], since: 0 }));
export const WELCOME: Welcome = { type: "welcome", version: "", table: "t", link: "", game: null, teams: [], rules: [], hints: "alone", away: null };
export const TABLE: TableMessage = { type: "table", seat: 0, waits_for: null, started: true, over: false, host: 0, people: PEOPLE, absent: [], newcomers: [], paused: null, reviewing: [], look: 0, next: null };
export const FACTS: Facts = { doing: [null, null, null, null], totals: [0, 0, 0, 0], plan: [], marks: {}, open: [[], [], [], []], hand_sizes: [13, 13, 13, 13], scored: false, lying: null, last: null, kitty: null, taken: [], aside: null, moon: null, standings: [] };
export const CHOICE: Shown["choice"] = { to_act: [0], mine: true, claim: false, settled: false, may_decline: false, undo: false, hint: true, options: null, reasons: [], cards: {} };
export const VIEW: Viewed = { type: "view", ply: 4, since: 4, view: { phase: "playing", deal_number: 0, dealer: 3, hand: "2C 3D" }, facts: FACTS, choice: CHOICE, events: [] };

/** The state of a table after messages, and after what is set by hand. */
export const after = (...each: object[]): State => each.reduce<State>(next, BEGINNING);
export const next = (state: State, change: object): State => ({ ...state, ...("type" in change ? changes(state, change as Message) : change) });
