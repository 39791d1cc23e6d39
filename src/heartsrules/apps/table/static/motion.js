/** Animations of cards. Without them everything ends up in the same place. */

import { kept, keep } from "./memory.js";

/** Whether the system prefers reduced motion. */
export const reduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether cards are to move on this page. */
export const wanted = () => kept("motion") !== "off" && !reduced();

/** Whether nothing should move now, as when the page is hidden. */
export function calm() {
  return !wanted() || document.hidden;
}

/** Turn all motion of this page on or off. */
export function setMotion(on) {
  keep("motion", on ? "on" : "off");
  document.documentElement.toggleAttribute("data-still", !on);
}

document.documentElement.toggleAttribute("data-still", kept("motion") === "off");

/**
 * Move a card from an earlier place to its own.
 * @param {Element | null} card
 * @param {DOMRect | undefined} from
 */
export function fly(card, from) {
  if (!card || !from) return;
  const to = card.getBoundingClientRect();
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  card.animate([{ transform: `translate(${x}px, ${y}px)`, opacity: 0.3 }, { transform: "none", opacity: 1 }], { duration: 280, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" });
}

/**
 * Show the cards of a completed trick for a moment, and move them to its winner.
 * @param {Element[]} cards
 * @param {Element | null} winner
 * @param {() => void} done
 */
export function collect(cards, winner, done) {
  const target = winner?.getBoundingClientRect();
  const moves = cards.map((card) => {
    const from = card.getBoundingClientRect();
    const away = target
      ? `translate(${target.x + target.width / 2 - from.x - from.width / 2}px, ${target.y + target.height / 2 - from.y - from.height / 2}px) scale(0.3)`
      : "scale(0.6)";
    return card.animate(
      [{ transform: "none", offset: 0 }, { transform: "none", offset: 0.65 }, { transform: away, opacity: 0, offset: 1 }],
      { duration: 1100, easing: "ease-in" },
    ).finished;
  });
  // An animation whose card is gone, because the next one was led, is not finished but cancelled: nothing is left to do.
  Promise.all(moves).then(done, () => undefined);
}
