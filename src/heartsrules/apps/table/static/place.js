/** Layout: seats around a table, and the cards of a hand. */

/**
 * The places around an oval, as far from each other along its edge as they can be: the first one below, the next one to
 * its left. Each has its direction from the middle too.
 * @param {number} count
 * @param {number} across half of the width of the oval
 * @param {number} down half of its height
 */
export function around(count, across, down) {
  const steps = 720;
  const lengths = [0];
  const at = (step) => {
    const angle = Math.PI * (0.5 + (2 * step) / steps);
    return { x: across * Math.cos(angle), y: down * Math.sin(angle), angle };
  };
  for (let step = 1; step <= steps; step += 1) {
    const [a, b] = [at(step - 1), at(step)];
    lengths.push(lengths[step - 1] + Math.hypot(b.x - a.x, b.y - a.y));
  }
  return Array.from({ length: count }, (_, place) => {
    const wanted = (lengths[steps] * place) / count;
    return at(lengths.findIndex((length) => length >= wanted - 1e-9));
  });
}

/** Least visible width of a covered card, in pixels, to be recognized and hit. */
const LEAST = 26;

/**
 * How a hand is fanned: its rows, and in a row how far it is from card to card.
 * @param {number} count how many cards
 * @param {number} most how many cards the hand had at first: while it shrinks, its cards stay as far apart
 * @param {number} room the width of the row, in pixels
 * @param {number} card the width of a card
 */
export function fan(count, most, room, card) {
  const perRow = Math.max(1, Math.floor((room - card) / LEAST) + 1);
  const rows = Math.max(1, Math.ceil(most / perRow));
  const row = Math.ceil(most / rows);
  const step = row > 1 ? Math.min(card * 0.62, (room - card) / (row - 1)) : 0;
  const now = Math.ceil(count / rows);
  return Array.from({ length: count }, (_, at) => {
    const line = Math.floor(at / now);
    const inLine = Math.min(now, count - line * now);
    const off = (at % now) - (inLine - 1) / 2;
    return { x: off * step, row: line, off, rows };
  });
}
