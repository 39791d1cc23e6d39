/** The field of the pass cycle: each pass in words and as a picture. */

import type { VNode } from "preact";
import { el, type Child } from "./dom.ts";
import { passPicture } from "./picture.ts";
import { textOf, type FieldProps } from "./schema_form.ts";
import { say } from "./words.ts";

type Offset = number | "across";
/** The transfers of a pass: to how many seats to the left, and how many cards. */
export type Pass = readonly (readonly [Offset, number])[];

/** The possible receivers, as offsets to the left. */
function offsets(players: number): Offset[] {
  const near = Array.from({ length: Math.floor((players - 1) / 2) }, (_, at) => at + 1);
  return [...near, ...(players % 2 ? [] : (["across"] as const)), ...near.map((seats) => -seats)];
}

/** An offset as a number of seats to the left. */
const seatsTo = (offset: Offset, players: number) => (offset === "across" ? players / 2 : offset);

/** The receiver of a transfer, in words with an arrow. */
function whom(offset: Offset, players: number): string {
  const way = offset === "across" ? offset : !offset ? "middle" : offset > 0 ? "left" : "right";
  const arrow = { middle: "○", across: "↑", left: "←", right: "→" }[way];
  return `${arrow} ${say("pass.whom", { way, seats: Math.abs(seatsTo(offset, players)) })}`;
}

/** One card to each of the others, in the order in which they sit. */
function everybody(players: number): Pass {
  const turn = (offset: Offset) => (seatsTo(offset, players) + players) % players;
  return offsets(players).toSorted((a, b) => turn(a) - turn(b)).map((offset) => [offset, 1]);
}
const same = (one: Pass, other: Pass) => JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
const KINDS = ["none", "one", "middle", "all", "several"] as const;
type Kind = (typeof KINDS)[number];

export function kindOf(pass: Pass, players: number): Kind {
  if (!pass.length) return "none";
  if (pass.length === 1) return pass[0][0] ? "one" : "middle";
  return same(pass, everybody(players)) ? "all" : "several";
}

/** A pass of another kind, as near to the one before as possible. */
export function turnedInto(kind: Kind, pass: Pass, players: number): Pass {
  const kinds: Record<Kind, Pass> = {
    none: [], one: [pass[0]?.[0] ? pass[0] : [1, 3]], middle: [[0, pass[0]?.[1] ?? 3]], all: everybody(players),
    several: ([...pass.filter(([offset]) => offset).slice(0, 2), [1, 1], [-1, 1]] as Pass).slice(0, 2),
  };
  return kinds[kind];
}

const cross = (words: string, onclick: () => void, more: object = {}) =>
  el("button", { type: "button", "aria-label": words, onclick, ...more }, "×");

function transfers(id: string, at: number, pass: Pass, players: number, change: (pass: Pass) => void): Child {
  return pass.map(([offset, count], gift) => {
    const told = { gift: gift + 1, deal: at + 1 };
    const counted = (event: Event) => change(pass.with(gift, [offset, (event.currentTarget as HTMLInputElement).valueAsNumber]));
    const sent = (event: Event) => {
      const { value } = event.currentTarget as HTMLSelectElement;
      change(pass.with(gift, [value === "across" ? value : Number(value), count]));
    };
    const attributes = { min: offset ? 1 : 0, max: 51, defaultValue: count, "aria-label": say("pass.count", told), onchange: counted };
    const receivers = [...new Set([offset, ...offsets(players)])].map((each) => el("option", { value: each }, whom(each, players)));
    return el("div", { class: "gift", key: offset ? `${pass.length} ${gift}` : "middle" },
      el("input", { id: `${id}-${gift}-count`, type: "number", ...attributes }),
      el("span", {}, say("pass.cards", { count })),
      offset
        ? el("select", { id: `${id}-${gift}-to`, "aria-label": say("pass.to", told), onchange: sent, value: offset }, receivers)
        : el("span", {}, whom(offset, players)),
      pass.length > 1 && offset && cross(say("pass.remove-gift", told), () => change(pass.toSpliced(gift, 1))));
  });
}

export function passField(players: number, { value, place, label, schema, problems, onChange }: FieldProps): VNode {
  const passes = value as readonly Pass[];
  const step = (pass: Pass, at: number) => {
    const id = `pass-${at}`;
    const kind = kindOf(pass, players);
    const deal = { deal: at + 1 };
    const change = (changed: Pass) => onChange(passes.with(at, changed));
    const turn = (event: Event) => change(turnedInto((event.currentTarget as HTMLSelectElement).value as Kind, pass, players));
    const remove = () => onChange(passes.toSpliced(at, 1));
    return el("li", { class: "step", key: `${passes.length} ${at}` },
      passPicture(players, pass.map(([offset]) => seatsTo(offset, players))),
      el("div", { class: "step-words" },
        el("span", { class: "hint" }, say("pass.deal", { ...deal, count: passes.length })),
        el("select", { id, "aria-label": say("pass.kind", deal), onchange: turn, value: kind },
          KINDS.map((each) => el("option", { value: each }, say(`pass.${each}`)))),
        kind !== "all" && transfers(id, at, pass, players, change),
        kind === "several" && el("button", { type: "button", id: `${id}-more`, onclick: () => change([...pass, [1, 1]]) }, say("pass.add-gift", deal))),
      passes.length > 1 && cross(say("pass.remove", deal), remove, { id: `${id}-remove` }));
  };
  const shown = problems.filter(({ fields }) => fields.some((field) => field.startsWith(place)));
  return el("fieldset", { class: "field wide" },
    el("legend", {}, label), el("span", { class: "hint" }, schema.description),
    el("ol", { class: "steps" }, passes.map(step)),
    el("button", { type: "button", onclick: () => onChange([...passes, []]) }, say("pass.add")),
    el("span", { class: "problem" }, textOf(shown)));
}
