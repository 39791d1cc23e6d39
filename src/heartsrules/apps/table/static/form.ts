/** The form that opens a table: a game by its name, who plays, and every option of the rules. It is loaded when unfolded. */

import "./core.ts";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { local, post, problemList } from "./api.ts";
import { checkbox, el, field, type Child } from "./dom.ts";
import { chosenLevel, gameTitle, levels, title, type LevelWords } from "./games.ts";
import { baseOf, chosenGame, documentOf, planOf, seatsOf, withGame, withOption, type Opening } from "./opening.ts";
import { action } from "./page.ts";
import { passSchema } from "./passes.ts";
import { picture } from "./picture.ts";
import { kindsOf, schemaField, textOf, type Problems, type Schema } from "./schema_form.ts";
import { ruleSentences, told } from "./position.ts";
import { get } from "./storage.ts";
import type { CheckedRules, Choices, OpenedTable, Refusal, Wording } from "./types.ts";
import { capital, language, options as getOptions, say } from "./words.ts";

const COUNTS = [3, 4, 5, 6, 7, 8, 9, 10, 11];
const AWAY = [30, 60, 120, 300, 900];
const HINTS = ["alone", "always", "never"];
/** How long after something was typed the rules are checked, in milliseconds. */
const CHECKED_AFTER = 250;
const levelWords = ({ title: name, does }: LevelWords) => `${name}: ${does}`;
const value = (event: Event) => (event.currentTarget as HTMLSelectElement).value;
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

interface Props {
  choices: Choices;
  onOpened: (opened: OpenedTable) => void;
}
interface Form {
  choices: Choices;
  opening: Opening;
  change: (part: Partial<Opening>) => void;
  checked: CheckedRules | null;
  problems: Problems;
}

export function OpeningForm({ choices, onOpened }: Props): VNode {
  const [opening, setOpening] = useState((): Opening => {
    const level = chosenLevel();
    const plain = { play: true, others: local ? level : "friends", strength: level, plans: [], away: choices.away, hints: "alone" };
    return withGame(choices, { game: "0", players: 4, changed: {}, ...plain }, "0");
  });
  const [checked, setChecked] = useState<CheckedRules | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [attempt, setAttempt] = useState(0);
  const alert = useRef<HTMLElement>(null);
  const ignore = useRef(() => {});
  const rules = documentOf(choices, opening);

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
    const { play, away, hints, game } = opening;
    // What the server proposes is called by its preset and what was changed in it.
    const [preset] = chosenGame(choices, game).preset.name.split(",");
    const wish = { rules, play, seats: seatsOf(opening, local !== null), away, hints, game: preset };
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
  const form = { choices, opening, change, checked, problems };
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
  const { play, others, strength, plans, away, hints } = opening;
  const select = (id: "others" | "strength" | "hints", value: string, inside: Child, hidden = false) =>
    field(id, say(`form.${id}`), "select", { value, onchange: choose(id) }, inside, hidden);
  const choose = (id: keyof Opening) => (event: Event) => {
    const chosen = value(event);
    change({ [id]: id !== "away" ? chosen : chosen === "" ? null : Number(chosen) });
  };
  const playing = (event: Event) => {
    const plays = (event.currentTarget as HTMLInputElement).checked;
    const kept = plays ? plans.slice(1) : [planOf(opening, -1, true), ...plans];
    change({ play: plays, others: !plays && others === "friends" ? strength : others, plans: kept });
  };
  const seconds = (count: number) =>
    option(count, count < 60 ? say("form.seconds", { count }) : say("form.minutes", { count: count / 60 }));
  const waits = !local && play && ["friends", "each"].includes(others);
  return [
    checkbox("play", say("form.play"), play, { onchange: playing }),
    select("others", others, [
      !local && el("option", { value: "friends", hidden: !play }, say("form.friends")),
      levels().map((each) => option(each.name, say("form.bots-alone", { level: levelWords(each) }))),
      option("each", say("form.each-seat")),
    ]),
    el("ol", { class: "seat-plans", hidden: others !== "each" }, others === "each" && seatPlans(opening, change)),
    select("strength", strength, levels().map((each) => option(each.name, levelWords(each))), others !== "friends"),
    field("away", say("form.away"), "select", { value: away ?? "", onchange: choose("away") },
      [AWAY.map(seconds), option("", say("form.any-time"))], !waits),
    select("hints", hints, HINTS.map((each) => option(each, say(`form.hints.${each}`))), !play),
  ];
}

function seatPlans(opening: Opening, change: Form["change"]): Child {
  const { play, players, strength } = opening;
  const own = Number(play);
  const all = Array.from({ length: players - own }, (_, at) => planOf(opening, at, local !== null));
  const plan = ({ level, friend }: (typeof all)[number], at: number) => {
    const choose = (event: Event) => {
      const [kind, chosen] = value(event).split(" ");
      change({ plans: all.with(at, { level: chosen, friend: kind === "friend" }) });
    };
    const attributes = { "aria-label": say("seat.number", { number: at + own + 1 }), value: `${friend ? "friend" : "bot"} ${level}` };
    return el("li", {}, el("select", { ...attributes, onchange: choose },
      play && !local && option(`friend ${friend ? level : strength}`, say("form.friend")),
      levels().map((bot) => option(`bot ${bot.name}`, say("form.bot", { level: levelWords(bot) })))));
  };
  return [play && el("li", {}, say("you")), all.map(plan)];
}

function what({ choices, opening, change, checked, problems }: Form): VNode {
  const { preset } = chosenGame(choices, opening.game);
  const problem = textOf(problems.filter(({ fields }) => fields.includes("/players")));
  const source = language === "en" ? `${capital(preset.summary)}. Source: ${preset.source}.` : say("form.source", { source: preset.source });
  const counts = COUNTS.map((number) => option(number, preset.named.includes(number) ? String(number) : say("form.beyond", { number })));
  const toGame = (event: Event) => change(withGame(choices, opening, value(event)));
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

function options({ choices, opening, change, problems }: Form): Child {
  const values = { ...baseOf(choices, opening), ...opening.changed };
  // The first dealer is somebody who sits there.
  const seats = Array.from({ length: opening.players }, (_, seat) => seat);
  const dealers = { enum: seats, titles: seats.map((seat) => say("seat.number", { number: seat + 1 })) };
  const own: Record<string, Schema> = { first_dealer: dealers, pass_cycle: passSchema(opening.players) };
  const optionField = (name: string) => schemaField({
    schema: { ...offered.fields[name], ...own[name] }, value: values[name], place: `/${name}`, label: offered.fields[name].title ?? "", problems,
    onChange: (changed: unknown) => change(withOption(choices, opening, name, changed)),
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
