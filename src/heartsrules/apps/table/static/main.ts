/** The page: the first page, the invitation to a table, and the table. `#t/TABLE` is an invitation, `#drills` asks drills. */

import { post, prepare, problemList } from "./api.ts";
import { el, type Child } from "./dom.ts";
import { choices } from "./games.ts";
import { guardMenus } from "./menus.ts";
import { action, arriveAtHeading, guardFocus, redraw, redrawNow, setSettings, show, shown } from "./page.ts";
import type { Session } from "./session.ts";
import { settings } from "./settings.ts";
import { StartPage } from "./start.ts";
import { applyPreferences, forgetTable, formerKey, get, onPreference, seatKey, set } from "./storage.ts";
import type { OpenedTable, Refusal, TakenSeat } from "./types.ts";
import { say, speak } from "./words.ts";

const byId = (id: string) => document.getElementById(id) as HTMLElement;
/** When the table is loaded, which is most often wanted next, in milliseconds. */
const IDLE = 1500;
/** The parts of the page that the first one does without. */
const parts = { table: () => import("./table.ts"), drills: () => import("./drills.ts") };

/** A page without a life of its own: a heading, what is said, and ways to go on. */
function panel(heading: string, told: () => Child, ways: () => Child, role: string | null = "alert"): void {
  const view = () => el("div", { class: "panel", role },
    el("h2", { tabindex: -1, "data-focus": "" }, heading), told(), el("p", { class: "buttons" }, ways()));
  show({ view });
  arriveAtHeading();
}

const button = (words: string, onclick: (event: Event) => void, kind: string | null = "primary") =>
  el("button", { class: kind, onclick }, say(words));
const elsewhere = () => el("a", { class: "button", href: "#" }, say("gone.other"));

/** Show why the server has refused what a page needs, with a button to try again. */
function stuck(refusal: Refusal, retry: () => void): void {
  panel(say("stuck.title"), () => problemList(refusal), () => button("stuck.again", retry));
}

async function route(): Promise<void> {
  shown()?.close?.();
  const { hash } = location;
  const left = () => location.hash !== hash; // another address was followed meanwhile
  const answer = await choices();
  if (left()) return;
  if (!answer.ok) {
    stuck(answer.body, route);
    return;
  }
  const { position, seat } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  const [, table, token] = /^#t\/([\w-]+)(?:\/([\w-]+))?$/.exec(hash) ?? [];
  if (hash === "#drills") {
    const { drillPage } = await parts.drills();
    if (!left()) show(drillPage((refusal) => stuck(refusal, route)));
  } else if (position !== undefined) void playOn(position, seat);
  else if (!table) {
    show(new StartPage(answer.body, (made) => left() || opened(made)));
    setTimeout(() => void parts.table(), IDLE);
  } else {
    const own = get(seatKey(table));
    // The key does not stay in the URL, where others could read it.
    if (token) history.replaceState(null, "", `#t/${table}`);
    if (token && own && token !== own) choose(table, own, token);
    else if (token || own) void sit(table, token ?? own);
    else void invite(table);
  }
}

/** Go to a table that was opened. */
function opened({ table, token }: OpenedTable): void {
  if (token) {
    set(seatKey(table), token);
    location.hash = `#t/${table}`;
    return;
  }
  // The host who watches is not asked to take a seat: a change of the hash would show the invitation.
  history.pushState(null, "", `#t/${table}`);
  void sit(table, null);
}

/** Open a table at which a position is played on against bots: `#position=POSITION&seat=SEAT`. */
async function playOn(position: string, seat?: string): Promise<void> {
  const { hash } = location;
  const wish = { position, seat: seat === undefined ? null : Number(seat), name: get("name") || say("start.guest") };
  const answer = await post<OpenedTable>("/api/positions", wish);
  if (location.hash !== hash) return; // another address was followed meanwhile
  if (!answer.ok) {
    stuck(answer.body, route);
    return;
  }
  const { table, token } = answer.body;
  history.replaceState(null, "", `#t/${table}`);
  void sit(table, token);
}

/** Ask which seat is meant: a link has the key of a seat, but this browser has another one of the same table. */
function choose(table: string, own: string, token: string): void {
  const other = () => {
    set(formerKey(table), own);
    void sit(table, token);
  };
  const ways = () => [button("key.keep", () => sit(table, own)), button("key.other", other, null)];
  panel(say("key.title"), () => el("p", {}, say("key.explained")), ways, null);
}

