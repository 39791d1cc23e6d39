/** The table before the game: the players, the plans for vacant seats, and the link of the invitation. */

import { ruleSentences } from "./cards.js";
import { nearShown, newcomersShown } from "./actions.js";
import { el, update } from "./dom.js";
import { levels } from "./choices.js";
import { linkField, onlyHere } from "./link_field.js";
import { gameTold } from "./vocabulary.js";
import { isolated, say } from "./words.js";

/**
 * @param {import("./table.js").TableView} table
 * @param {HTMLElement} place
 */
export function renderWaiting(table, place) {
  const { people, host, rules, hints, game } = table.table;
  const hosts = table.seat !== null && table.seat === host;
  const led = host !== null && people[host].kind === "person";
  const chosen = (person) => (person.kind === "free" ? `friend ${person.level}` : `bot ${person.level}`);
  const plan = (person, seat) => {
    const select = /** @type {HTMLSelectElement} */ (
      el("select", { id: `plan-${seat}`, "aria-label": say("waiting.plan", { number: seat + 1 }), onchange: () => {
        const [kind, level] = select.value.split(" ");
        table.ask({ type: "fill", seat, level, friend: kind === "friend" });
      } },
        levels.map(({ name, title }) => el("option", { value: `friend ${name}`, selected: chosen(person) === `friend ${name}` }, say("waiting.friend", { title }))),
        levels.map(({ name, title }) => el("option", { value: `bot ${name}`, selected: chosen(person) === `bot ${name}` }, say("waiting.bot", { title }))))
    );
    return select;
  };
  const seats = people.map((person, seat) =>
    el("li", { class: person.kind === "free" ? "free" : null },
      el("span", { class: "line" },
        person.kind === "person" ? el("bdi", {}, person.name) : hosts ? plan(person, seat) : person.kind === "free" ? say("waiting.free") : person.name,
        led && seat === host && el("span", { class: "hint" }, say("waiting.is-host")),
        person.kind === "person" && !person.here && el("span", { class: "hint" }, `(${say("seat.away")})`)),
    ));
  const code = `/api/tables/${table.id}/code.svg`;
  const link = table.invitation?.link ?? `${location.origin}/#t/${table.id}`;
  const here = onlyHere(link);
  const inside = place.querySelector(".waiting") ?? place.appendChild(el("div", { class: "waiting" }));
  update(
    inside,
    el("h2", { tabindex: -1, "data-focus": true }, say("waiting.title")),
    game && el("p", { class: "game-told" }, gameTold(game, people.length)),
    el("div", { class: "invite" },
      el("div", {},
        el("ol", { class: "sitting" }, seats),
        ...nearShown(people),
        ...newcomersShown(table),
        hosts
          ? el("p", { class: "buttons" }, el("button", { id: "begin", class: "primary", onclick: () => table.ask({ type: "start" }) }, say("waiting.begin")))
          : el("p", {}, led ? say("waiting.host", { name: isolated(people[host].name) }) : say("waiting.nobody")),
        el("p", { id: "hints" }, say(`hints.${hints}`)),
        table.table.waits_for !== null
          ? null
          : table.seat !== null
          ? el("p", { class: "buttons" }, el("button", { id: "give-up", onclick: () => table.ask({ type: "leave" }) }, say("waiting.leave")))
          : people.some((person) => person.kind === "free") && el("p", { class: "buttons" }, el("button", { id: "sit", class: "primary", onclick: () => table.onFollow(table.id, null) }, say("invite.sit")))),
      el("div", {},
        ...linkField("invitation", say("waiting.link"), link, true),
        here ? el("p", { class: "hint" }, say("waiting.only-here")) : el("p", {}, el("img", { class: "code", src: code, alt: say("waiting.code"), width: 208, height: 208 })))),
    el("details", { id: "told", open: inside.querySelector("#told[open]") !== null }, el("summary", {}, say("waiting.rules")), el("ul", { class: "sentences" }, ruleSentences(rules))),
  );
}
