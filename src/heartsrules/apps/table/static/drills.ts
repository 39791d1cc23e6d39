/** Drills: positions that ask for the best move, one after the other. */

import "./core.ts";
import type { VNode } from "preact";
import { get } from "./api.ts";
import { cardInText } from "./cards.ts";
import { started } from "./choosing.ts";
import { el, value, type Child } from "./dom.ts";
import { listenToKeys } from "./keys.ts";
import { announce, arrive, redrawNow, type Page } from "./page.ts";
import { drillPapers } from "./papers.ts";
import { sentence, told, type Position } from "./position.ts";
import { count, get as stored, ownDrills, set } from "./storage.ts";
import { Study, cardsOfMove, shortPoints } from "./study.ts";
import type { Card, Drill, DrillAnswer, DrillChoice, Person, Refusal } from "./types.ts";
import { language, say } from "./words.ts";

const THEMES = ["passing", "leading", "following", "discarding", "queen", "own-moon", "other-moon"];
/** No theme has fewer drills than this: one of the first is asked for before their number is known. */
const LEAST_DRILLS = 20;

/** What a choice costs, in a sign or in points. */
const sign = ({ quality, right, cost: { points: cost } }: DrillChoice): string => (quality === "best" ? "✓" : !right && cost.interval[0] <= 0 ? "✗" : shortPoints(cost.mean));

/** Gives drills, one after the other; null: this one is left out; undefined: none is left. */
export type Next = () => Promise<Drill | null | undefined>;

/** Take one of what is left, at random. */
export const drawn = <T>(left: T[], random = Math.random): T | undefined => left.splice(Math.floor(random() * left.length), 1)[0];

export class Drills implements Page {
  private right = 0;
  private answered = 0;
  private drill: Drill | undefined;
  private given: DrillChoice | null = null;
  private prompt = "";
  /** The number of the last request: an answer to an earlier one comes too late. */
  private asked = 0;
  private coming = false;
  /** What gets the focus when it is drawn. */
  private target = "";
  private readonly silence: () => void;

  /** `out` leads away, and `beside` is shown next to the question. */
  constructor(public next: Next, private readonly out: () => Child, private readonly beside: () => Child = () => null) {
    this.silence = listenToKeys(() => this.position && { now: this.position.now, choosing: started(this.position.now), onChoose: this.play });
    void this.ask();
  }

  close(): void {
    this.asked = -1;
    this.silence();
  }

  translate(): void {
    void this.ask();
  }

  /** Ask the next one. */
  async ask(): Promise<void> {
    const number = ++this.asked;
    this.coming = true;
    redrawNow();
    let drill: Drill | null | undefined = null;
    while (drill === null) drill = await this.next();
    if (number !== this.asked) return;
    this.coming = false;
    this.given = null;
    this.drill = drill;
    this.target = "#prompt";
    redrawNow();
  }

  /** The position, in which only a card is put together here: a pass is chosen as a whole. */
  private get position(): Position | null {
    if (!this.drill) return null;
    const { view, facts, choice, names, teams, seat, rows } = this.drill;
    const people = names.map((name): Person => ({ name, kind: "person", here: true, stand_in: false, level: "", owner: null, takeable: false, near: [], since: 0 }));
    return { table: { people, seat, teams }, now: { view, facts, choice: { ...choice, mine: choice.mine && view.phase === "playing" && !this.given } }, rows };
  }

  drawn(): void {
    if (this.target) arrive(document.querySelector(this.target));
    this.target = "";
  }

  private readonly play = (card: Card): void => this.answer(this.drill?.choices.find(({ move }) => cardsOfMove(move).join() === card));

  /** Take an answer, and say what it costs and why. */
  private answer(choice?: DrillChoice): void {
    if (!choice || this.given) return;
    this.given = choice;
    this.answered += 1;
    this.right += Number(choice.right);
    count("drills", choice.right);
    this.target = "#next-drill";
    redrawNow();
  }

  view(): VNode {
    const { drill, given, position } = this;
    const playing = drill?.view.phase === "playing";
    const told = this.told();
    if (told.prompt !== this.prompt) announce([told.prompt, ...told.advice].join(" "));
    this.prompt = told.prompt;
    const verdicts = given && playing ? drill.choices.map((each) => [cardsOfMove(each.move)[0], { text: sign(each), told: sentence(each.costs, position ?? undefined), good: each.right }] as const) : [];
    const choices = drill && !playing && this.choices(drill);
    const beside = { sheet: position && drillPapers(position), opens: say("papers.open") };
    return el(Study, { ...told, ...beside, position, verdicts: new Map(verdicts), actions: this.actions(), choices, onAnswer: this.play });
  }

