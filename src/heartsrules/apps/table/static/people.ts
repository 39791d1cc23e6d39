/** Who plays: the invitation, the table before the game, newcomers, the menu of seats, and links for others. */

import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { get as fetched, local, post, problemList } from "./api.ts";
import { button, el, fragment, value, type Attributes, type Child } from "./dom.ts";
import { botFace } from "./faces.ts";
import { gameTold, levels, style } from "./games.ts";
import { action, announce } from "./page.ts";
import { called, ruleSentences } from "./position.ts";
import type { Session } from "./session.ts";
import type { Ready } from "./state.ts";
import { get, set } from "./storage.ts";
import type { Invitation, KeyLink, Person, Refusal, Seat, TableMessage, TakenSeat } from "./types.ts";
import { isolated, language, list, say } from "./words.ts";

const namesOf = (people: readonly Person[], seats: readonly Seat[]) => list(seats.map((each) => isolated(people[each].name)));

/** A sentence for each group of players at the same network address. */
export function nearTold(people: readonly Person[]): Child[] {
  return people.map(({ near, kind }, seat) => {
    const seats = [seat, ...near].filter((each) => people[each].kind === "person");
    const first = kind === "person" && seats.length > 1 && seat === Math.min(...seats);
    return first && el("p", { class: "hint near" }, say("seats.near", { names: namesOf(people, seats) }));
  });
}

type Newcomer = TableMessage["newcomers"][number];

/** What is said of a newcomer. */
export const newcomerTold = ({ people, seat: own, waits_for: waits, started }: TableMessage, { seat, name, asked, near }: Newcomer): string =>
  say(seat === waits ? "newcomer.waits" : "newcomer.asks", {
    ...{ place: called({ table: { people, seat: own } }, seat), names: namesOf(people, asked), count: asked.length },
    ...{ name: isolated(name), started, near: namesOf(people, near), others: near.length },
  });

/** The newcomers: what is said of the own request for a seat, and buttons to agree to others. */
export function newcomers(session: Session, table: TableMessage): Child[] {
  return table.newcomers.map((newcomer) => {
    const { seat, name, asked } = newcomer;
    const told = el("p", { key: `told-${seat}`, class: "newcomer" }, newcomerTold(table, newcomer));
    if (seat === table.waits_for) return [told, button("wait-no-more", say("newcomer.leave"), (event) => session.ask({ type: "leave" }, event))];
    if (table.seat === null || !asked.includes(table.seat)) return null;
    return [told, ...["agree", "decline"].map((answer) =>
      button(`${answer}-${seat}`, say(`newcomer.${answer}`, { name: isolated(name) }), (event) => session.ask({ type: "agree", seat, agreed: answer === "agree" }, event)))];
  });
}

/** Show the invitation to the table of this page: that is what its address stands for. */
const toInvitation = () => void dispatchEvent(new Event("hashchange"));
export const invitationTo = (table: string) => fetched<Invitation>(`/api/tables/${table}?language=${language}`);

const gameIn = (game: Invitation["game"], people: readonly Person[]) => game && el("p", { class: "game-told" }, gameTold(game, people.length));
const hintsIn = (hints: Invitation["hints"]) => el("p", { id: "hints" }, say(`hints.${hints}`));
const rulesIn = (sentences: Invitation["sentences"], more: Attributes) =>
  el("details", more, el("summary", {}, say("waiting.rules")), el("ul", { class: "sentences" }, ruleSentences(sentences)));

interface InvitationProps {
  table: string;
  invitation: Invitation;
  /** Called with the key of a seat, or with null to watch. */
  onSit: (token: string | null) => void;
}

