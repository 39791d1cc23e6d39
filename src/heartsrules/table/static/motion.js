/** Moving cards. People who prefer reduced motion see none: what lies on the table is the same at the end. */

/** Whether nothing should move. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

/**
 * A card comes to where it is shown from where it was.
 * @param {Element | null} card
 * @param {DOMRect | undefined} from
 */
export function fly(card, from) {
  if (!card || !from) return;
  const to = card.getBoundingClientRect();
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  card.animate([{ transform: `translate(${x}px, ${y}px)`, opacity: 0.3 }, { transform: "none", opacity: 1 }], { duration: 260, easing: "ease-out" });
}

/**
 * The cards of a completed trick lie for a moment, and go to whoever won them.
 * @param {HTMLElement} seats
 * @param {string[]} cards in the order in which they were played
 * @param {(offset: number) => number} seatAt
 * @param {number | undefined} winner
 * @param {() => void} done
 */
export function collect(seats, cards, seatAt, winner, done) {
  const target = seats.querySelector(`[data-seat="${winner}"] .who`)?.getBoundingClientRect();
  const moves = cards.map((_, offset) => {
    const card = seats.querySelector(`[data-seat="${seatAt(offset)}"] .played svg`);
    if (!card) return undefined;
    const from = card.getBoundingClientRect();
    const away = target ? `translate(${target.x - from.x}px, ${target.y - from.y}px) scale(0.4)` : "scale(0.6)";
    return card.animate(
      [{ transform: "none", offset: 0 }, { transform: "none", offset: 0.65 }, { transform: away, opacity: 0.1, offset: 1 }],
      { duration: 1100, easing: "ease-in" },
    ).finished;
  });
  // An animation whose card is gone, because the next one was led, is not finished but cancelled: nothing is left to do.
  Promise.all(moves).then(done, () => undefined);
}
