/** The table before the game: the players, the plans for vacant seats, and the link of the invitation. */

import type { VNode } from "preact";
import { nearTold, newcomers } from "./actions.ts";
import { levels } from "./choices.ts";
import { el } from "./dom.ts";
import { linkField } from "./link_field.ts";
import { gameTold } from "./games.ts";
import { ruleSentences } from "./sentences.ts";
import type { Session } from "./session.ts";
import type { Person, Seat } from "./types.ts";
import { isolated, say } from "./words.ts";

/** Who plays on a vacant seat: a choice of the host. */
function plan(session: Session, person: Person, seat: Seat): VNode {
  const fill = (event: Event) => {
    const [kind, level] = (event.currentTarget as HTMLSelectElement).value.split(" ");
    session.ask({ type: "fill", seat, level, friend: kind === "friend" });
  };
  const options = (["friend", "bot"] as const).map((kind) => levels().map(({ name, title }) => el("option", { value: `${kind} ${name}` }, say(`waiting.${kind}`, { title }))));
  return el("select", { id: `plan-${seat}`, "aria-label": say("waiting.plan", { number: seat + 1 }), onchange: fill, value: `${person.kind === "free" ? "friend" : "bot"} ${person.level}` }, options);
}

/** The whole of it. */
export function waiting(session: Session): VNode | null {
  const { table, welcome, link } = session.state;
  if (!table || !welcome) return null;
  const { people, host } = table;
  const hosts = table.seat !== null && table.seat === host;
  const led = host !== null && people[host].kind === "person";
  const shown = (person: Person, seat: Seat) => (person.kind === "person" ? el("bdi", {}, person.name) : hosts ? plan(session, person, seat) : person.kind === "free" ? say("waiting.free") : person.name);
  const seats = people.map((person, seat) =>
    el("li", { class: person.kind === "free" && "free" },
      el("span", { class: "line" },
        shown(person, seat),
        led && seat === host && el("span", { class: "hint" }, say("waiting.is-host")),
        person.kind === "person" && !person.here && el("span", { class: "hint" }, `(${say("seat.away")})`))));
  const buttons = (id: string, words: string, onclick: (event: Event) => void, kind = "") => el("p", { class: "buttons" }, el("button", { id, class: kind, onclick }, say(words)));
  const code = el("p", {}, el("img", { class: "code", src: `/api/tables/${session.id}/code.svg`, alt: say("waiting.code"), width: 208, height: 208 }));
  return el("div", { class: "waiting" },
    el("h2", { tabindex: -1, "data-focus": "" }, say("waiting.title")),
    welcome.game && el("p", { class: "game-told" }, gameTold(welcome.game, people.length)),
    el("div", { class: "invite" },
      el("div", {},
        el("ol", { class: "sitting" }, seats),
        nearTold(people),
        newcomers(session),
        hosts
          ? buttons("begin", "waiting.begin", (event) => session.ask({ type: "start" }, event), "primary")
          : el("p", {}, led ? say("waiting.host", { name: isolated(people[host].name) }) : say("waiting.nobody")),
        el("p", { id: "hints" }, say(`hints.${welcome.hints}`)),
        table.waits_for === null && (table.seat !== null
          ? buttons("give-up", "waiting.leave", (event) => session.ask({ type: "leave" }, event))
          : people.some(({ kind }) => kind === "free") && buttons("sit", "invite.sit", () => session.sit(), "primary"))),
      linkField({ id: "invitation", words: say("waiting.link"), link: link || `${location.origin}/#t/${session.id}`, shared: true, code })),
    el("details", { id: "told" }, el("summary", {}, say("waiting.rules")), el("ul", { class: "sentences" }, ruleSentences(welcome.rules))));
}
