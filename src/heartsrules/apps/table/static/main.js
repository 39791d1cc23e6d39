/** The page: the first page, the invitation to a table, and the table. `#t/TABLE` is an invitation, `#drills` asks drills. */

import { nearShown } from "./actions.js";
import { el } from "./dom.js";
import { TableView } from "./table.js";
import { get, post, problemList } from "./api.js";
import { ruleSentences } from "./cards.js";
import { choices } from "./choices.js";
import { drillPage } from "./drills.js";
import { arrive, guardFocus } from "./focus.js";
import { carried, carry, forget, forgetTable, keep, kept } from "./memory.js";
import { settings } from "./settings.js";
import { startPage } from "./start.js";
import { gameTold } from "./vocabulary.js";
import { isolated, language, say } from "./words.js";

const main = document.getElementById("main");
const connection = document.getElementById("connection");
/** @type {TableView | import("./drills.js").Drills | null} */
let current = null;

/** Storage keys of the key of a seat, and of the one before it. */
const key = (table) => `seat ${table}`;
const before = (table) => `seat-before ${table}`;

/** Show the page of the current URL. */
async function route() {
  current?.close();
  current = null;
  connection.textContent = "";
  const { hash } = location;
  const { ok, body } = await choices();
  if (location.hash !== hash) return; // another address was followed meanwhile
  if (!ok) {
    stuck(body, route);
    return;
  }
  if (hash === "#drills") {
    current = drillPage(main);
    return;
  }
  const { position, seat } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  if (position !== undefined) {
    playOn(position, seat ?? null);
    return;
  }
  const [, table, token] = /^#t\/([\w-]+)(?:\/([\w-]+))?$/.exec(location.hash) ?? [];
  if (!table) {
    startPage(main, body, ({ table: opened, token: given }) => {
      if (given) {
        keep(key(opened), given);
        location.hash = `#t/${opened}`;
        return;
      }
      // A host who watches has chosen so already. If the hash were set, the page would ask again by the invitation.
      history.pushState(null, "", `#t/${opened}`);
      sit(opened, null);
    });
    return;
  }
  const own = kept(key(table));
  // The key does not stay in the URL, where others could read it.
  if (token) history.replaceState(null, "", `#t/${table}`);
  if (token && own && token !== own) choose(table, own, token);
  else if (token || own) {
    if (token) keep(key(table), token);
    sit(table, token ?? own);
  } else invite(table);
}

/**
 * Open a table at which a position is played on against bots: `#position=POSITION&seat=SEAT`.
 * @param {string} position a line of the notation, or a JSON document
 * @param {string | null} seat
 */
async function playOn(position, seat) {
  const hash = location.hash;
  const answer = await post("/api/positions", { position, seat: seat === null ? null : Number(seat), name: kept("name") || say("start.guest") });
  if (location.hash !== hash) return; // another address was followed meanwhile
  if (!answer.ok) {
    stuck(answer.body, route);
    return;
  }
  const { table, token } = answer.body;
  keep(key(table), token);
  history.replaceState(null, "", `#t/${table}`);
  route();
}

/** Ask which seat is meant: a link has the key of a seat, but this browser has another one of the same table. */
function choose(table, own, token) {
  const other = () => {
    keep(before(table), own);
    keep(key(table), token);
    sit(table, token);
  };
  show(
    el("div", { class: "panel" },
      el("h2", { tabindex: -1, "data-focus": true }, say("key.title")),
      el("p", {}, say("key.explained")),
      el("p", { class: "buttons" },
        el("button", { class: "primary", onclick: () => sit(table, own) }, say("key.keep")),
        el("button", { onclick: other }, say("key.other")))),
  );
}

/** Show a page, and focus its heading. */
function show(page) {
  main.replaceChildren(page);
  arrive(page.querySelector("[data-focus]"));
}

/** Show why the server has refused what a page needs, with a button to try again. */
function stuck(refusal, retry) {
  show(
    el("div", { class: "panel", role: "alert" },
      el("h2", { tabindex: -1, "data-focus": true }, say("stuck.title")),
      problemList(refusal),
      el("p", { class: "buttons" }, el("button", { class: "primary", onclick: retry }, say("stuck.again")))),
  );
}

