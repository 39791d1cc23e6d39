/** The form that opens a table: a game by its name, who plays, and every option of the rules. It is loaded when unfolded. */

import "./core.ts";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { local, post, problemList } from "./api.ts";
import { checkbox, el, field, value, type Child } from "./dom.ts";
import { chosenLevel, gameTitle, levels, presetOf, rulesOf, title } from "./games.ts";
import { action } from "./page.ts";
import { picture } from "./picture.ts";
import { kindsOf, schemaField, textOf, type Problems, type Schema } from "./schema_form.ts";
import { ruleSentences, told } from "./position.ts";
import { get } from "./storage.ts";
import type { CheckedRules, Choices, OfferedPreset, OpenedTable, Refusal, Wording } from "./types.ts";
import { capital, language, options as getOptions, say } from "./words.ts";

const COUNTS = [3, 4, 5, 6, 7, 8, 9, 10, 11];
const AWAY = [30, 60, 120, 300, 900];
const HINTS = ["alone", "always", "never"];
/** How long after something was typed the rules are checked, in milliseconds. */
const CHECKED_AFTER = 250;
const option = (value: unknown, words: string) => el("option", { value }, words);

/** The options of the rules, by sections, in the language of the page. `support.bundle` makes them. */
let offered: { sections: { title: string; options: string[] }[]; fields: Record<string, Schema> } = { sections: [], fields: {} };

export async function loadOptions(): Promise<void> {
  offered = (await getOptions()) as typeof offered;
}

/** A sentence about options, in which they and their values have the names of the form. */
const reworded = (sentence: Wording): string => told(sentence, undefined, (option, value) => {
  const field = offered.fields[option];
  const { title = value } = value === null ? field : (kindsOf(field).find(({ enum: values }) => values?.[0] === value) ?? {});
  return say("form.quoted", { text: title });
});

interface Opening {
  /** A named game, by its place in the list; or a preset, by its name. */
  game: string;
  preset: OfferedPreset;
  players: number;
  /** The options that differ from those of the game. */
  changed: object;
  play: boolean;
  /** `friends`, or the level of all others. */
  others: string;
  /** The level of the bots that play where no friend comes. */
  strength: string;
  away: number | null;
  hints: string;
}
interface Props {
  choices: Choices;
  onOpened: (opened: OpenedTable) => void;
}
interface Form {
  choices: Choices;
  opening: Opening;
  rules: Record<string, unknown>;
  change: (part: Partial<Opening>) => void;
  checked: CheckedRules | null;
  problems: Problems;
}

/** The rules that a game begins with. */
function begun(choices: Choices, game: string): Pick<Opening, "game" | "preset" | "players" | "changed"> {
  const named = choices.games[Number(game)];
  const preset = presetOf(choices, named?.name ?? named?.preset ?? game);
  return { game, preset, players: named?.players ?? preset.players, changed: {} };
}

