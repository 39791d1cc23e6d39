/** The state of a table on this page, and what each message changes in it. */

import { NOTHING, started } from "./choosing.ts";
import { lines } from "./narrate.ts";
import { trickKey, type Position } from "./position.ts";
import type { HintMessage, LogEntry, Message, SheetMessage, TableMessage, Viewed, Welcome } from "./types.ts";

const LOGGED = 60;

/** A line of the log, by its number, for `pictured`. */
export interface Line {
  at: number;
  text: string;
}

export const BEGINNING = {
  /** What stays the same; null until it has come, as the next three. */
  welcome: null as Welcome | null,
  table: null as TableMessage | null,
  now: null as Viewed | null,
  sheet: null as SheetMessage | null,
  /** The hint for the current question, and whether it is pending. */
  hint: null as HintMessage | null,
  waits: false,
  choosing: NOTHING,
  /** The log, and whether it was replaced, and is not to be read aloud. */
  log: [] as readonly Line[],
  replaced: false,
  /** What somebody is told for a moment, and the ply then. */
  notice: "",
  toldAt: -1,
  /** Why a card that somebody looks at is dimmed. */
  why: "",
  /** Whether a deal has just ended, and its last trick is still shown. */
  looking: false,
  /** Whether the last trick is shown again. */
  again: false,
  /** The trick whose cards have been moved to its winner. */
  gone: "",
  /** Whether the connection was lost since the last view. */
  lost: false,
  /** Whether this page has asked for another match, or to leave its seat. */
  leads: false,
  leaving: false,
};
export type State = typeof BEGINNING;
export type Ready = State & { welcome: Welcome; table: TableMessage; now: Viewed };
export const ready = (state: State): state is Ready => Boolean(state.welcome && state.table && state.now);

export function positionAt({ welcome: { teams, hints }, table: { people, seat }, sheet, ...state }: Ready): Position {
  return { ...state, table: { people, seat, teams, hints }, rows: sheet?.rows ?? [] };
}

/** What a message changes in a state. */
export function changes(state: State, message: Message): Partial<State> {
  switch (message.type) {
    case "welcome":
    case "table":
    case "sheet":
      return { [message.type]: message };
    case "view":
      return viewed(message as Viewed, state);
    case "log":
      return { log: [], ...logged({ ...state, log: [] }, message.entries, state.log.at(-1)?.at), replaced: true };
    case "note":
      return logged(state, [{ deal: 0, events: [], note: message.note }]);
    case "hint":
      return { hint: open(state.now, message), waits: false };
    case "refused":
      return { leads: false, waits: false };
    default:
      return {};
  }
}

/** A hint while its question is open, or null. */
const open = (now: Viewed | null, hint: HintMessage | null): HintMessage | null =>
  hint && now?.choice.mine && now.since <= hint.ply && hint.ply <= now.ply ? hint : null;

const CHOOSING = ["passing", "dealing-back", "exposing"];

function viewed(now: Viewed, state: State): Partial<State> {
  const before = state.now;
  const same = before?.view.phase === now.view.phase && before.view.deal_number === now.view.deal_number;
  const exposed = now.events.some((event) => event.code === "cards-exposed" && event.seat === state.table?.seat);
  // What somebody was told stays while others move, until the connection is lost.
  const silent = state.lost || !now.choice.mine || now.since > state.toldAt;
  const ended = now.facts.scored && !before?.facts.scored;
  return {
    now,
    choosing: same && !exposed && CHOOSING.includes(now.view.phase) ? state.choosing : started(now),
    hint: open(now, state.hint),
    waits: false,
    lost: false,
    again: false,
    looking: ended ? before !== null && (state.table?.look ?? 0) > 0 : now.facts.scored && state.looking,
    notice: silent ? "" : state.notice,
    why: "",
    gone: trickKey({ now }) === state.gone ? state.gone : "",
    ...logged(state, [{ deal: state.sheet?.rows.length ?? 0, events: now.events, note: null }]),
  };
}

/** More lines for a log, which are numbered from the last one. */
function logged(state: State, entries: readonly LogEntry[], last = state.log.at(-1)?.at ?? 0): Partial<State> {
  const more = lines(state, entries).map((text, at) => ({ at: last + 1 + at, text }));
  return more.length ? { log: [...state.log, ...more].slice(-LOGGED), replaced: false } : {};
}
