/** Calling somebody back to the page: its title, and a notification where it is allowed. */

import { prefers } from "./preferences.ts";
import { say } from "./words.ts";

let shown: Notification | null = null;

/** Say in the title of the page whether it is this player's turn. */
export function showTurn(mine: boolean): void {
  document.title = mine ? say("title.turn") : say("title");
  if (!mine) shown?.close();
}

/** Notify somebody who looks at another page that it is their turn. */
export function notifyTurn(): void {
  if (!document.hidden || !prefers("notify") || Notification.permission !== "granted") return;
  try {
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href;
    shown = new Notification(say("title.turn"), { tag: "hearts", icon });
    shown.onclick = () => window.focus();
  } catch {
    // Some phones allow notifications only to service workers.
  }
}