export function OpeningForm({ choices, onOpened }: Props): VNode {
  const [opening, setOpening] = useState((): Opening => {
    const strength = chosenLevel();
    return { ...begun(choices, "0"), play: true, others: local ? strength : "friends", strength, away: choices.away, hints: "alone" };
  });
  const [checked, setChecked] = useState<CheckedRules | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [attempt, setAttempt] = useState(0);
  const alert = useRef<HTMLElement>(null);
  const ignore = useRef(() => {});
  const rules = rulesOf(choices, opening.preset, opening.players, opening.changed);

  // Ask the server for the sentences of these rules, or for their problems.
  useEffect(() => {
    let late = false;
    ignore.current = () => (late = true);
    const check = async () => {
      const { ok, body } = await post<CheckedRules>(`/api/rules?language=${language}`, rules);
      // A newer request is pending, or opening the table will say why.
      if (late || !ok) return;
      const { problems } = body;
      setChecked((before) => (problems.length && before ? { ...before, problems } : body));
      setRefusal(problems.length ? { code: "invalid-rules", message: say("refused.invalid-rules"), problems } : null);
    };
    const timer = setTimeout(check, Object.keys(opening.changed).length ? CHECKED_AFTER : 0);
    return () => {
      clearTimeout(timer);
      ignore.current();
    };
  }, [JSON.stringify(rules), language]);

  const submit = async () => {
    const { preset, players, play, others, strength, away, hints } = opening;
    const friend = others === "friends";
    const seats = Array.from({ length: players }, () => ({ level: friend ? strength : others, friend }));
    // What the server proposes is called by its preset and what was changed in it.
    const [game] = preset.name.split(",");
    const wish = { rules, play, seats, away, hints, game };
    const answer = await post<OpenedTable>(`/api/tables?language=${language}`, play ? { ...wish, name: get("name") || say("start.guest") } : wish);
    if (answer.ok) {
      onOpened(answer.body);
      return;
    }
    ignore.current();
    setRefusal(answer.body);
    setAttempt(attempt + 1);
    alert.current?.scrollIntoView({ block: "nearest" });
  };
  const problems = (refusal?.problems ?? []).map(({ fields, sentence }) => ({ fields, text: reworded(sentence) }));
  const change: Form["change"] = (part) => setOpening({ ...opening, ...part });
  const form = { choices, opening, rules, change, checked, problems };
  // Other rules fill the fields anew: what was typed into them is gone then.
  const key = `${opening.game} ${opening.players}`;
  return el("form", { onsubmit: (event: Event) => action(event, submit), "aria-labelledby": "more-title" },
    el("div", { class: "two" },
      el("section", { "aria-labelledby": "who-title" },
        el("h3", { id: "who-title" }, say("form.who")),
        who(form)),
      what(form)),
    el("details", { id: "all-options" }, el("summary", {}, say("form.options")), el("div", { class: "options", key }, options(form))),
    el("div", { role: "alert", ref: alert }, el("div", { key: attempt }, problemList(refusal, ({ sentence }) => reworded(sentence)))),
    el("p", { class: "buttons" }, el("button", { class: "primary", id: "open" }, say("form.open"))));
}

function who({ opening, change }: Form): Child {
  const { play, others, strength, away, hints } = opening;
  const select = (id: "others" | "strength" | "hints", value: string, inside: Child, hidden = false) =>
    field(id, say(`form.${id}`), "select", { value, onchange: choose(id) }, inside, hidden);
  const choose = (id: keyof Opening) => (event: Event) => {
    const chosen = value(event);
    change({ [id]: id !== "away" ? chosen : chosen === "" ? null : Number(chosen) });
  };
  const playing = (event: Event) => {
    const plays = (event.currentTarget as HTMLInputElement).checked;
    change({ play: plays, others: !plays && others === "friends" ? strength : others });
  };
  const seconds = (count: number) =>
    option(count, count < 60 ? say("form.seconds", { count }) : say("form.minutes", { count: count / 60 }));
  const bots = levels().map(({ name, title, does }) => ({ name, level: `${title}: ${does}` }));
  return [
    checkbox("play", say("form.play"), play, { onchange: playing }),
    select("others", others, [!local && el("option", { value: "friends", hidden: !play }, say("form.friends")), bots.map(({ name, level }) => option(name, say("form.bots-alone", { level })))]),
    select("strength", strength, bots.map(({ name, level }) => option(name, level)), others !== "friends"),
    field("away", say("form.away"), "select", { value: away ?? "", onchange: choose("away") },
      [AWAY.map(seconds), option("", say("form.any-time"))], others !== "friends"),
    select("hints", hints, HINTS.map((each) => option(each, say(`form.hints.${each}`))), !play),
  ];
}

