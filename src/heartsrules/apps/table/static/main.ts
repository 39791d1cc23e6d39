/** The page: the first page, the invitation to a table, and the table. `#t/TABLE` is an invitation, `#drills` asks drills. */

import { render } from "preact";
import { post, prepare, problemList } from "./api.ts";
import { el, type Child } from "./dom.ts";
import { choices } from "./games.ts";
import { action, arriveAtHeading, byId, guardFocus, outdated, redraw, redrawNow, show, shown } from "./page.ts";
import type { Session } from "./session.ts";
import { settings } from "./settings.ts";
import { Start } from "./start.ts";
import { forgetTable, get, keysOf, storeKeys } from "./storage.ts";
import type { OpenedTable, Refusal, TakenSeat } from "./types.ts";
import { say, speak } from "./words.ts";

/** When the table is loaded, which is most often wanted next, in milliseconds. */
const IDLE = 1500;
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
    const { drillPage } = await import("./drills.ts");
    if (!left()) show(drillPage((refusal) => stuck(refusal, route)));
  } else if (position !== undefined) {
    // `#position=POSITION&seat=SEAT` plays on from there against bots.
    const wish = { position, seat: seat === undefined ? null : Number(seat), name: get("name") || say("start.guest") };
    const made = await post<OpenedTable>("/api/positions", wish);
    if (left()) return;
    if (made.ok) opened(made.body, "replaceState");
    else stuck(made.body, route);
  } else if (!table) {
    const onOpened = (made: OpenedTable) => left() || opened(made);
    show({ view: () => el(Start, { choices: answer.body, onOpened }) });
    setTimeout(() => void import("./table.ts"), IDLE);
  } else {
    const [own] = keysOf(table);
    // The key does not stay in the URL, where others could read it.
    if (token) history.replaceState(null, "", `#t/${table}`);
    if (token && own && token !== own) choose(table, own, token);
    else if (token || own) void sit(table, token || own);
    else void invite(table);
  }
}

/** Go to a table that was opened. A host who watches is not asked to take a seat. */
function opened({ table, token }: OpenedTable, how: "pushState" | "replaceState" = "pushState"): void {
  history[how](null, "", `#t/${table}`);
  void sit(table, token);
}

/** Ask which seat is meant: a link has the key of a seat, but this browser has another one of the same table. */
function choose(table: string, own: string, token: string): void {
  const ways = () => [button("key.keep", () => sit(table, own)), button("key.other", () => sit(table, token), null)];
  panel(say("key.title"), () => el("p", {}, say("key.explained")), ways, null);
}

async function invite(table: string): Promise<void> {
  const { InvitationForm, invitationTo } = await import("./table.ts");
  const answer = await invitationTo(table);
  if (location.hash !== `#t/${table}`) return; // another address was followed meanwhile
  // A table that is not there, or cannot go on, says so itself. Any other refusal may be over soon.
  if (answer.status === 404 || answer.status === 409) void sit(table, null);
  else if (!answer.ok) stuck(answer.body, () => void invite(table));
  else {
    const onSit = (token: string | null) => void sit(table, token);
    let { body: invitation } = answer;
    // The rules come in the language of the page.
    const translate = async () => {
      const again = await invitationTo(table);
      if (again.ok) invitation = again.body;
      redraw();
    };
    show({ view: () => el(InvitationForm, { table, invitation, onSit }), translate });
    arriveAtHeading();
  }
}

/** Connect to a table, unless another address was followed meanwhile; the key is stored. */
async function sit(table: string, token: string | null): Promise<void> {
  if (token) storeKeys(table, [token, ...keysOf(table).filter((key) => key !== token)]);
  const { TablePage } = await import("./table.ts");
  if (location.hash === `#t/${table}`) show(new TablePage(table, token, refused));
}

/** Show why a table cannot be entered, or not any more, and what can be done. */
function refused(session: Session, refusal: Refusal): void {
  const { code } = refusal;
  const { id: table, token, state } = session;
  const told = () => problemList({ ...refusal, problems: [] });
  const watch = () => button("invite.watch", () => sit(table, null), null);
  if (code === "asleep") panel(say("gone.asleep"), told, () => [button("gone.wake", () => sit(table, token)), elsewhere()]);
  else if (code === "cannot-resume") panel(say("gone.broken"), told, elsewhere);
  else {
    const there = code !== "no-such-table";
    const [back] = there ? keysOf(table).filter((key) => key !== token) : [];
    storeKeys(table, back ? [back] : []);
    if (!back) forgetTable(table);
    if (code === "seat-lost" && state.leaving && !back) return leftSeat(session);
    const ways = () => [back && button("gone.back", () => sit(table, back)), there && watch(), elsewhere()];
    panel(say(code === "seat-lost" ? "gone.seat" : "gone.title"), told, ways);
  }
}

/** Show that a seat was left, and the way back to it. */
function leftSeat({ id: table, token, state }: Session): void {
  const { seat = null, waits_for: waits = null, started = false } = state.table ?? {};
  let refusal: Refusal | null = null;
  const again = async () => {
    const wish = { name: get("name") || say("start.guest"), ...(started && { seat: seat ?? waits, token: token ?? "" }) };
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

/** Change the language of the page; what was typed and chosen stays. */
async function translate(tag: string): Promise<void> {
  await speak(tag);
  shown()?.translate?.();
  drawSettings();
  redrawNow();
  // Whoever has chosen a language goes on where they were.
  byId("language").focus({ preventScroll: true });
}

const drawSettings = () => render(settings(translate), byId("settings"));

async function begin(): Promise<void> {
  try {
    await speak();
  } catch {
    // Without words, all that can be said stands in the page itself.
    byId("failed").hidden = false;
    return;
  }
  await prepare();
  guardFocus(byId("main"));
  drawSettings();
  addEventListener("preference", drawSettings);
  addEventListener("preference", redraw);
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
