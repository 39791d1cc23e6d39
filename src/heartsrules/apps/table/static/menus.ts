/** Menus of the header: a button, and a panel below it. One is open at a time; Escape or a press elsewhere closes it. */

import type { VNode } from "preact";
import { drawing, el, type Attributes, type Child } from "./dom.ts";
import { say } from "./words.ts";

/** A menu with `summary` on its button, whose accessible name is `name`. */
export function menu(id: string, summary: Child[], name: string, inside: Child, more: Attributes = {}): VNode {
  const byKey = (event: KeyboardEvent) => event.key === "Escape" && close(event.currentTarget as HTMLDetailsElement);
  return el("details", { id, class: "tool", name: "tools", onkeydown: byKey, ...more },
    el("summary", { "aria-label": name, title: name }, summary),
    el("div", { class: "menu" }, inside));
}

function close(node: HTMLDetailsElement): void {
  node.open = false;
  node.querySelector("summary")?.focus({ preventScroll: true });
}

/** Close a menu when something else is pressed. */
export function guardMenus(): void {
  document.addEventListener("pointerdown", ({ target }) => {
    const open = document.querySelector<HTMLDetailsElement>("details.tool[open]");
    if (open && !open.contains(target as Node)) open.open = false;
  });
}

const PHRASES = ["hello", "luck", "nice", "ouch", "sorry", "thanks", "moment", "game", "again", "bye"] as const;
export type Phrase = (typeof PHRASES)[number];
const BUBBLE = "M4 4h16a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-9l-5 4v-4h-2a1.5 1.5 0 0 1-1.5-1.5v-10a1.5 1.5 0 0 1 1.5-1.5Z";

/** The menu of phrases that players say to each other; `onSay` is called with the chosen one. */
export function phrasesMenu(hidden: boolean, onSay: (phrase: Phrase) => void): VNode {
  const choose = (event: Event, phrase: Phrase) => {
    close((event.currentTarget as Element).closest("details") as HTMLDetailsElement);
    onSay(phrase);
  };
  const buttons = PHRASES.map((phrase) =>
    el("button", { type: "button", onclick: (event: Event) => choose(event, phrase) }, say(`phrase.${phrase}`)));
  const icon = drawing("0 0 24 24", "icon", el("path", { d: BUBBLE }));
  return menu("phrases", [icon], say("phrases.title"), el("div", { class: "phrases" }, buttons), { hidden });
}