/** Show the invitation: the host, the game, the players, and a form to take a seat or to watch. */
async function invite(table) {
  const { ok, status, body } = await get(`/api/tables/${table}?language=${language}`);
  if (location.hash !== `#t/${table}`) return; // another address was followed meanwhile
  if (!ok) {
    // A table that is not there, or cannot go on, says so itself. Any other refusal may be over soon.
    if (status === 404 || status === 409) sit(table, null);
    else stuck(body, () => invite(table));
    return;
  }
  const { host, people, sentences, started, over, hints, game } = body;
  const problems = el("div", { role: "alert" });
  const typed = carried("invitation") ?? {};
  const name = /** @type {HTMLInputElement} */ (
    el("input", { id: "name", required: true, value: typed.name ?? kept("name"), autocomplete: "nickname" })
  );
  const takeable = people.flatMap((person, seat) => (person.takeable ? [[seat, person.name]] : []));
  const free = people.some((person) => person.kind === "free");
  const may = started ? takeable.length > 0 : free;
  const seat = /** @type {HTMLSelectElement} */ (el("select", { id: "seat" }, takeable.map(([at, called]) => el("option", { value: at, selected: String(at) === typed.seat }, called))));
  const join = async (event) => {
    event.preventDefault();
    const answer = await post(`/api/tables/${table}/seats`, { name: name.value, ...(started ? { seat: Number(seat.value) } : {}) });
    if (answer.ok) {
      keep("name", name.value);
      keep(key(table), answer.body.token);
      sit(table, answer.body.token);
    } else {
      problems.replaceChildren(problemList(answer.body));
    }
  };
  const sits = ({ name: called, kind, here, stand_in: stand }) =>
    el("li", { class: kind === "free" ? "free" : null }, kind === "free" ? say("waiting.free") : el("bdi", {}, called), kind === "person" && !here && ` (${say(stand ? "seat.stand-in" : "seat.away")})`);
  const state = over ? say("invite.over") : started ? say(may ? "invite.take-over" : "invite.started") : say(free ? "invite.free" : "invite.full");
  show(
    el(
      "form",
      { class: "panel", onsubmit: join, "data-typed": true, onspeak: () => carry("invitation", { name: name.value, seat: seat.value }), "aria-labelledby": "join-title" },
      el("h2", { id: "join-title", tabindex: -1, "data-focus": true }, host !== null ? say("invite.title", { name: isolated(host) }) : say(people.every((person) => person.kind === "bot") ? "invite.bots" : "invite.nobody")),
      el("div", { class: "invite" },
        el("div", {},
          game && el("p", { class: "game-told" }, gameTold(game, people.length)),
          el("p", {}, state),
          !over && el("p", { id: "hints" }, say(`hints.${hints}`)),
          problems,
          may && [el("label", { for: "name" }, say("invite.name")), name],
          nearShown(people),
          may && started && [el("label", { for: "seat" }, say("invite.seat")), seat],
          el("p", { class: "buttons" }, may && el("button", { class: "primary" }, say("invite.sit")), el("button", { type: "button", onclick: () => sit(table, null) }, say("invite.watch")))),
        el("div", {}, el("h3", {}, say("invite.people")), el("ol", { class: "sitting" }, people.map(sits)))),
      el("details", { open: matchMedia("(min-width: 45rem)").matches }, el("summary", {}, say("waiting.rules")), el("ul", { class: "sentences" }, ruleSentences(sentences))),
    ),
  );
}

/** Connect to a table. */
function sit(table, token) {
  current?.close();
  current = new TableView(main, connection, table, token, (refusal) => refused(table, token, refusal), (next, given) => {
    if (given) keep(key(next), given);
    if (location.hash === `#t/${next}`) route();
    else location.hash = `#t/${next}`;
  });
}

/** Show why a table cannot be entered, or not any more, and what can be done. */
function refused(table, token, refusal) {
  const { code } = refusal;
  const { leaving, seat, table: known } = /** @type {Partial<TableView>} */ (current ?? {});
  current?.close();
  const panel = (heading, told, ...ways) =>
    show(el("div", { class: "panel", role: "alert" }, el("h2", { tabindex: -1, "data-focus": true }, heading), told, el("p", { class: "buttons" }, ways)));
  const elsewhere = el("a", { class: "button", href: "#" }, say("gone.other"));
  const watch = el("button", { onclick: () => sit(table, null) }, say("invite.watch"));
  const told = problemList({ ...refusal, problems: [] });
  if (code === "asleep") {
    panel(say("gone.asleep"), told, el("button", { class: "primary", onclick: () => sit(table, token) }, say("gone.wake")), elsewhere);
  } else if (code === "seat-lost" && leaving && !kept(before(table))) {
    forget(key(table));
    forgetTable(table);
    left(table, seat ?? known.waits_for, known.started);
  } else if (code === "cannot-resume") {
    panel(say("gone.broken"), told, elsewhere);
  } else {
    const earlier = kept(before(table));
    const back = earlier && earlier !== token;
    forget(before(table));
    if (kept(key(table)) === token) forget(key(table));
    if (code === "no-such-table" || !back) forgetTable(table);
    if (back && code !== "no-such-table") keep(key(table), earlier);
    const own = back && code !== "no-such-table" && el("button", { class: "primary", onclick: () => sit(table, earlier) }, say("gone.back"));
    panel(say(code === "seat-lost" ? "gone.seat" : "gone.title"), told, own || null, code !== "no-such-table" && watch, elsewhere);
  }
}

/** Show that a seat was left, and the way back to it. */
function left(table, seat, started) {
  const problems = el("div", { role: "alert" });
  const again = async () => {
    const answer = await post(`/api/tables/${table}/seats`, { name: kept("name") || say("start.guest"), ...(started ? { seat } : {}) });
    if (answer.ok) {
      keep(key(table), answer.body.token);
      sit(table, answer.body.token);
    } else problems.replaceChildren(problemList(answer.body));
  };
  show(
    el("div", { class: "panel" },
      el("h2", { tabindex: -1, "data-focus": true }, say("left.title")),
      el("p", {}, say("left.told", { started })),
      problems,
      el("p", { class: "buttons" },
        el("button", { class: "primary", onclick: again }, say("left.again")),
        el("button", { onclick: () => sit(table, null) }, say("invite.watch")),
        el("a", { class: "button", href: "#" }, say("gone.other")))),
  );
}

guardFocus(main);
settings(document.getElementById("settings"));
window.addEventListener("hashchange", route);
route();
