/** The form that opens a table: a game by its name, who plays, and every option of the rules. */

import { Component, createRef, type VNode } from "preact";
import { local, post, problemList } from "./api.ts";
import { chosenLevel, levels, type LevelWords } from "./choices.ts";
import { component, el, type Child } from "./dom.ts";
import { gameTitle, title } from "./games.ts";
import { baseOf, chosenGame, documentOf, planOf, seatsOf, withGame, withOption, type Opening } from "./opening.ts";
import { explained, label, reworded, sectionWords } from "./options.ts";
import { passField } from "./pass_form.ts";
import { action } from "./page.ts";
import { picture } from "./picture.ts";
import { schemaField, textOf, type Problems, type Schema } from "./schema_form.ts";
import { ruleSentences } from "./sentences.ts";
import { get } from "./storage.ts";
import type { CheckedRules, Choices, OpenedTable, Refusal } from "./types.ts";
import { capital, language, say } from "./words.ts";

const COUNTS = [3, 4, 5, 6, 7, 8, 9, 10, 11];
const AWAY = [30, 60, 120, 300, 900];
const HINTS = ["alone", "always", "never"];
const CHECKED_AFTER = 250;

const levelWords = ({ title: name, does }: LevelWords) => `${name}: ${does}`;
const value = (event: Event) => (event.currentTarget as HTMLSelectElement).value;

interface Props {
  choices: Choices;
  onOpened: (opened: OpenedTable) => void;
}
interface State {
  opening: Opening;
  /** How often the fields were filled anew: what was typed into them is gone then. */
  filled: number;
  checked: CheckedRules | null;
  refusal: Refusal | null;
  /** How often opening the table was refused. */
  attempt: number;
  /** The language in which the rules were checked. */
  tag: string;
}

class OpeningForm extends Component<Props, State> {
  private readonly problems = createRef<HTMLElement>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;

  constructor(props: Props) {
    super(props);
    const level = chosenLevel();
    const opening: Opening = { game: "0", players: 4, changed: {}, play: true, others: local ? level : "friends", strength: level, plans: [], away: props.choices.away, hints: "alone" };
    this.state = { opening: withGame(props.choices, opening, "0"), filled: 0, checked: null, refusal: null, attempt: 0, tag: language };
    void this.check();
  }

  override componentDidUpdate(): void {
    if (this.state.tag === language) return;
    this.setState({ tag: language });
    void this.check();
  }

  override componentWillUnmount(): void {
    clearTimeout(this.timer);
  }

