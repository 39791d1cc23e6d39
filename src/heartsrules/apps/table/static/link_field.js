/** A link to be opened elsewhere: a field with buttons to copy and to share it. */

import { el } from "./dom.js";
import { say } from "./words.js";

/**
 * @param {string} id of the field
 * @param {string} words what the link is for
 * @param {string} link
 * @param {boolean} shared whether it is for others
 * @returns {HTMLElement[]}
 */
export function linkField(id, words, link, shared) {
  const copy = async (event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    if (!(await copied(/** @type {HTMLInputElement} */ (document.getElementById(id)), link))) return; // it is selected: the keys of the browser copy it
    button.focus({ preventScroll: true });
    /** @type {HTMLElement} */ (document.getElementById(`${id}-copied`)).textContent = say("link.copied");
  };
  // Cancelling is not an error.
  const share = () => navigator.share({ url: link }).catch(() => undefined);
  return [
    el("label", { for: id }, words),
    el("input", { id, readonly: true, value: link, onfocus: (event) => event.target.select() }),
    el("p", { class: "buttons" },
      el("button", { type: "button", id: `${id}-copy`, onclick: copy }, say("link.copy")),
      shared && "share" in navigator && el("button", { type: "button", id: `${id}-share`, onclick: share }, say("link.share")),
      el("span", { id: `${id}-copied`, role: "status", class: "hint" })),
  ];
}

/** Whether a link works on this computer only. */
export function onlyHere(link) {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(link).hostname);
}

/** Copy a link; from its field where pages without HTTPS may not use the clipboard. */
async function copied(field, link) {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    field.focus({ preventScroll: true });
    field.select();
    return document.execCommand("copy");
  }
}
