/** The state of a table on this page, and how messages and actions change it. */

import { NOTHING, answered, started, type Choosing } from "./choosing.ts";
import { noteSentence, sentence } from "./narrate.ts";
import { trickKey, type Position, type Who } from "./position.ts";
import type { HintMessage, LogEntry, Message, RefusedMessage, Seat, SheetMessage, TableMessage, Viewed, Welcome } from "./types.ts";
import { isolated, say } from "./words.ts";

const LOGGED = 60;

/** A line of the log, by its number, for `pictured`. */
export interface Line {
  at: number;
  text: string;
}

export interface State {
  /** What stays the same; null until it has come, as the next two. */
  welcome: Welcome | null;
  table: TableMessage | null;
  now: Viewed | null;
  sheet: SheetMessage | null;
  /** The hint for the current question. */
  hint: HintMessage | null;
  /** Whether a hint is pending. */
  waits: boolean;
  choosing: Choosing;
  log: readonly Line[];
  /** Whether the log was replaced, and is not to be read aloud. */
  replaced: boolean;
  /** What somebody is told for a moment, and the ply then. */
  notice: string;
  toldAt: number;
  /** Why a card that somebody looks at is dimmed. */
  why: string;
  /** Whether a deal has just ended, and its last trick is still shown. */
  looking: boolean;
  /** Whether the last trick is shown again. */
  again: boolean;
  gone: string;
  connected: boolean;
  /** Whether the connection was lost since the last view. */
  lost: boolean;
  /** Whether this page has asked for another match, or to leave its seat. */
  leads: boolean;
  leaving: boolean;
  link: string;
}

export const BEGINNING: State = {
  welcome: null, table: null, now: null, sheet: null, hint: null, waits: false, choosing: NOTHING, log: [], replaced: false, notice: "", toldAt: -1, why: "",
  looking: false, again: false, gone: "", connected: false, lost: false, leads: false, leaving: false, link: "",
};

export type Action =
  | Message
  | { type: "status"; connected: boolean }
  | { type: "notice"; text: string }
  | { type: "why"; text: string }
  | { type: "chosen"; choosing: Choosing }
  | { type: "restart" }
  | { type: "hint-asked" }
  | { type: "look"; shown: boolean }
  | { type: "looked" }
  | { type: "collected"; trick: string }
  | { type: "asked"; what: string }
  | { type: "link"; link: string };

/** A state whose table and view are there. */
export type Ready = State & { welcome: Welcome; table: TableMessage; now: Viewed };
export const ready = (state: State): state is Ready => state.welcome !== null && state.table !== null && state.now !== null;

/** The position of a table. */
export function positionAt(state: Ready): Position {
  const { welcome, table, now, sheet, hint, looking, gone } = state;
  return { table: { people: table.people, seat: table.seat, teams: welcome.teams, hints: welcome.hints }, now, rows: sheet?.rows ?? [], hint, looking, gone };
}

/** The state after a message of the server, or an action of the page. */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "welcome":
      return { ...state, welcome: action };
    case "table":
      return { ...state, table: action };
    case "sheet":
      return { ...state, sheet: action };
    case "view":
      return viewed(state, action as Viewed);
    case "log":
      return { ...logged({ ...state, log: [] }, action.entries, state.log.at(-1)?.at), replaced: true };
    case "note":
      return logged(state, [{ deal: 0, events: [], note: action.note }]);
    case "options":
      return { ...state, choosing: answered(state.choosing, action.options, action.id) };
    case "hint":
      return { ...state, hint: open(state.now, action), waits: false };
    case "refused":
      return refused(state, action);
    case "status":
      return { ...state, connected: action.connected, lost: state.lost || !action.connected };
    case "notice":
      return { ...state, notice: action.text, toldAt: state.now?.ply ?? -1, why: "" };
    case "why":
      return { ...state, why: action.text, notice: action.text ? "" : state.notice };
    case "chosen":
      return { ...state, choosing: action.choosing };
    case "restart":
      return state.now ? { ...state, choosing: started(state.now) } : state;
    case "hint-asked":
      return { ...state, waits: true, hint: null, notice: "" };
    case "look":
      return { ...state, again: action.shown, notice: action.shown ? "" : state.notice };
    case "looked":
      return { ...state, looking: false };
    case "collected":
      return { ...state, gone: action.trick };
    case "asked":
      return { ...state, leads: state.leads || action.what === "again", leaving: state.leaving || action.what === "leave" };
    case "link":
      return { ...state, link: action.link };
    default:
      return state;
  }
}

/** A hint while its question is open, or null. */
const open = (now: Viewed | null, hint: HintMessage | null): HintMessage | null => hint && now?.choice.mine && now.since <= hint.ply && hint.ply <= now.ply ? hint : null;

const CHOOSING = ["passing", "dealing-back", "exposing"];

function viewed(state: State, now: Viewed): State {
  const before = state.now;
  const same = before?.view.phase === now.view.phase && before.view.deal_number === now.view.deal_number;
  const exposed = now.events.some((event) => event.code === "cards-exposed" && event.seat === state.table?.seat);
  const fresh = !same || exposed || !CHOOSING.includes(now.view.phase);
  // What somebody was told stays while others move, until the connection is lost.
  const silent = state.lost || !now.choice.mine || now.since > state.toldAt;
  const ended = now.facts.scored && !before?.facts.scored;
  const shown: State = {
    ...state,
    now,
    choosing: fresh ? started(now) : state.choosing,
    hint: open(now, state.hint),
    waits: false,
    lost: false,
    again: false,
    looking: ended ? before !== null && (state.table?.look ?? 0) > 0 : now.facts.scored && state.looking,
    notice: silent ? "" : state.notice,
    why: "",
    gone: trickKey({ now }) === state.gone ? state.gone : "",
  };
  return logged(shown, [{ deal: state.sheet?.rows.length ?? 0, events: now.events, note: null }]);
}

function refused(state: State, { id }: RefusedMessage): State {
  // A refusal without a number is of a message that was not even read.
  return { ...state, choosing: answered(state.choosing, null, id), leads: false, hint: open(state.now, state.hint), waits: false };
}

/** The state with more lines in its log, which are numbered from the last one. */
function logged(state: State, entries: readonly LogEntry[], last = state.log.at(-1)?.at ?? 0): State {
  const more = lines(state, entries).map((text, at) => ({ at: last + 1 + at, text }));
  return more.length ? { ...state, log: [...state.log, ...more].slice(-LOGGED), replaced: false } : state;
}

/** The lines of a log for `pictured`, in which everybody has the name of that time. */
export function lines({ table, sheet }: Pick<State, "table" | "sheet">, entries: readonly LogEntry[]): string[] {
  if (!table) return [];
  const own = table.seat === null ? null : table.people[table.seat].name;
  const names = table.people.map((person, seat) => person.name || say("seat.number", { number: seat + 1 }));
  const found: string[] = [];
  // The names of now are known: go back from there.
  for (const { deal, events, note } of entries.toReversed()) {
    const who = (seat: Seat | null): Who => {
      const you = seat !== null && seat === table.seat && names[seat] === own;
      return { name: seat === null ? "" : you ? say("you") : isolated(names[seat]), you };
    };
    if (note) found.push(noteSentence(note, who));
    else for (const event of events.toReversed()) found.push(sentence(event, who, sheet?.rows[Math.min(deal, sheet.rows.length - 1)]?.points ?? []));
    if (note && ["seat-taken", "seat-left", "seat-returned"].includes(note.code)) names[note.seat] = note.before;
  }
  return found.toReversed();
}