  private change(opening: Opening, anew = false): void {
    this.setState(({ filled }) => ({ opening, filled: filled + Number(anew) }));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), anew ? 0 : CHECKED_AFTER);
  }

  private readonly set = (part: Partial<Opening>) => this.setState(({ opening }) => ({ opening: { ...opening, ...part } }));

  /** Ask the server for the sentences of these rules, or for their problems. */
  private async check(): Promise<void> {
    const number = ++this.asked;
    const answer = await post<CheckedRules>(`/api/rules?language=${language}`, documentOf(this.props.choices, this.state.opening));
    // A newer request is pending, or opening the table will say why.
    if (number !== this.asked || !answer.ok) return;
    const bad = answer.body.problems.length > 0;
    this.setState(({ checked }) => ({ checked: bad && checked ? { ...checked, problems: answer.body.problems } : answer.body, refusal: bad ? { code: "invalid-rules", message: say("refused.invalid-rules"), problems: answer.body.problems } : null }));
  }

  private async submit(): Promise<void> {
    const { choices, onOpened } = this.props;
    const { opening } = this.state;
    const { play, away, hints, game } = opening;
    // What the server proposes is called by its preset and what was changed in it.
    const wish = { rules: documentOf(choices, opening), ...(play ? { name: get("name") || say("start.guest") } : {}), play, seats: seatsOf(opening, local !== null), away, hints, game: chosenGame(choices, game).preset.name.split(",")[0] };
    const answer = await post<OpenedTable>(`/api/tables?language=${language}`, wish);
    if (answer.ok) {
      onOpened(answer.body);
      return;
    }
    this.asked++; // ignore the answer of a pending request
    this.setState(({ attempt }) => ({ refusal: answer.body, attempt: attempt + 1 }));
    this.problems.current?.scrollIntoView({ block: "nearest" });
  }

  override render(_: Props, { refusal, attempt, filled }: State): VNode {
    const submit = (event: Event) => {
      event.preventDefault();
      void action(event, () => this.submit());
    };
    return el("form", { onsubmit: submit, "aria-labelledby": "more-title" },
      el("div", { class: "two" }, this.who(), this.what()),
      el("details", { id: "all-options" }, el("summary", {}, say("form.options")), el("div", { class: "options", key: filled }, this.options())),
      el("div", { role: "alert", ref: this.problems }, el("div", { key: attempt }, problemList(refusal, ({ sentence }) => reworded(sentence)))),
      el("p", { class: "buttons" }, el("button", { class: "primary", id: "open" }, say("form.open"))));
  }

  /** A select with its label. */
  private select(id: keyof Opening & string, words: string, options: Child, hidden = false, chosen: unknown = this.state.opening[id], change = (event: Event) => this.set({ [id]: value(event) })): VNode {
    return el("p", { class: "field", hidden }, el("label", { for: id }, words), el("select", { id, value: chosen, onchange: change }, options));
  }

  /** Who plays. */
  private who(): VNode {
    const { opening } = this.state;
    const { play, others, strength } = opening;
    const level = (each: LevelWords) => el("option", { value: each.name }, levelWords(each));
    const playing = (event: Event) => {
      const plays = (event.currentTarget as HTMLInputElement).checked;
      this.set({ play: plays, others: !plays && others === "friends" ? strength : others, plans: plays ? opening.plans.slice(1) : [planOf(opening, -1, true), ...opening.plans] });
    };
    const seconds = (count: number) => el("option", { value: count }, count < 60 ? say("form.seconds", { count }) : say("form.minutes", { count: count / 60 }));
    return el("section", { "aria-labelledby": "who-title" },
      el("h3", { id: "who-title" }, say("form.who")),
      el("p", { class: "check" }, el("input", { id: "play", type: "checkbox", checked: play, onchange: playing }), el("label", { for: "play" }, say("form.play"))),
      this.select("others", say("form.others"), [
        !local && el("option", { value: "friends", hidden: !play }, say("form.friends")),
        levels().map((each) => el("option", { value: each.name }, say("form.bots-alone", { level: levelWords(each) }))),
        el("option", { value: "each" }, say("form.each-seat")),
      ]),
      el("ol", { class: "seat-plans", hidden: others !== "each" }, others === "each" && this.plans()),
      this.select("strength", say("form.strength"), levels().map(level), others !== "friends"),
      this.select("away", say("form.away"), [AWAY.map(seconds), el("option", { value: "" }, say("form.any-time"))], local !== null || !play || !["friends", "each"].includes(others), opening.away ?? "", (event) => this.set({ away: value(event) === "" ? null : Number(value(event)) })),
      this.select("hints", say("form.hints"), HINTS.map((each) => el("option", { value: each }, say(`form.hints.${each}`))), !play));
  }

  /** Who plays on each seat. */
  private plans(): Child {
    const { opening } = this.state;
    const own = Number(opening.play);
    const plan = (at: number) => {
      const { level, friend } = planOf(opening, at, local !== null);
      const change = (event: Event) => {
        const [kind, chosen] = value(event).split(" ");
        const all = Array.from({ length: opening.players - own }, (_, each) => planOf(opening, each, local !== null));
        this.set({ plans: all.with(at, { level: chosen, friend: kind === "friend" }) });
      };
      return el("select", { "aria-label": say("seat.number", { number: at + own + 1 }), value: `${friend ? "friend" : "bot"} ${level}`, onchange: change },
        opening.play && !local && el("option", { value: `friend ${friend ? level : opening.strength}` }, say("form.friend")),
        levels().map((bot) => el("option", { value: `bot ${bot.name}` }, say("form.bot", { level: levelWords(bot) }))));
    };
    return Array.from({ length: opening.players }, (_, seat) => el("li", {}, seat < own ? say("you") : plan(seat - own)));
  }

  /** What is played. */
  private what(): VNode {
    const { choices } = this.props;
    const { opening, checked } = this.state;
    const { preset } = chosenGame(choices, opening.game);
    const problem = textOf(this.placed().filter(({ fields }) => fields.includes("/players")));
    const source = language === "en" ? `${capital(preset.summary)}. Source: ${preset.source}.` : say("form.source", { source: preset.source });
    const counts = COUNTS.map((number) => el("option", { value: number }, preset.named.includes(number) ? String(number) : say("form.beyond", { number })));
    return el("section", { "aria-labelledby": "told-title" },
      el("h3", { id: "told-title" }, say("form.what")),
      this.select("game", say("form.game"), [
        el("optgroup", { label: say("form.games") }, choices.games.map((each, at) => el("option", { value: at }, gameTitle(each)))),
        el("optgroup", { label: say("form.rule-sets") }, choices.presets.map(({ name }) => el("option", { value: name }, title(name)))),
      ], false, opening.game, (event) => this.change(withGame(choices, opening, value(event)), true)),
      el("p", { class: "field" },
        el("label", { for: "players" }, say("form.players")),
        el("select", { id: "players", value: opening.players, "aria-invalid": problem ? "true" : null, onchange: (event: Event) => this.change({ ...opening, players: Number(value(event)) }, true) }, counts),
        el("span", { id: "players-problem", class: "problem" }, problem)),
      el("div", { class: "shape" }, checked?.picture && picture(checked.picture)),
      el("p", { id: "summary", class: "hint" }, source),
      el("details", { id: "told" }, el("summary", {}, say("form.sentences")), el("ul", { class: "sentences", id: "sentences" }, ruleSentences(checked?.sentences ?? []))));
  }

  /** The problems of the rules, in the words of the form. */
  private placed(): Problems {
    return (this.state.refusal?.problems ?? []).map(({ fields, sentence }) => ({ fields, text: reworded(sentence) }));
  }

  /** The options in their sections, each with its sentence. */
  private options(): Child {
    const { choices } = this.props;
    const { opening } = this.state;
    const schema = choices.schema as Schema;
    const known = schema.$defs?.RulesDocument.properties ?? {};
    const values = { ...baseOf(choices, opening), ...opening.changed };
    const problems = this.placed();
    const field = (option: string) => {
      // The first dealer is somebody who sits there.
      const part = option === "first_dealer" ? { enum: Array.from({ length: opening.players }, (_, seat) => seat) } : known[option];
      const props = {
        schema: { ...part, description: explained(option, choices.sentences[option]) }, value: values[option], place: `/${option}`, label: label(option), problems,
        onChange: (changed: unknown) => this.change(withOption(choices, this.state.opening, option, changed)),
      };
      return option === "pass_cycle" ? passField(opening.players, props) : schemaField(schema, props);
    };
    const jump = (at: number) => {
      const heading = document.getElementById(`group-${at}`);
      heading?.focus();
      heading?.scrollIntoView({ block: "start" });
    };
    return [
      el("div", { class: "ways", role: "group", "aria-label": say("form.groups") }, choices.sections.map((section, at) => el("button", { type: "button", onclick: () => jump(at) }, sectionWords(section.title)))),
      choices.sections.map((section, at) =>
        el("section", { class: "group", "aria-labelledby": `group-${at}` },
          el("h3", { id: `group-${at}`, tabindex: -1 }, sectionWords(section.title)),
          // The number of players stands above all others.
          el("div", { class: "grid" }, section.options.filter((option) => option !== "players").map(field)))),
    ];
  }
}

export const openingForm = (props: Props): VNode => component(OpeningForm, props);
