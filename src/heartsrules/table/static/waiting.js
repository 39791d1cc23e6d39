/** The table before the game: who is there, and the link for those who are to come. */

import { el } from "./dom.js";
import { isolated, say } from "./words.js";

/**
 * @param {import("./table.js").TableView} table
 * @param {HTMLElement} place
 */
export function renderWaiting(table, place) {
  const { people, host } = table.table;
  const link = `${location.origin}/#t/${table.id}`;
  const seats = people.map((person) =>
    el("li", { class: person.kind === "free" ? "free" : null },
      person.kind === "free" ? say("waiting.free") : el("bdi", {}, person.name),
      person.kind === "person" && !person.here && ` (${say("seat.away")})`,
    ));
  place.replaceChildren(
    el("h2", { tabindex: -1, "data-focus": true }, say("waiting.title")),
    el("label", { for: "invitation" }, say("waiting.link")),
    el("input", { id: "invitation", readonly: true, value: link, onfocus: (event) => event.target.select() }),
    el("ol", {}, seats),
    table.seat !== null && table.seat === host
      ? el("p", { class: "buttons" }, el("button", { class: "primary", onclick: () => table.ask({ type: "start" }) }, say("waiting.begin")))
      : el("p", {}, say("waiting.host", { name: isolated(people[host ?? 0].name) })),
  );
}
