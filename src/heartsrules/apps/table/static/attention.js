/** Calling somebody back to the page: its title, and a notification where it is allowed. */

import { prefers } from "./preferences.js";
import { say } from "./words.js";

/** @type {Notification | null} */
let shown = null;

/** Say in the title of the page whether it is this player's turn. @param {boolean} mine */
export function showTurn(mine) {
  document.title = mine ? say("title.turn") : say("title");
  if (!mine) shown?.close();
}

/** Notify somebody who looks at another page that it is their turn. */
export function notifyTurn() {
  if (!document.hidden || !prefers("notify") || Notification.permission !== "granted") return;
  try {
    const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"))?.href;
    shown = new Notification(say("title.turn"), { tag: "hearts", icon });
    shown.onclick = () => window.focus();
  } catch {
    // Some phones allow notifications to service workers alone.
  }
}
