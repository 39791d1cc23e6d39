/** Animations of cards. Without them everything ends up in the same place. */

import { prefers } from "./preferences.ts";

/** Whether the system prefers reduced motion. */
export const reduced = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether cards are to move on this page. */
export const wanted = (): boolean => prefers("motion") && !reduced();

/** Whether nothing should move now, as when the page is hidden. */
export const calm = (): boolean => !wanted() || document.hidden;

const across = (from: DOMRect, to: DOMRect) => `translate(${from.x + from.width / 2 - to.x - to.width / 2}px, ${from.y + from.height / 2 - to.y - to.height / 2}px)`;

/** Move a card from an earlier place to its own. */
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
