/** The state of a table on this page, and how messages and actions change it. */

import { NOTHING, answered, started, type Choosing } from "./choosing.ts";
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
  connected: false,
  /** Whether the connection was lost since the last view. */
  lost: false,
  /** Whether this page has asked for another match, or to leave its seat. */
  leads: false,
  leaving: false,
  link: "",
};
export type State = typeof BEGINNING;

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

export type Ready = State & { welcome: Welcome; table: TableMessage; now: Viewed };
export const ready = (state: State): state is Ready => Boolean(state.welcome && state.table && state.now);

export function positionAt({ welcome: { teams, hints }, table: { people, seat }, sheet, ...state }: Ready): Position {
  return { ...state, table: { people, seat, teams, hints }, rows: sheet?.rows ?? [] };
}

/** What a message or an action changes, by its type. */
const CHANGES: { [T in Action["type"]]?: (action: Extract<Action, { type: T }>, state: State) => Partial<State> } = {
  welcome: (welcome) => ({ welcome }),
  table: (table) => ({ table }),
  sheet: (sheet) => ({ sheet }),
  view: (now, state) => viewed(now as Viewed, state),
  log: ({ entries }, state) => ({ ...logged({ ...state, log: [] }, entries, state.log.at(-1)?.at), replaced: true }),
  note: ({ note }, state) => logged(state, [{ deal: 0, events: [], note }]),
  options: ({ options, id }, { choosing }) => ({ choosing: answered(choosing, options, id) }),
  hint: (hint, { now }) => ({ hint: open(now, hint), waits: false }),
  // A refusal without a number is of a message that was not even read.
  refused: ({ id }, { choosing, now, hint }) =>
    ({ choosing: answered(choosing, null, id), leads: false, hint: open(now, hint), waits: false }),
  status: ({ connected }, { lost }) => ({ connected, lost: lost || !connected }),
  notice: ({ text }, { now }) => ({ notice: text, toldAt: now?.ply ?? -1, why: "" }),
  why: ({ text }, { notice }) => ({ why: text, notice: text ? "" : notice }),
  chosen: ({ choosing }) => ({ choosing }),
  restart: (_, { now, choosing }) => ({ choosing: now ? started(now) : choosing }),
  "hint-asked": () => ({ waits: true, hint: null, notice: "" }),
  look: ({ shown }, { notice }) => ({ again: shown, notice: shown ? "" : notice }),
  looked: () => ({ looking: false }),
  collected: ({ trick }) => ({ gone: trick }),
  asked: ({ what }, { leads, leaving }) => ({ leads: leads || what === "again", leaving: leaving || what === "leave" }),
  link: ({ link }) => ({ link }),
};

export const reduce = (state: State, action: Action): State => ({ ...state, ...CHANGES[action.type]?.(action as never, state) });

/** A hint while its question is open, or null. */
const open = (now: Viewed | null, hint: HintMessage | null): HintMessage | null =>
  hint && now?.choice.mine && now.since <= hint.ply && hint.ply <= now.ply ? hint : null;

const CHOOSING = ["passing", "dealing-back", "exposing"];

function viewed(now: Viewed, state: State): State {
  const before = state.now;
  const same = before?.view.phase === now.view.phase && before.view.deal_number === now.view.deal_number;
  const exposed = now.events.some((event) => event.code === "cards-exposed" && event.seat === state.table?.seat);
  // What somebody was told stays while others move, until the connection is lost.
  const silent = state.lost || !now.choice.mine || now.since > state.toldAt;
  const ended = now.facts.scored && !before?.facts.scored;
  const shown: State = {
    ...state,
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
  };
  return logged(shown, [{ deal: state.sheet?.rows.length ?? 0, events: now.events, note: null }]);
}

/** The state with more lines in its log, which are numbered from the last one. */
function logged(state: State, entries: readonly LogEntry[], last = state.log.at(-1)?.at ?? 0): State {
  const more = lines(state, entries).map((text, at) => ({ at: last + 1 + at, text }));
  return more.length ? { ...state, log: [...state.log, ...more].slice(-LOGGED), replaced: false } : state;
}