/** The invitation to a table: the host, the game, the players, and a form to take a seat or to watch. */
export function InvitationForm({ table, invitation: { host, people, sentences, started, over, hints, game }, onSit }: InvitationProps): VNode {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [name, seat] = [useRef<HTMLInputElement>(null), useRef<HTMLSelectElement>(null)];
  const join = async () => {
    const wish = { name: name.current?.value ?? "", seat: seat.current && Number(seat.current.value) };
    const answer = await post<TakenSeat>(`/api/tables/${table}/seats`, wish);
    if (answer.ok) {
      set("name", wish.name);
      onSit(answer.body.token);
    } else setRefusal(answer.body);
  };
  const takeable = people.flatMap((person, seat) => (person.takeable ? [el("option", { value: seat }, person.name)] : []));
  const may = started ? takeable.length > 0 : people.some((person) => person.kind === "free");
  const state = over ? "over" : started ? (may ? "take-over" : "started") : may ? "free" : "full";
  const led = people.every((person) => person.kind === "bot") ? "invite.bots" : "invite.nobody";
  const title = host === null ? say(led) : say("invite.title", { name: isolated(host) });
  return el("form", { class: "panel", onsubmit: (event: Event) => action(event, join), "aria-labelledby": "join-title" },
    el("h2", { id: "join-title", tabindex: -1, "data-focus": "" }, title),
    el("div", { class: "invite" },
      el("div", {},
        gameIn(game, people),
        el("p", {}, say(`invite.${state}`)),
        !over && hintsIn(hints),
        // Each refusal is a new alert, which is read aloud.
        el("div", { role: "alert", key: refusal }, problemList(refusal)),
        may && [
          el("label", { for: "name" }, say("invite.name")),
          el("input", { id: "name", ref: name, required: true, defaultValue: get("name") ?? "", autocomplete: "nickname" }),
        ],
        nearTold(people),
        may && started && [el("label", { for: "seat" }, say("invite.seat")), el("select", { id: "seat", ref: seat }, takeable)],
        el("p", { class: "buttons" },
          may && el("button", { class: "primary" }, say("invite.sit")),
          el("button", { type: "button", onclick: () => onSit(null) }, say("invite.watch")))),
      el("div", {}, el("h3", {}, say("invite.people")), el("ol", { class: "sitting" }, people.map((each, seat) => sits(each, seat))))),
    rulesIn(sentences, { open: matchMedia("(min-width: 45rem)").matches }));
}

/** A player in a list. `plan` is there instead of a vacant seat; `hosts`: this player begins the game. */
export function sits({ name, kind, level, here, stand_in: stand }: Person, seat: Seat, plan?: Child, hosts = false): VNode {
  const bot = kind === "bot";
  const hint = (text: string) => el("span", { class: "hint" }, text);
  return el("li", { class: kind === "free" && "free" },
    el("span", { class: "line" },
      plan || [bot && botFace(seat, level), kind === "free" ? say("waiting.free") : el("bdi", {}, name), bot && hint(style(level))],
      hosts && hint(say("waiting.is-host")),
      kind === "person" && !here && hint(`(${say(stand ? "seat.stand-in" : "seat.away")})`)));
}

/** Who plays on a vacant seat: a choice of the host. */
function plan(session: Session, { kind, level }: Person, seat: Seat): VNode {
  const fill = (event: Event) => {
    const [friend, chosen] = value(event).split(" ");
    session.ask({ type: "fill", seat, level: chosen, friend: friend === "friend" });
  };
  const options = ["friend", "bot"].map((kind) =>
    levels().map(({ name, title }) => el("option", { value: `${kind} ${name}` }, say(`waiting.${kind}`, { title }))));
  const chosen = `${kind === "free" ? "friend" : "bot"} ${level}`;
  return el("select", { id: `plan-${seat}`, "aria-label": say("waiting.plan", { number: seat + 1 }), onchange: fill, value: chosen }, options);
}

/** The table before the game: the players, the plans for vacant seats, and the link of the invitation. */
export function waiting(session: Session): Child {
  const { table, welcome } = session.state;
  if (!table || !welcome) return null;
  const { people, host, seat: own, waits_for: waits } = table;
  const hosts = own !== null && own === host;
  const led = host !== null && people[host].kind === "person";
  const seats = people.map((person, seat) =>
    sits(person, seat, hosts && person.kind !== "person" && plan(session, person, seat), led && seat === host));
  const line = (inside: Child) => el("p", { class: "buttons" }, inside);
  const primary = { class: "primary" };
  return el("div", { class: "waiting" },
    el("h2", { tabindex: -1, "data-focus": "" }, say("waiting.title")),
    gameIn(welcome.game, people),
    el("div", { class: "invite" },
      el("div", {},
        el("ol", { class: "sitting" }, seats),
        nearTold(people),
        newcomers(session, table),
        hosts && line(button("begin", say("waiting.begin"), (event) => session.ask({ type: "start" }, event), primary)),
        !hosts && el("p", {}, led ? say("waiting.host", { name: isolated(people[host].name) }) : say("waiting.nobody")),
        hintsIn(welcome.hints),
        waits === null && own !== null && line(button("give-up", say("waiting.leave"), (event) => session.ask({ type: "leave" }, event))),
        waits === null && own === null && people.some(({ kind }) => kind === "free") && line(button("sit", say("invite.sit"), toInvitation, primary))),
      el(LinkField, { id: "invitation", words: say("waiting.link"), link: welcome.link, shared: true, code: el("p", {}, invitationCode(session.id, 208)) })),
    rulesIn(welcome.rules, { id: "told" }));
}

export const invitationCode = (id: string, size: number): VNode =>
  el("img", { class: "code", src: `/api/tables/${id}/code.svg`, alt: say("waiting.code"), loading: "lazy", width: size, height: size });

