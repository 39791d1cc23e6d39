/** The menu of seats during a game: take one over, give one up, choose the level of bots. */

import { Component, createRef, type VNode } from "preact";
import { nearTold } from "./actions.ts";
import { local, post, refusalText } from "./api.ts";
import { levels } from "./choices.ts";
import { component, el, qrCode, type Child } from "./dom.ts";
import { linkField } from "./link_field.ts";
import { action } from "./page.ts";
import type { Session } from "./session.ts";
import type { Ready } from "./state.ts";
import { get, set } from "./storage.ts";
import type { KeyLink, Person, Seat, TakenSeat } from "./types.ts";
import { isolated, say } from "./words.ts";

interface Props {
  session: Session;
  state: Ready;
}
interface Own {
  /** Whether the button to give up the seat was pressed once: the second time it does it. */
  sure: boolean;
  /** The key to the own seat, while it is shown. */
  key: KeyLink | null;
  problem: string;
}

class SeatsMenu extends Component<Props, Own> {
  override state: Own = { sure: false, key: null, problem: "" };
  private readonly name = createRef<HTMLInputElement>();

  override render({ state: { table } }: Props): VNode {
    const { people, over, waits_for: waits, seat } = table;
    return el("details", { class: "paper", id: "seats-menu", hidden: over },
      el("summary", {}, el("h2", {}, say("seats.title"))),
      !over && el("div", { class: "seats-menu" }, nearTold(people), waits !== null ? el("p", {}, say("seats.waits")) : seat === null ? this.toWatchers(people) : this.toPlayers(people, seat)));
  }

  /** The menu of spectators: take over from a bot. */
  private toWatchers(people: readonly Person[]): Child {
    const free = people.flatMap(({ takeable, name }, seat) => (takeable
      ? [el("p", {}, el("button", { id: `take-${seat}`, onclick: (event: Event) => action(event, () => this.take(seat)) }, say("seats.take", { name: isolated(name) })))]
      : []));
    if (!free.length) return el("p", {}, say("seats.none"));
    return [
      el("p", { key: "name" }, el("label", { for: "own-name" }, say("seats.name")), el("input", { id: "own-name", ref: this.name, autocomplete: "nickname", defaultValue: get("name") ?? "" })),
      free,
      el("p", { class: "problem", role: "alert" }, this.state.problem),
    ];
  }

  private async take(seat: Seat): Promise<void> {
    const { session } = this.props;
    const name = this.name.current?.value ?? "";
    const answer = await post<TakenSeat>(`/api/tables/${session.id}/seats`, { name, seat });
    if (!answer.ok) {
      this.setState({ problem: refusalText(answer.body) });
      return;
    }
    set("name", name);
    session.sit(answer.body.token);
  }

  /** The menu of players: give the seat up, and for the host the levels of bots. */
  private toPlayers(people: readonly Person[], seat: Seat): Child {
    const { session, state: { table } } = this.props;
    const { sure, key } = this.state;
    const own = people[seat];
    const choose = (at: Seat) => (event: Event) => session.ask({ type: "fill", seat: at, level: (event.currentTarget as HTMLSelectElement).value });
    const bots = people.map(({ kind, name, level }, at) => table.host === seat && kind === "bot" &&
      el("p", { key: `bot-${at}` }, el("label", { for: `level-${at}` }, name), el("select", { id: `level-${at}`, onchange: choose(at), value: level }, levels().map((each) => el("option", { value: each.name }, each.title)))));
    const leave = (event: Event) => {
      if (sure) session.ask({ type: "leave" }, event);
      this.setState({ sure: !sure });
    };
    const words = sure ? say("seats.sure") : own.owner ? say("seats.give-back", { name: isolated(own.owner) }) : say("seats.leave");
    return [
      bots,
      !local && el("p", { key: "elsewhere" }, el("button", { id: "elsewhere-key", "aria-expanded": String(key !== null), onclick: (event: Event) => action(event, () => this.showKey()) }, say("seats.elsewhere"))),
      key && el("div", { key: "key" },
        el("p", {}, say("seats.key-warning")),
        linkField({ id: "key", words: say("seats.key"), link: key.link, shared: false, code: el("p", {}, qrCode(key.code, say("waiting.code"))) })),
      el("p", { key: "leave" }, el("button", { id: "leave", onclick: leave }, words)),
    ];
  }

  /** Show the key of the own seat, or hide it. It is a secret, and not shown unasked. */
  private async showKey(): Promise<void> {
    const { session } = this.props;
    const answer = this.state.key ? null : await post<KeyLink>(`/api/tables/${session.id}/key`, { token: session.token });
    if (answer && !answer.ok) session.notice(say("say.refused", { why: refusalText(answer.body) }));
    this.setState({ key: answer?.ok ? answer.body : null });
  }
}

export const seatsMenu = (props: Props): VNode => component(SeatsMenu, props);
