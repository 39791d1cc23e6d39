/** The keys of the table, wherever the focus is, but for fields and menus. */

import { against, type Choosing } from "./choosing.ts";
import { prefers } from "./storage.ts";
import type { Card, Shown } from "./types.ts";
import { say } from "./words.ts";

/** What the keys act on. */
export interface KeyTarget {
  now: Shown;
  choosing: Choosing;
  onChoose: (card: Card, at: number) => void;
  onHint?: () => void;
}

/** Listen to the keys; the result ends that. `target` is null while there is no table to act on. */
export function listenToKeys(target: () => KeyTarget | null): () => void {
  const listen = (event: KeyboardEvent) => pressed(event, target());
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

function pressed(event: KeyboardEvent, table: KeyTarget | null): void {
  const target = event.target as HTMLElement;
  if (!table?.now.choice.mine || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || !prefers("keys")) return;
  if (target.closest("input, select, textarea") || document.querySelector(":popover-open")) return;
  const act = actionOf(event.key, target, table);
  if (!act) return;
  event.preventDefault();
  act();
}

/** What a key does; null: nothing here. */
function actionOf(key: string, target: HTMLElement, { now, choosing, onChoose, onHint }: KeyTarget): (() => void) | null {
  if (key.toLowerCase() === "h") return onHint ?? null;
  // The panels beside the table are read with the other keys.
  if (target.closest(".papers")) return null;
  const inHand = target.closest(".hand") !== null;
  const place = ({ dataset }: HTMLElement) => Number(dataset.at);
  const choose = (card: HTMLElement) => onChoose(card.dataset.card as Card, place(card));
  // The cards that may be chosen, from the left; of a pass that is complete, all that might be in it.
  const cards = [...document.querySelectorAll<HTMLElement>(".hand .card")].filter((card) => against(now, choosing, card.dataset.card as Card, place(card)).every(({ kind }) => kind === "full"));
  if (/^\d$/.test(key)) {
    const card = cards[(Number(key) + 9) % 10];
    return card ? () => choose(card) : null;
  }
  if (!inHand && (key === "ArrowRight" || key === "ArrowLeft")) {
    const card = cards.at(key === "ArrowRight" ? 0 : -1);
    return card ? () => card.focus() : null;
  }
  if (key === "Enter" && !target.closest("a, button, summary")) {
    const button = document.querySelector<HTMLElement>(".actions .primary");
    return button ? () => button.click() : null;
  }
  const named = cards.filter((card) => say("card.rank", { rank: card.dataset.card?.[0] }) === key.toUpperCase());
  // The next one of this rank after the focused card, or else the first one.
  const next = named.find((card) => inHand && place(card) > place(target)) ?? named[0];
  return next ? () => next.focus() : null;
}