function what({ choices, opening, change, checked, problems }: Form): VNode {
  const { preset } = opening;
  const problem = textOf(problems.filter(({ fields }) => fields.includes("/players")));
  const source = language === "en" ? `${capital(preset.summary)}. Source: ${preset.source}.` : say("form.source", { source: preset.source });
  const counts = COUNTS.map((number) => option(number, preset.named.includes(number) ? String(number) : say("form.beyond", { number })));
  const toGame = (event: Event) => change(begun(choices, value(event)));
  const toPlayers = (event: Event) => change({ players: Number(value(event)) });
  const invalid = { "aria-invalid": problem ? "true" : null };
  return el("section", { "aria-labelledby": "told-title" },
    el("h3", { id: "told-title" }, say("form.what")),
    field("game", say("form.game"), "select", { value: opening.game, onchange: toGame }, [
      el("optgroup", { label: say("form.games") }, choices.games.map((each, at) => option(at, gameTitle(each)))),
      el("optgroup", { label: say("form.rule-sets") }, choices.presets.map(({ name }) => option(name, title(name)))),
    ]),
    el("p", { class: "field" },
      el("label", { for: "players" }, say("form.players")),
      el("select", { id: "players", value: opening.players, onchange: toPlayers, ...invalid }, counts),
      el("span", { id: "players-problem", class: "problem" }, problem)),
    el("div", { class: "shape" }, checked?.picture && picture(checked.picture)),
    el("p", { id: "summary", class: "hint" }, source),
    el("details", { id: "told" },
      el("summary", {}, say("form.sentences")),
      el("ul", { class: "sentences", id: "sentences" }, ruleSentences(checked?.sentences ?? []))));
}

function options({ opening, rules, change, problems }: Form): Child {
  // The first dealer is somebody who sits there.
  const seats = Array.from({ length: opening.players }, (_, seat) => seat);
  const dealers = { enum: seats, titles: seats.map((seat) => say("seat.number", { number: seat + 1 })) };
  const own: Record<string, Schema> = { first_dealer: dealers, pass_cycle: passSchema(opening.players) };
  const optionField = (name: string) => schemaField({
    schema: { ...offered.fields[name], ...own[name] }, value: rules[name], place: `/${name}`, label: offered.fields[name].title ?? "", problems,
    onChange: (changed: unknown) => change({ changed: { ...opening.changed, [name]: changed } }),
  });
  const jump = (at: number) => {
    const heading = document.getElementById(`group-${at}`);
    heading?.focus();
    heading?.scrollIntoView({ block: "start" });
  };
  return [
    el("div", { class: "ways", role: "group", "aria-label": say("form.groups") },
      offered.sections.map(({ title }, at) => el("button", { type: "button", onclick: () => jump(at) }, title))),
    offered.sections.map(({ title, options }, at) => el("section", { class: "group", "aria-labelledby": `group-${at}` },
      el("h3", { id: `group-${at}`, tabindex: -1 }, title),
      el("div", { class: "grid" }, options.map(optionField)))),
  ];
}

/** The receiver of a transfer: the number of seats to the left, or 0 for the middle. */
type Offset = number | "across";

/** The schema of the pass cycle; a receiver is somebody who sits there. */
export function passSchema(players: number): Schema {
  const left = Array.from({ length: Math.floor((players - 1) / 2) }, (_, at) => at + 1);
  const receivers: Offset[] = [...left, ...(players % 2 ? [] : (["across"] as const)), ...left.toReversed().map((seats) => -seats), 0];
  const everybody = receivers.slice(0, -1).map((offset) => [offset, 1]);
  const to: Schema = { title: say("pass.recipient"), enum: receivers, titles: receivers.map(receiver) };
  const transfer: Schema = { type: "array", prefixItems: [to, { type: "integer", title: say("pass.cards"), minimum: 0, maximum: 51 }] };
  const anyOf = [{ enum: [[], everybody], titles: [say("pass.none"), say("pass.all")] }, { type: "array", title: say("pass.list"), items: transfer, minItems: 1 }];
  return { type: "array", items: { anyOf } };
}

/** A receiver, with an arrow. */
function receiver(offset: Offset): string {
  const way = offset === "across" ? offset : !offset ? "middle" : offset > 0 ? "left" : "right";
  const arrow = { middle: "○", across: "↑", left: "←", right: "→" }[way];
  return `${arrow} ${say("pass.whom", { way, seats: Math.abs(Number(offset)) })}`;
}