/** A QR code from its rows, in which "1" is dark, with the quiet zone that it needs. */
function qrCode(rows: readonly string[]): VNode {
  const edge = 3;
  const side = rows.length + 2 * edge;
  const run = (y: number) => ({ 0: dark, index: x }: RegExpExecArray) => `M${x + edge} ${y + edge}h${dark.length}v1h-${dark.length}z`;
  const dark = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(run(y)));
  return el("svg", { class: "code", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": say("waiting.code") },
    el("path", { fill: "#fff", d: `M0 0h${side}v${side}h-${side}z` }), el("path", { fill: "#000", d: dark.join("") }));
}

interface LinkProps {
  id: string;
  /** What the link is for. */
  words: string;
  link: string;
  /** Whether it is for others. */
  shared: boolean;
  code: Child;
}

/** A link to be opened elsewhere: a field with buttons to copy and to share it, and its QR code unless it works here only. */
export function LinkField({ id, words, link, shared, code }: LinkProps): VNode {
  const [done, setDone] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async (event: Event) => {
    const button = event.currentTarget as HTMLElement;
    // Pages without HTTPS may not use the clipboard. If nothing is copied it is selected: the keys of the browser copy it.
    if (!(await navigator.clipboard?.writeText(link).then(() => true, () => false))) {
      field.current?.focus({ preventScroll: true });
      field.current?.select();
      if (!document.execCommand("copy")) return;
    }
    button.focus({ preventScroll: true });
    announce(say("link.copied"));
    setDone(true);
  };
  // Cancelling is not an error.
  const share = () => navigator.share({ url: link }).catch(() => undefined);
  const onlyHere = ["localhost", "127.0.0.1", "[::1]"].includes(new URL(link, location.href).hostname);
  return el("div", {},
    el("label", { for: id }, words),
    el("input", { id, ref: field, readOnly: true, value: link, onfocus: () => field.current?.select() }),
    el("p", { class: "buttons" },
      el("button", { type: "button", id: `${id}-copy`, onclick: copy }, say("link.copy")),
      shared && "share" in navigator && el("button", { type: "button", id: `${id}-share`, onclick: share }, say("link.share")),
      el("span", { id: `${id}-copied`, class: "hint" }, done && say("link.copied"))),
    onlyHere ? el("p", { class: "hint" }, say("waiting.only-here")) : code);
}

/** The menu of seats during a game: take one over, give one up, choose the level of bots. */
export function seatsMenu(session: Session, { table }: Ready): VNode {
  const { people, over, waits_for: waits, seat } = table;
  const watching = () => people.some(({ takeable }) => takeable)
    ? button("sit", say("seats.take"), toInvitation)
    : el("p", {}, say("seats.none"));
  const inside = () => waits !== null ? el("p", {}, say("seats.waits")) : seat === null ? watching() : el(ToPlayers, { session, table, seat });
  return el("details", { class: "paper", id: "seats-menu", hidden: over },
    el("summary", {}, el("h2", {}, say("seats.title"))),
    !over && el("div", { class: "seats-menu" }, nearTold(people), inside()));
}

/** The menu of players: give the seat up, and for the host the levels of bots. */
function ToPlayers({ session, table: { people, host }, seat }: { session: Session; table: TableMessage; seat: Seat }): VNode {
  /** Whether the button to give up the seat was pressed once: the second time it does it. */
  const [sure, setSure] = useState(false);
  const [key, setKey] = useState<KeyLink | null>(null);
  const { owner } = people[seat];
  const fill = (at: Seat) => (event: Event) => session.ask({ type: "fill", seat: at, level: value(event) });
  const leave = (event: Event) => {
    if (sure) session.ask({ type: "leave" }, event);
    setSure(!sure);
  };
  /** Show the key of the own seat, or hide it. It is a secret, and not shown unasked. */
  const showKey = async () => {
    const answer = key ? null : await post<KeyLink>(`/api/tables/${session.id}/key`, { token: session.token });
    if (answer && !answer.ok) session.refuse(answer.body);
    setKey(answer?.ok ? answer.body : null);
  };
  const words = sure ? say("seats.sure") : owner ? say("seats.give-back", { name: isolated(owner) }) : say("seats.leave");
  const onkey = (event: Event) => action(event, showKey);
  return fragment(
    people.map(({ kind, name, level }, at) => host === seat && kind === "bot" && el("p", { key: at },
      el("label", { for: `level-${at}` }, name),
      el("select", { id: `level-${at}`, onchange: fill(at), value: level }, levels().map((each) => el("option", { value: each.name }, each.title))))),
    !local && el("p", {}, el("button", { id: "elsewhere-key", "aria-expanded": String(key !== null), onclick: onkey }, say("seats.elsewhere"))),
    key && el("div", {},
      el("p", {}, say("seats.key-warning")),
      el(LinkField, { id: "key", words: say("seats.key"), link: key.link, shared: false, code: el("p", {}, qrCode(key.code)) })),
    el("p", {}, button("leave", words, leave)));
}
