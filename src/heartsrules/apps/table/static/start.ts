/** The first page: one press to play, alone or with friends, the other games by picture, and every other choice behind a fold. */

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { local, post, problemList } from "./api.ts";
import { cardFace } from "./cards.ts";
import { SEEN, el, fragment, value } from "./dom.ts";
import { chosenLevel, gameSpecial, gameTitle, introduction, levels, presetOf, rulesOf, type Game } from "./games.ts";
import { action, redraw } from "./page.ts";
import { picture } from "./picture.ts";
import { get, set, tables, tally } from "./storage.ts";
import type { Choices, OpenedTable, Refusal } from "./types.ts";
import { isolated, language, list, moment, say } from "./words.ts";

const FAN = ["TC", "JD", "QS", "KH", "AH"] as const;

interface StartProps {
  choices: Choices;
  onOpened: (opened: OpenedTable) => void;
}

export function Start({ choices, onOpened }: StartProps): VNode {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  /** The part of the page that is loaded when it is unfolded. */
  const [form, setForm] = useState<typeof import("./form.ts") | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => void form?.loadOptions().then(redraw), [language]);
  const [usual, ...others] = choices.games;
  /** Open a table with bots on all other seats, whose game begins at once; or one that waits for friends, who see the name. */
  const open = async ({ name, preset, players }: Game, friend: boolean) => {
    if (field.current) field.current.required = friend;
    if (field.current?.reportValidity() === false) return;
    const rules = rulesOf(choices, presetOf(choices, name ?? preset), players);
    const seats = Array.from({ length: players }, () => ({ level: chosenLevel(), friend }));
    const wish = { rules, name: get("name") || say("start.guest"), seats, game: preset };
    const answer = await post<OpenedTable>(`/api/tables?language=${language}`, wish);
    setRefusal(answer.ok ? null : answer.body);
    if (answer.ok) onOpened(answer.body);
  };
  // One table is opened at a time, whatever is pressed.
  const play = (game: Game, friend = false) => (event: Event) => {
    if (!document.querySelector("main [aria-busy]")) void action(event, () => open(game, friend));
  };
  const unfold = async (event: Event) => {
    if (form || !(event.currentTarget as HTMLDetailsElement).open) return;
    const loaded = await import("./form.ts");
    await loaded.loadOptions();
    setForm(loaded);
  };
  const keep = (name: string) => (event: Event) => set(name, value(event).trim());
  const going = tables().find((table) => !table.over);
  const tile = (game: Game) =>
    el("li", {},
      el("button", { class: "game-card", onclick: play(game) },
        picture(game.picture),
        el("span", { class: "game-title" }, gameTitle(game)),
        el("span", { class: "hint" }, say("start.game", { players: game.players, special: gameSpecial(game) }))));
  return fragment(
    el("section", { class: "hero", "aria-label": say("start.play") },
      el("div", { class: "hero-fan", ...SEEN }, FAN.map((card) => el("span", {}, cardFace(card)))),
      el("p", { class: "buttons" },
        el("button", { id: "play-now", class: "primary", onclick: play(usual) }, say("start.play")),
        !local && el("button", { id: "play-with-friends", class: "button", onclick: play(usual, true) }, say("start.friends")),
        going && el("a", { id: "go-on-playing", class: "button", href: `#t/${going.id}` }, say("start.go-on")),
        el("a", { id: "drills", class: "button", href: "#drills" }, say("start.drills"))),
      el("p", { class: "told" }, say("start.told", { game: gameTitle(usual), bots: usual.players - 1 })),
      el("div", { class: "fields" },
        el("label", {}, el("span", {}, say("form.name")), el("input", { id: "name", ref: field, defaultValue: get("name") ?? "", placeholder: say("start.guest"), autocomplete: "nickname", maxlength: 60, oninput: keep("name") })),
        el("label", {}, el("span", {}, say("start.bots")), el("select", { id: "bots", value: chosenLevel(), onchange: keep("strength") }, levels().map(({ name, title, does }) => el("option", { value: name, title: does }, title))))),
      el("div", { role: "alert" }, problemList(refusal)),
      introduction()),
    el("section", { class: "games", "aria-labelledby": "games-title" }, el("h2", { id: "games-title" }, say("start.games")), el("ul", { class: "game-cards" }, others.map(tile))),
    el("details", { id: "more", class: "panel wide", ontoggle: unfold },
      el("summary", {}, el("h2", { id: "more-title" }, say("start.more")), el("span", { class: "hint" }, say("start.more-told"))),
      el("div", { class: "opening" }, form && el(form.OpeningForm, { choices, onOpened }))),
    myTables());
}

/** The list of tables at which this browser has had a seat, or null if there are none. */
function myTables(): VNode | null {
  const known = tables();
  if (!known.length) return null;
  const counted = (["matches", "drills"] as const).map((what) => tally(what).count > 0 && el("p", { class: "hint" }, say(`mine.${what}`, { ...tally(what) })));
  return el("section", { class: "panel my-tables", "aria-labelledby": "my-tables" },
    el("h2", { id: "my-tables" }, say("mine.title")), counted,
    el("ul", {}, known.map(({ id, people, at, over }) =>
      el("li", {},
        el("a", { href: `#t/${id}` }, people.length ? say("mine.with", { names: list(people.map(isolated)) }) : say("mine.bots")),
        el("span", { class: "hint" }, `${moment(at)}, ${say(over ? "mine.over" : "mine.open")}`)))));
}