  private told(): { prompt: string; advice: string[]; good: boolean | null } {
    const { drill, given, position, coming, right, answered } = this;
    if (coming || !drill || !position) return { prompt: say(coming ? "drill.coming" : answered ? "drill.score" : "drill.nothing", { right, asked: answered }), advice: [], good: null };
    const playing = drill.view.phase === "playing";
    if (!given) return { prompt: `${say(`drill.theme.${drill.theme}`)}: ${say(playing ? "drill.which-card" : "drill.which")}`, advice: [], good: null };
    const whole = (parts: DrillChoice["reason"]) => `${sentence(parts, position)}.`;
    // What is wrong has its cost in the reason. Among passes the best is marked, and its name is long.
    const costs = given.right && given.quality !== "best" ? [whole(given.costs)] : [];
    return { prompt: `${playing ? told(given.verdict, position) : say(given.right ? "drill.right" : "drill.wrong")}.`, advice: [whole(given.reason), ...costs], good: given.right };
  }

  /** The whole moves to choose from, in an order that does not tell which is the best. */
  private choices({ choices }: Drill): Child {
    const { given } = this;
    return choices.toSorted((a, b) => cardsOfMove(a.move).join().localeCompare(cardsOfMove(b.move).join())).map((each) =>
      el("button", {
        class: `choice${given ? (each.right ? " good" : " bad") : ""}${given && each.quality === "best" ? " best" : ""}`,
        "aria-pressed": given && String(each === given), "aria-disabled": given && "true", onclick: () => this.answer(each),
      }, cardsOfMove(each.move).map(cardInText), !cardsOfMove(each.move).length && say("review.nothing"), given && el("span", { class: "tag-told" }, sign(each))));
  }

  private actions(): Child {
    const { drill, coming, given, right, answered } = this;
    const ask = { "aria-busy": coming && "true", onclick: () => this.coming || void this.ask() };
    return given
      ? [
          el("button", { key: "next", id: "next-drill", class: "primary", ...ask }, say("drill.next")), this.out(),
          el("span", { class: "score-told" }, say("drill.score", { right, asked: answered })),
        ]
      : [this.beside(), drill && el("button", { key: "skip", id: "skip-drill", ...ask }, say("drill.skip")), this.out()];
  }
}

/** The shipped drills on a theme; `stuck` shows a refusal. */
function shipped(theme: string, stuck: (refusal: Refusal) => void): Next {
  const below = (count: number) => [...Array(count).keys()];
  /** The numbers of the drills to come; null: their number is not known yet. */
  let left: number[] | null = null;
  return async () => {
    const number = drawn(left ?? below(LEAST_DRILLS));
    if (number === undefined) return undefined;
    const answer = await get<DrillAnswer>(`/api/drills?${new URLSearchParams({ theme, number: String(number), language })}`);
    if (answer.ok) left ??= below(answer.body.count).filter((each) => each !== number);
    else stuck(answer.body);
    return answer.ok ? answer.body.drill : undefined;
  };
}

/** The page of the shipped drills, and of those of one's own games; `stuck` shows a refusal. */
export function drillPage(stuck: (refusal: Refusal) => void): Drills {
  let theme = stored("theme") ?? "";
  if (theme === "own" ? !ownDrills(language).length : !["", ...THEMES].includes(theme)) theme = "";
  const source = (): Next => {
    const own = ownDrills(language);
    return theme === "own" ? async () => drawn(own) : shipped(theme, stuck);
  };
  const choose = (event: Event) => {
    theme = value(event);
    set("theme", theme);
    page.next = source();
    void page.ask();
  };
  const tools = () => {
    const own = ownDrills(language).length;
    return el("select", { id: "theme", "aria-label": say("drill.themes"), onchange: choose, value: theme },
      el("option", { value: "" }, say("drill.all")), own > 0 && el("option", { value: "own" }, say("drill.own", { count: own })), THEMES.map((each) => el("option", { value: each }, say(`drill.theme.${each}`))));
  };
  const page = new Drills(source(), () => el("a", { class: "button", href: "#" }, say("drill.out")), tools);
  return page;
}
