/** The page: the form that opens a table, the form that joins one, and the table. `#t/TABLE` is an invitation. */

import { el } from "./dom.js";
import { lobby } from "./lobby.js";
import { TableView } from "./table.js";
import { post, problemList } from "./api.js";
import { guardFocus } from "./focus.js";
import { forgetTable, keep, kept } from "./memory.js";
import { settings } from "./settings.js";

const main = document.getElementById("main");
const connection = document.getElementById("connection");
/** @type {TableView | null} */
let current = null;

/** Where the token of a seat is kept. */
const key = (table) => `hearts-seat ${table}`;

/** Show what the address says. */
function route() {
  current?.close();
  current = null;
  connection.textContent = "";
  const [, table, token] = /^#t\/([\w-]+)(?:\/([\w-]+))?$/.exec(location.hash) ?? [];
  if (!table) {
    lobby(main, ({ table: opened, token: given }) => {
      if (given) localStorage.setItem(key(opened), given);
      if (given) {
        location.hash = `#t/${opened}`;
        return;
      }
      // A host who watches has chosen so already. If the hash were set, the page would ask again by the invitation.
      history.pushState(null, "", `#t/${opened}`);
      sit(opened, null);
    });
    return;
  }
  if (token) {
    // The token does not stay in the address, where others could read it.
    localStorage.setItem(key(table), token);
    history.replaceState(null, "", `#t/${table}`);
  }
  const kept = localStorage.getItem(key(table));
  if (kept) sit(table, kept);
  else invite(table);
}

/** The form that takes a seat or watches. */
function invite(table) {
  const problems = el("div", { role: "alert" });
  const name = /** @type {HTMLInputElement} */ (
    el("input", { id: "name", required: true, value: kept("name"), autocomplete: "nickname" })
  );
  const join = async (event) => {
    event.preventDefault();
    const answer = await post(`/api/tables/${table}/seats`, { name: name.value });
    if (answer.ok) {
      keep("name", name.value);
      localStorage.setItem(key(table), answer.body.token);
      sit(table, answer.body.token);
    } else {
      problems.replaceChildren(problemList(answer.body));
    }
  };
  main.replaceChildren(
    el(
      "form",
      { class: "panel", onsubmit: join, "aria-labelledby": "join-title" },
      el("h2", { id: "join-title" }, "You are invited to a table"),
      problems,
      el("label", { for: "name" }, "Your name"),
      name,
      el("p", { class: "buttons" }, el("button", { class: "primary" }, "Take a seat"), el("button", { type: "button", onclick: () => sit(table, null) }, "Watch")),
    ),
  );
}

/** Connect to a table. */
function sit(table, token) {
  current?.close();
  current = new TableView(main, connection, table, token, (refusal) => {
    const gone = refusal.code !== "cannot-resume";
    if (gone) {
      localStorage.removeItem(key(table));
      forgetTable(table);
    }
    const heading = gone ? "This table, or your seat at it, is not there." : "This table cannot go on.";
    main.replaceChildren(
      el("div", { class: "panel", role: "alert" }, el("h2", {}, heading), problemList({ ...refusal, problems: [] }), el("p", {}, el("a", { href: "#" }, "Open another table"))),
    );
  }, (next, given) => {
    if (given) localStorage.setItem(key(next), given);
    location.hash = `#t/${next}`;
  });
}

guardFocus(main);
settings(document.getElementById("settings"));
window.addEventListener("hashchange", route);
route();
