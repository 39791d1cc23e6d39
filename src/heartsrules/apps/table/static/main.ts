/** The page: the first page, the invitation to a table, and the table. `#t/TABLE` is an invitation, `#drills` asks drills. */

import { post, prepare, problemList } from "./api.ts";
import { choices } from "./choices.ts";
import { el, type Child } from "./dom.ts";
import { arriveAtHeading, guardFocus } from "./focus.ts";
import { guardMenus } from "./menus.ts";
import { action, redraw, redrawNow, setSettings, show, shown, type Page } from "./page.ts";
import { apply, onPreference } from "./preferences.ts";
import type { Session } from "./session.ts";
import { settings } from "./settings.ts";
import { StartPage } from "./start.ts";
import { forgetTable, formerKey, get, seatKey, set } from "./storage.ts";
import type { OpenedTable, Refusal, TakenSeat } from "./types.ts";
import { say, speak } from "./words.ts";

const status = document.getElementById("connection") as HTMLElement;
/** When the table is loaded, which is most often wanted next, in milliseconds. */
const IDLE = 1500;
/** The parts of the page that the first one does without. */
const parts = { table: () => import("./table.ts"), invitation: () => import("./invitation.ts"), drills: () => import("./drills.ts") };

/** A page without a life of its own: a heading, what is said, and ways to go on. */
function panel(heading: string, told: () => Child, ways: () => Child, role: string | null = "alert"): void {
  const view = () => el("div", { class: "panel", role }, el("h2", { tabindex: -1, "data-focus": "" }, heading), told(), el("p", { class: "buttons" }, ways()));
  show<Page>({ view });
  arriveAtHeading();
}

/** Show why the server has refused what a page needs, with a button to try again. */
function stuck(refusal: Refusal, retry: () => void): void {
  panel(say("stuck.title"), () => problemList(refusal), () => el("button", { class: "primary", onclick: retry }, say("stuck.again")));
}

/** Show the page of the current URL. */
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
  if (hash === "#drills") {
    const { drillPage } = await parts.drills();
    if (!left()) show(drillPage((refusal) => stuck(refusal, route)));
    return;
  }
  const { position, seat } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  if (position !== undefined) {
    void playOn(position, seat ?? null);
    return;
  }
  const [, table, token] = /^#t\/([\w-]+)(?:\/([\w-]+))?$/.exec(hash) ?? [];
  if (!table) {
    show(new StartPage(answer.body, (made) => left() || opened(made)));
    setTimeout(() => void parts.table(), IDLE);
    return;
  }
  const own = get(seatKey(table));
  // The key does not stay in the URL, where others could read it.
  if (token) history.replaceState(null, "", `#t/${table}`);
  if (token && own && token !== own) choose(table, own, token);
  else if (token || own) {
    if (token) set(seatKey(table), token);
    void sit(table, token ?? own);
  } else void invite(table);
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
async function playOn(position: string, seat: string | null): Promise<void> {
  const { hash } = location;
  const answer = await post<OpenedTable>("/api/positions", { position, seat: seat === null ? null : Number(seat), name: get("name") || say("start.guest") });
  if (location.hash !== hash) return; // another address was followed meanwhile
  if (!answer.ok) {
    stuck(answer.body, route);
    return;
  }
  const { table, token } = answer.body;
  set(seatKey(table), token);
  history.replaceState(null, "", `#t/${table}`);
  void route();
}

/** Ask which seat is meant: a link has the key of a seat, but this browser has another one of the same table. */
function choose(table: string, own: string, token: string): void {
  const other = () => {
    set(formerKey(table), own);
    set(seatKey(table), token);
    void sit(table, token);
  };
  const ways = () => [el("button", { class: "primary", onclick: () => sit(table, own) }, say("key.keep")), el("button", { onclick: other }, say("key.other"))];
  panel(say("key.title"), () => el("p", {}, say("key.explained")), ways, null);
}

/** Show the invitation. */
async function invite(table: string): Promise<void> {
  // The table is there when somebody goes on to it.
  const [{ InvitationPage, invitationTo }] = await Promise.all([parts.invitation(), parts.table()]);
  const answer = await invitationTo(table);
  if (location.hash !== `#t/${table}`) return; // another address was followed meanwhile
  if (!answer.ok) {
    // A table that is not there, or cannot go on, says so itself. Any other refusal may be over soon.
    if (answer.status === 404 || answer.status === 409) void sit(table, null);
    else stuck(answer.body, () => void invite(table));
    return;
  }
  show(new InvitationPage(table, answer.body, (token) => {
    if (token) set(seatKey(table), token);
    void sit(table, token);
  }));
  arriveAtHeading();
}

