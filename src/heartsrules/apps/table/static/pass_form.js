/** The field of the pass cycle: each step in words and as a picture. */

import { el } from "./dom.js";
import { passPicture } from "./picture.js";
import { say } from "./words.js";

/** @typedef {[number | "across", number][]} Step gifts: to how many seats to the left, and how many cards */

let made = 0;

/** The receivers of a gift, as offsets to the left. */
function offsets(players) {
  const near = Array.from({ length: Math.floor((players - 1) / 2) }, (_, at) => at + 1);
  return [...near, ...(players % 2 ? [] : ["across"]), ...near.map((seats) => -seats)];
}

/** An offset as a number of seats to the left. */
const seatsTo = (offset, players) => (offset === "across" ? players / 2 : offset);

/** The receiver of a gift, in words with an arrow. */
function whom(offset, players) {
  if (!offset) return `○ ${say("pass.whom", { way: "middle", seats: 0 })}`;
  const way = offset === "across" ? offset : offset > 0 ? "left" : "right";
  return `${{ across: "↑", left: "←", right: "→" }[way]} ${say("pass.whom", { way, seats: Math.abs(seatsTo(offset, players)) })}`;
}

/** One card to each of the others, in the order in which they sit. */
const everybody = (players) => /** @type {Step} */ ([...offsets(players)].sort((a, b) => (seatsTo(a, players) + players) % players - ((seatsTo(b, players) + players) % players)).map((offset) => [offset, 1]));
const same = (one, other) => JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());

const KINDS = { none: say("pass.none"), one: say("pass.one"), middle: say("pass.middle"), all: say("pass.all"), several: say("pass.several") };

/** The kind of a step. */
function kindOf(step, players) {
  if (!step.length) return "none";
  if (step.length === 1) return step[0][0] ? "one" : "middle";
  return same(step, everybody(players)) ? "all" : "several";
}

/**
 * @param {() => number} players how many play
 * @param {Step[]} value
 * @param {string} place a JSON pointer
 * @param {string} label
 * @param {string} description
 * @returns {import("./schema_form.js").Field}
 */
export function passField(players, value, place, label, description) {
  const id = `pass-${made++}`;
  const list = el("ol", { class: "steps" });
  const problem = el("span", { class: "problem", id: `${id}-problem` });
  /** @type {Step[]} */
  let steps = value;
  const changed = () => list.dispatchEvent(new Event("input", { bubbles: true }));
  const change = (at, step) => {
    steps = steps.with(at, step);
    show();
    changed();
  };
  const gifts = (step, at) =>
    step.map(([offset, count], gift) => {
      const set = (pair) => change(at, /** @type {Step} */ (step.with(gift, pair)));
      const cards = /** @type {HTMLInputElement} */ (
        el("input", { id: `${id}-${at}-${gift}-count`, type: "number", min: offset ? 1 : 0, max: 51, value: count, "aria-label": say("pass.count", { gift: gift + 1, deal: at + 1 }), onchange: () => set([offset, cards.valueAsNumber]) })
      );
      if (!offset) return el("div", { class: "gift" }, cards, el("span", {}, say("pass.cards", { count })), el("span", {}, whom(offset, players())));
      const known = offsets(players()).includes(offset) ? offsets(players()) : [offset, ...offsets(players())];
      const to = /** @type {HTMLSelectElement} */ (
        el("select", { id: `${id}-${at}-${gift}-to`, "aria-label": say("pass.to", { gift: gift + 1, deal: at + 1 }), onchange: () => set([to.value === "across" ? to.value : Number(to.value), count]) }, known.map((each) => el("option", { value: each, selected: each === offset }, whom(each, players()))))
      );
      return el("div", { class: "gift" }, cards, el("span", {}, say("pass.cards", { count })), to,
        step.length > 1 && el("button", { type: "button", "aria-label": say("pass.remove-gift", { gift: gift + 1, deal: at + 1 }), onclick: () => change(at, /** @type {Step} */ (step.toSpliced(gift, 1))) }, "×"));
    });
  const show = () => {
    const focused = document.activeElement?.id;
    list.replaceChildren(...steps.map((step, at) => {
      const kind = kindOf(step, players());
      const started = () => ({ none: [], one: [step[0]?.[0] ? step[0] : [1, 3]], middle: [[0, step[0]?.[1] ?? 3]], all: everybody(players()), several: [...step.filter(([offset]) => offset).slice(0, 2), [1, 1], [-1, 1]].slice(0, 2) })[choice.value];
      const choice = /** @type {HTMLSelectElement} */ (
        el("select", { id: `${id}-${at}`, "aria-label": say("pass.kind", { deal: at + 1 }), onchange: () => change(at, started()) }, Object.entries(KINDS).map(([name, words]) => el("option", { value: name, selected: name === kind }, words)))
      );
      return el("li", { class: "step" }, passPicture(players(), step.map(([offset, count]) => [seatsTo(offset, players()), count])),
        el("div", { class: "step-words" }, el("span", { class: "hint" }, say("pass.deal", { deal: at + 1, count: steps.length })), choice, kind !== "all" && gifts(step, at),
          kind === "several" && el("button", { type: "button", id: `${id}-${at}-more`, onclick: () => change(at, [...step, [1, 1]]) }, say("pass.add-gift", { deal: at + 1 }))),
        steps.length > 1 && el("button", { type: "button", id: `${id}-${at}-remove`, "aria-label": say("pass.remove", { deal: at + 1 }), onclick: () => { steps = steps.toSpliced(at, 1); show(); changed(); } }, "×"));
    }));
    const again = focused && document.getElementById(focused);
    if (again) again.focus();
    else if (focused?.startsWith(id)) /** @type {HTMLElement} */ (list.querySelector("select")).focus();
  };
  show();
  const add = el("button", { type: "button", onclick: () => { steps = [...steps, []]; show(); changed(); } }, say("pass.add"));
  return {
    node: el("fieldset", { class: "field wide" }, el("legend", {}, label), el("span", { class: "hint" }, description), list, add, problem),
    read: () => steps,
    mark: (problems) => {
      const mine = problems.filter((each) => each.fields.some((field) => field.startsWith(place)));
      problem.textContent = mine.map((each) => each.message).join("; ");
    },
  };
}
