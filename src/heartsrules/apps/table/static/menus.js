/** Menus of the header: a button, and a panel below it. One is open at a time; Escape or a press elsewhere closes it. */

import { el } from "./dom.js";

/**
 * @param {string} id
 * @param {(Node | string)[]} summary what stands on the button
 * @param {string} name the accessible name of the button
 * @param {(Node | string | null | false)[]} inside
 * @param {import("./dom.js").Attributes} [more] attributes of the whole
 */
export function menu(id, summary, name, inside, more = {}) {
  const node = /** @type {HTMLDetailsElement} */ (
    el("details", { id, class: "tool", name: "tools", onkeydown: (event) => closeByKey(event), ...more },
      el("summary", { "aria-label": name, title: name }, summary),
      el("div", { class: "menu" }, inside))
  );
  return node;
}

/** @param {Event} event */
function closeByKey(event) {
  if (/** @type {KeyboardEvent} */ (event).key !== "Escape") return;
  const node = /** @type {HTMLDetailsElement} */ (event.currentTarget);
  node.open = false;
  node.querySelector("summary")?.focus();
}

document.addEventListener("pointerdown", (event) => {
  for (const open of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.tool[open]"))) {
    if (!open.contains(/** @type {Node} */ (event.target))) open.open = false;
  }
});
