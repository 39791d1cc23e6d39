/** What calls somebody back to the page (its title, notifications and short tones), and animations of cards. */

import { prefers } from "./storage.ts";
import { say } from "./words.ts";

let shown: Notification | null = null;

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

/** By sound: frequency in hertz, start and length in seconds, of each tone. */
const TONES = {
  turn: [[660, 0, 0.12], [880, 0.11, 0.16]],
  queen: [[233, 0, 0.22], [175, 0.18, 0.4]],
  moon: [[523, 0, 0.14], [659, 0.12, 0.14], [784, 0.24, 0.14], [1047, 0.36, 0.45]],
};
const LOUDNESS = 0.12;
let context: AudioContext | null = null;

/** Play a sound, if somebody wants to hear any. */
export function sound(name: keyof typeof TONES): void {
  if (!prefers("sound")) return;
  context ??= new AudioContext();
  // A browser keeps a page silent until somebody has pressed something on it.
  context.resume();
  for (const [frequency, start, length] of TONES[name]) {
    const at = context.currentTime + start;
    const tone = new OscillatorNode(context, { frequency, type: "triangle" });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.linearRampToValueAtTime(LOUDNESS, at + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}

// Without animations everything ends up in the same place.

/** Whether the system prefers reduced motion. */
export const reduced = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether cards are to move on this page. */
export const wanted = (): boolean => prefers("motion") && !reduced();

/** Whether nothing should move now, as when the page is hidden. */
export const calm = (): boolean => !wanted() || document.hidden;
const across = (from: DOMRect, to: DOMRect) => `translate(${from.x + from.width / 2 - to.x - to.width / 2}px, ${from.y + from.height / 2 - to.y - to.height / 2}px)`;

export function fly(card: Element, from: DOMRect): void {
  const start = { transform: across(from, card.getBoundingClientRect()), opacity: 0.3 };
  card.animate([start, { transform: "none", opacity: 1 }], { duration: 280, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" });
}

/** Show the cards of a completed trick for a moment, and move them to its winner; null: they vanish. */
export function collect(cards: Element[], winner: Element | null, done: () => void): void {
  const target = winner?.getBoundingClientRect();
  const moves = cards.map((card) => {
    const away = target ? `${across(target, card.getBoundingClientRect())} scale(0.3)` : "scale(0.6)";
    const ways = [{ transform: "none", offset: 0 }, { transform: "none", offset: 0.65 }, { transform: away, opacity: 0, offset: 1 }];
    return card.animate(ways, { duration: 1100, easing: "ease-in" }).finished;
  });
  // An animation whose card is gone, because the next one was led, is not finished but cancelled: nothing is left to do.
  Promise.all(moves).then(done, () => undefined);
}
