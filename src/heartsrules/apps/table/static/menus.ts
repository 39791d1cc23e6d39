/** Menus of the header: a button, and a panel below it. One is open at a time; Escape or a press elsewhere closes it. */

import type { VNode } from "preact";
import { el, type Attributes, type Child } from "./dom.ts";

/** A menu with `summary` on its button, whose accessible name is `name`. */
export function menu(id: string, summary: Child[], name: string, inside: Child, more: Attributes = {}): VNode {
  return el("details", { id, class: "tool", name: "tools", onkeydown: closeByKey, ...more },
    el("summary", { "aria-label": name, title: name }, summary),
    el("div", { class: "menu" }, inside));
}

function closeByKey(event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  const node = event.currentTarget as HTMLDetailsElement;
  node.open = false;
  node.querySelector("summary")?.focus();
}

/** Close a menu when something else is pressed. */
export function guardMenus(): void {
  document.addEventListener("pointerdown", ({ target }) => {
    for (const open of document.querySelectorAll<HTMLDetailsElement>("details.tool[open]")) if (!open.contains(target as Node)) open.open = false;
  });
}
