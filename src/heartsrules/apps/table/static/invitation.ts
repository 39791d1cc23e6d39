/** The invitation to a table: the host, the game, the players, and a form to take a seat or to watch. */

import "./core.ts";
import { createRef, type VNode } from "preact";
import { nearTold } from "./actions.ts";
import { get, post, problemList } from "./api.ts";
import { el } from "./dom.ts";
import { gameTold } from "./games.ts";
import { action, redrawNow, type Page } from "./page.ts";
import { ruleSentences } from "./sentences.ts";
import { get as stored, set } from "./storage.ts";
import type { Invitation, Person, Refusal, TakenSeat } from "./types.ts";
import { isolated, language, say } from "./words.ts";

/** Ask for the invitation to a table. */
export const invitationTo = (table: string) => get<Invitation>(`/api/tables/${table}?language=${language}`);

export class InvitationPage implements Page {
  private refusal: Refusal | null = null;
  private attempt = 0;
  private readonly name = createRef<HTMLInputElement>();
  private readonly seat = createRef<HTMLSelectElement>();

  /** `onSit` is called with the key of a seat, or with null to watch. */
  constructor(private readonly table: string, private invitation: Invitation, private readonly onSit: (token: string | null) => void) {}

  /** The rules come in the language of the page. */
  translate(): void {
    void invitationTo(this.table).then((answer) => {
      if (answer.ok) this.invitation = answer.body;
      redrawNow();
    });
  }

  private async join(): Promise<void> {
    const name = this.name.current?.value ?? "";
    const answer = await post<TakenSeat>(`/api/tables/${this.table}/seats`, { name, ...(this.seat.current ? { seat: Number(this.seat.current.value) } : {}) });
    if (answer.ok) {
      set("name", name);
      this.onSit(answer.body.token);
      return;
    }
    this.refusal = answer.body;
    this.attempt += 1;
    redrawNow();
  }

  view(): VNode {
    const { host, people, sentences, started, over, hints, game } = this.invitation;
    const takeable = people.flatMap((person, seat) => (person.takeable ? [[seat, person.name] as const] : []));
    const free = people.some((person) => person.kind === "free");
    const may = started ? takeable.length > 0 : free;
    const state = over ? say("invite.over") : started ? say(may ? "invite.take-over" : "invite.started") : say(free ? "invite.free" : "invite.full");
    const title = host !== null ? say("invite.title", { name: isolated(host) }) : say(people.every((person) => person.kind === "bot") ? "invite.bots" : "invite.nobody");
    const submit = (event: Event) => {
      event.preventDefault();
      void action(event, () => this.join());
    };
    return el("form", { class: "panel", onsubmit: submit, "aria-labelledby": "join-title" },
      el("h2", { id: "join-title", tabindex: -1, "data-focus": "" }, title),
      el("div", { class: "invite" },
        el("div", {},
          game && el("p", { class: "game-told" }, gameTold(game, people.length)),
          el("p", {}, state),
          !over && el("p", { id: "hints" }, say(`hints.${hints}`)),
          el("div", { role: "alert", key: this.attempt }, problemList(this.refusal)),
          may && [el("label", { for: "name" }, say("invite.name")), el("input", { id: "name", ref: this.name, required: true, defaultValue: stored("name") ?? "", autocomplete: "nickname" })],
          nearTold(people),
          may && started && [el("label", { for: "seat" }, say("invite.seat")), el("select", { id: "seat", ref: this.seat }, takeable.map(([at, called]) => el("option", { value: at }, called)))],
          el("p", { class: "buttons" }, may && el("button", { class: "primary" }, say("invite.sit")), el("button", { type: "button", onclick: () => this.onSit(null) }, say("invite.watch")))),
        el("div", {}, el("h3", {}, say("invite.people")), el("ol", { class: "sitting" }, people.map(sits)))),
      el("details", { open: matchMedia("(min-width: 45rem)").matches }, el("summary", {}, say("waiting.rules")), el("ul", { class: "sentences" }, ruleSentences(sentences))));
  }
}

/** A seat, as the invitation shows it. */
function sits({ name, kind, here, stand_in: stand }: Person): VNode {
  if (kind === "free") return el("li", { class: "free" }, say("waiting.free"));
  return el("li", {}, el("bdi", {}, name), kind === "person" && !here && ` (${say(stand ? "seat.stand-in" : "seat.away")})`);
}