async function invite(table: string): Promise<void> {
  const { InvitationForm, invitationTo } = await parts.table();
  const answer = await invitationTo(table);
  if (location.hash !== `#t/${table}`) return; // another address was followed meanwhile
  // A table that is not there, or cannot go on, says so itself. Any other refusal may be over soon.
  if (answer.status === 404 || answer.status === 409) void sit(table, null);
  else if (!answer.ok) stuck(answer.body, () => void invite(table));
  else {
    const props = { table, given: answer.body, onSit: (token: string | null) => void sit(table, token) };
    show({ view: () => el(InvitationForm, props) });
    arriveAtHeading();
  }
}

/** Connect to a table, unless another address was followed meanwhile; the key is stored. */
async function sit(table: string, token: string | null): Promise<void> {
  if (token) set(seatKey(table), token);
  const { TablePage } = await parts.table();
  if (location.hash !== `#t/${table}`) return;
  const follow = (next: string, given: string | null) => {
    if (given) set(seatKey(next), given);
    if (location.hash === `#t/${next}`) void route();
    else location.hash = `#t/${next}`;
  };
  const leads = { refused: (refusal: Refusal, session: Session) => refused(table, token, refusal, session), follow, outdated };
  show(new TablePage(table, token, byId("connection"), leads));
}

/** Show why a table cannot be entered, or not any more, and what can be done. */
function refused(table: string, token: string | null, refusal: Refusal, { state }: Session): void {
  const { code } = refusal;
  const told = () => problemList({ ...refusal, problems: [] });
  const watch = () => button("invite.watch", () => sit(table, null), null);
  const earlier = get(formerKey(table));
  if (code === "asleep") panel(say("gone.asleep"), told, () => [button("gone.wake", () => sit(table, token)), elsewhere()]);
  else if (code === "cannot-resume") panel(say("gone.broken"), told, elsewhere);
  else if (code === "seat-lost" && state.leaving && !earlier) {
    set(seatKey(table), null);
    forgetTable(table);
    leftSeat(table, state.table?.seat ?? state.table?.waits_for ?? 0, state.table?.started ?? false, token);
  } else {
    const there = code !== "no-such-table";
    const back = earlier && earlier !== token && there ? earlier : null;
    set(formerKey(table), null);
    if (back || get(seatKey(table)) === token) set(seatKey(table), back);
    if (!back) forgetTable(table);
    const ways = () => [back && button("gone.back", () => sit(table, back)), there && watch(), elsewhere()];
    panel(say(code === "seat-lost" ? "gone.seat" : "gone.title"), told, ways);
  }
}

/** Show that a seat was left, and the way back to it. */
function leftSeat(table: string, seat: number, started: boolean, token: string | null): void {
  let refusal: Refusal | null = null;
  const again = async () => {
    const wish = { name: get("name") || say("start.guest"), ...(started ? { seat, token: token ?? "" } : {}) };
    const answer = await post<TakenSeat>(`/api/tables/${table}/seats`, wish);
    if (answer.ok) void sit(table, answer.body.token);
    else refusal = answer.body;
    redraw();
  };
  const told = () => [el("p", {}, say("left.told", { started })), el("div", { role: "alert" }, problemList(refusal))];
  const ways = () => [
    button("left.again", (event) => action(event, again)), button("invite.watch", () => sit(table, null), null), elsewhere(),
  ];
  panel(say("left.title"), told, ways, null);
}

/** Say that the page is older than the server, unless it has the same version. */
function outdated(version: string): void {
  if (version && version === document.querySelector<HTMLMetaElement>("meta[name=hearts-version]")?.content) return;
  const bar = byId("outdated");
  const [told, button] = [...bar.children] as HTMLElement[];
  told.textContent = say("outdated.told");
  button.textContent = say("outdated.reload");
  button.onclick = () => location.reload();
  bar.hidden = false;
}

/** Change the language of the page; what was typed and chosen stays. */
async function translate(tag: string): Promise<void> {
  await speak(tag);
  shown()?.translate?.();
  redrawNow();
  // Whoever has chosen a language goes on where they were.
  byId("language").focus({ preventScroll: true });
}

async function begin(): Promise<void> {
  try {
    await speak();
  } catch {
    // Without words, all that can be said stands in the page itself.
    byId("failed").hidden = false;
    return;
  }
  applyPreferences();
  await prepare(() => outdated(""));
  guardFocus(byId("main"));
  guardMenus();
  setSettings(() => settings(translate));
  onPreference(redraw);
  addEventListener("hashchange", route);
  // The parts of an older version are not there any more.
  addEventListener("unhandledrejection", (event) => {
    if (!(event.reason instanceof TypeError) || !/import/i.test(event.reason.message)) return;
    event.preventDefault();
    outdated("");
  });
  await route();
}

void begin();
