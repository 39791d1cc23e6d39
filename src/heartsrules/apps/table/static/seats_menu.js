/** The menu of seats during a game: take one over, give one up, choose the level of bots. */

import { nearShown } from "./actions.js";
import { local, post, refusalText } from "./api.js";
import { el, qrCode, update } from "./dom.js";
import { levels } from "./choices.js";
import { linkField, onlyHere } from "./link_field.js";
import { carried, carry, keep, kept } from "./memory.js";
import { isolated, say } from "./words.js";

export class SeatsMenu {
  /** @param {import("./table.js").TableView} table */
  constructor(table) {
    this.table = table;
    /** Whether the button to give up the seat was pressed once: the second time it does it. */
    this.sure = false;
    /** The key to the own seat, while it is shown. @type {{link: string, code: string[]} | null} */
    this.key = null;
    this.inside = el("div", { class: "seats-menu", "data-typed": true, onspeak: () => carry("own-name", this.inside.querySelector("input")?.value) });
    this.node = el("details", { class: "paper", id: "seats-menu" }, el("summary", {}, el("h2", {}, say("seats.title"))), this.inside);
  }

  render() {
    const { table } = this;
    const { people, over, host } = table.table;
    this.node.hidden = over;
    if (over) return;
    const waits = table.table.waits_for !== null;
    update(this.inside, nearShown(people), waits ? el("p", {}, say("seats.waits")) : table.seat === null ? this.toWatchers(people) : this.toPlayers(people, host));
  }

  /** The menu of spectators: take over from a bot. */
  toWatchers(people) {
    const name = /** @type {HTMLInputElement} */ (el("input", { id: "own-name", autocomplete: "nickname", value: this.inside.querySelector("input")?.value ?? carried("own-name") ?? kept("name") }));
    const problem = el("p", { class: "problem", role: "alert" });
    const take = async (seat) => {
      const called = /** @type {HTMLInputElement} */ (this.inside.querySelector("#own-name")).value;
      const answer = await post(`/api/tables/${this.table.id}/seats`, { name: called, seat });
      if (!answer.ok) {
        this.inside.querySelector(".problem").textContent = refusalText(answer.body);
        return;
      }
      keep("name", called);
      this.table.onFollow(this.table.id, answer.body.token);
    };
    const free = people.flatMap((person, seat) => (person.takeable ? [el("p", {}, el("button", { id: `take-${seat}`, onclick: () => take(seat) }, say("seats.take", { name: isolated(person.name) })))] : []));
    return free.length ? [el("p", {}, el("label", { for: "own-name" }, say("seats.name")), name), ...free, problem] : [el("p", {}, say("seats.none"))];
  }

  /** The menu of players: give the seat up, and for the host the levels of bots. */
  toPlayers(people, host) {
    const own = people[this.table.seat];
    const bots = people.flatMap((person, seat) => {
      if (host !== this.table.seat || person.kind !== "bot") return [];
      const choose = (event) => this.table.ask({ type: "fill", seat, level: event.target.value });
      return [el("p", {}, el("label", { for: `level-${seat}` }, person.name), el("select", { id: `level-${seat}`, onchange: choose }, levels.map((level) => el("option", { value: level.name, selected: level.name === person.level }, level.title))))];
    });
    const leave = () => {
      if (this.sure) this.table.ask({ type: "leave" });
      this.sure = !this.sure;
      this.render();
    };
    const words = this.sure ? say("seats.sure") : own.owner ? say("seats.give-back", { name: isolated(own.owner) }) : say("seats.leave");
    const elsewhere = local ? null : el("p", {}, el("button", { id: "elsewhere-key", "aria-expanded": String(this.key !== null), onclick: () => this.showKey() }, say("seats.elsewhere")));
    return [...bots, ...(elsewhere ? [elsewhere] : []), ...this.keyShown(), el("p", {}, el("button", { id: "leave", onclick: leave }, words))];
  }

  /** Show the key of the own seat, or hide it. It is a secret, and not shown unasked. */
  async showKey() {
    const { table } = this;
    const answer = this.key ? null : await post(`/api/tables/${table.id}/key`, { token: table.token });
    if (answer && !answer.ok) table.say(say("say.refused", { why: refusalText(answer.body) }));
    this.key = answer?.ok ? answer.body : null;
    this.render();
  }

  keyShown() {
    if (!this.key) return [];
    const { link, code } = this.key;
    return [
      el("p", {}, say("seats.key-warning")),
      ...linkField("key", say("seats.key"), link, false),
      onlyHere(link) ? el("p", { class: "hint" }, say("waiting.only-here")) : el("p", {}, qrCode(code, say("waiting.code"))),
    ];
  }
}