/** Connect to a table, unless another address was followed meanwhile. */
async function sit(table: string, token: string | null): Promise<void> {
  const { TablePage } = await parts.table();
  if (location.hash !== `#t/${table}`) return;
  const follow = (next: string, given: string | null) => {
    if (given) set(seatKey(next), given);
    if (location.hash === `#t/${next}`) void route();
    else location.hash = `#t/${next}`;
  };
  show(new TablePage(table, token, status, { refused: (refusal, session) => refused(table, token, refusal, session), follow, outdated }));
}

/** Show why a table cannot be entered, or not any more, and what can be done. */
function refused(table: string, token: string | null, refusal: Refusal, { state }: Session): void {
  const { code } = refusal;
  const told = () => problemList({ ...refusal, problems: [] });
  const elsewhere = () => el("a", { class: "button", href: "#" }, say("gone.other"));
  const watch = () => el("button", { onclick: () => sit(table, null) }, say("invite.watch"));
  const earlier = get(formerKey(table));
  if (code === "asleep") panel(say("gone.asleep"), told, () => [el("button", { class: "primary", onclick: () => sit(table, token) }, say("gone.wake")), elsewhere()]);
  else if (code === "cannot-resume") panel(say("gone.broken"), told, elsewhere);
  else if (code === "seat-lost" && state.leaving && !earlier) {
    set(seatKey(table), null);
    forgetTable(table);
    leftSeat(table, state.table?.seat ?? state.table?.waits_for ?? 0, state.table?.started ?? false, token);
  } else {
    const there = code !== "no-such-table";
    const back = earlier && earlier !== token && there ? earlier : null;
    set(formerKey(table), null);
    if (get(seatKey(table)) === token) set(seatKey(table), null);
    if (back) set(seatKey(table), back);
    else forgetTable(table);
    panel(say(code === "seat-lost" ? "gone.seat" : "gone.title"), told, () => [back && el("button", { class: "primary", onclick: () => sit(table, back) }, say("gone.back")), there && watch(), elsewhere()]);
  }
}

/** Show that a seat was left, and the way back to it. */
function leftSeat(table: string, seat: number, started: boolean, token: string | null): void {
  let refusal: Refusal | null = null;
  const again = async () => {
    const answer = await post<TakenSeat>(`/api/tables/${table}/seats`, { name: get("name") || say("start.guest"), ...(started ? { seat, token: token ?? "" } : {}) });
    if (answer.ok) {
      set(seatKey(table), answer.body.token);
      void sit(table, answer.body.token);
    } else {
      refusal = answer.body;
      redraw();
    }
  };
  panel(say("left.title"), () => [el("p", {}, say("left.told", { started })), el("div", { role: "alert" }, problemList(refusal))], () => [
    el("button", { class: "primary", onclick: (event: Event) => action(event, again) }, say("left.again")),
    el("button", { onclick: () => sit(table, null) }, say("invite.watch")),
    el("a", { class: "button", href: "#" }, say("gone.other")),
  ], null);
}

/** Say that the page is older than the server, unless it has the same version. */
function outdated(version: string): void {
  if (version && version === document.querySelector<HTMLMetaElement>("meta[name=hearts-version]")?.content) return;
  const bar = document.getElementById("outdated") as HTMLElement;
  const [told, button] = [bar.querySelector("span"), bar.querySelector("button")];
  if (told) told.textContent = say("outdated.told");
  if (button) {
    button.textContent = say("outdated.reload");
    button.onclick = () => location.reload();
  }
  bar.hidden = false;
}

/** Change the language of the page; what was typed and chosen stays. */
async function translate(tag: string): Promise<void> {
  await speak(tag);
  shown()?.translate?.();
  redrawNow();
  // Whoever has chosen a language goes on where they were.
  document.getElementById("language")?.focus({ preventScroll: true });
}

async function begin(): Promise<void> {
  try {
    await speak();
  } catch {
    // Without words, all that can be said stands in the page itself.
    (document.getElementById("failed") as HTMLElement).hidden = false;
    return;
  }
  apply();
  await prepare(() => outdated(""));
  guardFocus(document.getElementById("main") as HTMLElement);
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
