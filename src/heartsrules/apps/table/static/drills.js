/** Drills: positions that ask for the best move, one after the other. */

import { get, problemList } from "./api.js";
import { cardInText } from "./cards.js";
import { el, update } from "./dom.js";
import { arrive } from "./focus.js";
import { Keys } from "./keys.js";
import { count, kept, keep, ownDrills } from "./memory.js";
import { Study, cardsOfMove, points, shortPoints } from "./study.js";
import { language, say } from "./words.js";

const THEMES = ["passing", "leading", "following", "discarding", "queen", "own-moon", "other-moon"];
/** What a choice costs, in a sign or in points. */
const sign = ({ quality, right, cost: { points: cost } }, written = points) => (quality === "best" ? "✓" : !right && cost.interval[0] <= 0 ? "✗" : written(cost.mean));
const same = (one, other) => cardsOfMove(one).toSorted().join() === cardsOfMove(other).toSorted().join();

export class Drills extends Study {
  /**
   * @param {HTMLElement} main where they are shown
   * @param {() => Promise<any>} next the next drill; null: there is none left
   * @param {HTMLElement} out what leads away
   * @param {(() => Node) | null} tools what else stands beside the question
   */
  constructor(main, next, out, tools = null) {
    super();
    this.main = main;
    this.next = next;
    this.out = out;
    this.tools = tools;
    this.right = 0;
    this.answered = 0;
    /** @type {any} */
    this.drill = null;
    this.keys = new Keys(this);
    main.replaceChildren(this.game);
    this.ask();
  }

  close() {
    super.close();
    this.keys.close();
    this.closed = true;
  }

  /** The choices in an order that does not tell which is the best. */
  get choices() {
    return this.drill.choices.toSorted((a, b) => cardsOfMove(a.move).join().localeCompare(cardsOfMove(b.move).join()));
  }

  /** Ask the next one. */
  async ask() {
    this.tell(say("drill.coming"), []);
    update(this.parts.actions, this.out);
    const drill = await this.next();
    if (this.closed) return;
    if (!drill) {
      this.end();
      return;
    }
    this.drill = drill;
    this.given = null;
    this.verdicts = new Map();
    const { names, seat } = drill;
    const people = names.map((name) => ({ name, kind: "person", here: true }));
    this.show({ people, seat, teams: drill.view.rules.teams ?? 0 }, drill);
    const question = drill.view.phase === "playing" ? "drill.which-card" : "drill.which";
    this.tell(`${say(`drill.theme.${drill.theme}`)}: ${say(question)}`, []);
    this.renderActions();
    arrive(this.parts.prompt);
  }

  /** What is there when all are answered. */
  end() {
    this.parts.choices.hidden = true;
    this.tell(this.answered ? say("drill.score", { right: this.right, asked: this.answered }) : say("drill.nothing"), []);
    update(this.parts.actions, this.out);
  }

  /** Take an answer, and say what it costs and why. */
  answer(move) {
    const choice = this.drill.choices.find((each) => same(each.move, move));
    if (!choice || this.given) return;
    this.given = choice;
    this.answered += 1;
    this.right += Number(choice.right);
    count("drills", choice.right);
    this.now.choice.mine = false;
    if (this.drill.view.phase === "playing") {
      for (const each of this.drill.choices) this.verdicts.set(each.move.card, { text: sign(each, shortPoints), told: each.costs, good: each.right });
    }
    this.render();
    // What is wrong has its cost in the reason.
    const cost = choice.right && choice.quality !== "best" ? [`${choice.costs}.`] : [];
    // Among passes the best is marked, and its name is long.
    const verdict = this.drill.view.phase === "playing" ? choice.verdict : say(choice.right ? "drill.right" : "drill.wrong");
    this.tell(`${verdict}.`, [`${choice.reason}.`, ...cost], choice.right);
    this.renderActions();
    /** @type {HTMLElement | null} */ (this.parts.actions.querySelector("#next-drill"))?.focus();
  }

  renderActions() {
    const { actions, choices } = this.parts;
    const { given, drill } = this;
    const whole = drill.view.phase !== "playing";
    choices.hidden = !whole;
    if (whole) update(choices, this.choices.map((each) =>
      el("button", { class: `choice${given ? (each.right ? " good" : " bad") : ""}${given && each.quality === "best" ? " best" : ""}`, "aria-pressed": given ? String(each === given) : null, "aria-disabled": given ? "true" : null, onclick: () => this.answer(each.move) },
        cardsOfMove(each.move).map(cardInText), !cardsOfMove(each.move).length && say("review.nothing"),
        given && el("span", { class: "tag-told" }, sign(each)))));
    const score = this.answered > 0 && el("span", { class: "score-told" }, say("drill.score", { right: this.right, asked: this.answered }));
    update(actions, given
      ? [el("button", { id: "next-drill", class: "primary", onclick: () => this.ask() }, say("drill.next")), this.out, score]
      : [this.tools?.(), el("button", { id: "skip-drill", onclick: () => this.ask() }, say("drill.skip")), this.out]);
  }
}

/** The page of the shipped drills, and of those of one's own games. @param {HTMLElement} main */
export function drillPage(main) {
  const own = ownDrills(language);
  let theme = kept("theme") ?? "";
  if (theme === "own" ? !own.length : !["", ...THEMES].includes(theme)) theme = "";
  /** The numbers of the drills to come; null: their number is not known yet. @type {number[] | null} */
  let order = null;
  const mixed = (count) => Array.from({ length: count }, (_, at) => at).sort(() => Math.random() - 0.5);
  const next = async () => {
    if (theme === "own") return own[(order ??= mixed(own.length)).pop() ?? -1] ?? null;
    const asked = (number) => get(`/api/drills?${new URLSearchParams({ theme, number: String(number), language })}`);
    const number = order ? order.pop() : 0;
    if (number === undefined) return null;
    let answer = await asked(number);
    if (answer.ok && !order) {
      order = mixed(answer.body.count);
      answer = await asked(order.pop());
    }
    if (answer.ok) return answer.body.drill;
    main.replaceChildren(el("div", { class: "panel", role: "alert" }, problemList(answer.body), el("p", { class: "buttons" }, el("a", { class: "button", href: "#" }, say("drill.out")))));
    return null;
  };
  const choose = (event) => {
    theme = event.target.value;
    keep("theme", theme);
    order = null;
    page.ask();
  };
  const option = (value, told) => el("option", { value, selected: value === theme }, told);
  const themes = () => el("select", { id: "theme", "aria-label": say("drill.themes"), onchange: choose },
    option("", say("drill.all")), own.length > 0 && option("own", say("drill.own", { count: own.length })), THEMES.map((each) => option(each, say(`drill.theme.${each}`))));
  const page = new Drills(main, next, el("a", { class: "button", href: "#" }, say("drill.out")), themes);
  return page;
}
