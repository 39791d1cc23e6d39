/** Layout: seats around a table, the trick between them, and the cards of a hand. */

export interface Point {
  x: number;
  y: number;
}
export interface Size {
  wide: number;
  high: number;
}
/** By its middle. */
export type Box = Point & Size;
type Room = Size & { top: number };
/** A trick as it is laid: the width of its cards, and their places. */
export interface Laid {
  card: number;
  middle: Point;
  cards: Point[];
}

/** Exponent of the superellipse around which places are: 2 would be an ellipse, which leaves the corners empty. */
const ROUND = 2.8;
const STEPS = 160;
const power = (value: number) => Math.sign(value) * Math.abs(value) ** (2 / ROUND);
/** The superellipse of size 1, from below to the left. */
const CURVE = Array.from({ length: STEPS + 1 }, (_, step) => {
  const angle = Math.PI * (0.5 + (2 * step) / STEPS);
  return { x: power(Math.cos(angle)), y: power(Math.sin(angle)) };
});
/** From each of its points to the one before, across and down. */
const GAPS = CURVE.map(({ x, y }, step) => ({ x: Math.abs(x - CURVE[Math.max(0, step - 1)].x), y: Math.abs(y - CURVE[Math.max(0, step - 1)].y) }));

/** Places around an oval for boxes of one size, as far apart as they can be: the first below, the next to its left. */
function around(count: number, oval: Box, wide: number, high: number): Point[] {
  const [across, down] = [oval.wide / wide, oval.high / high];
  const lengths = [0];
  for (let step = 1; step <= STEPS; step += 1) lengths.push(lengths[step - 1] + Math.max(GAPS[step].x * across, GAPS[step].y * down));
  let next = 1;
  return Array.from({ length: count }, (_, place) => {
    const wanted = (lengths[STEPS] * place) / count;
    while (lengths[next] < wanted) next += 1;
    const [a, b] = [CURVE[next - 1], CURVE[next]];
    const part = (wanted - lengths[next - 1]) / (lengths[next] - lengths[next - 1] || 1);
    return { x: oval.x + oval.wide * (a.x + part * (b.x - a.x)), y: oval.y + oval.high * (a.y + part * (b.y - a.y)) };
  });
}

/** Whether two boxes have a gap between them. */
const apart = (a: Box, b: Box, gap: number) => 2 * Math.abs(a.x - b.x) >= a.wide + b.wide + 2 * gap || 2 * Math.abs(a.y - b.y) >= a.high + b.high + 2 * gap;

/** Whether all boxes are apart, from each other and from others. */
export const allApart = (boxes: Box[], others: Box[], gap: number): boolean =>
  boxes.every((box, at) => boxes.every((each, to) => to <= at || apart(box, each, 0)) && others.every((each) => apart(box, each, gap)));

/** The plates of all seats, the first one below. */
export function seated<Plate extends Size>(plates: Plate[], { top, wide, high }: Room): (Plate & Box)[] {
  const size = { wide: Math.max(...plates.map((each) => each.wide)), high: Math.min(...plates.map((each) => each.high)) };
  const down = (high - top - size.high) / 2 - 4;
  const across = Math.min((wide - size.wide) / 2 - 6, Math.max(1.9 * down, 0.55 * plates.length * size.wide));
  const oval = { x: wide / 2, y: (high + top) / 2, wide: across, high: down };
  return around(plates.length, oval, size.wide, size.high).map(({ x, y }, seat) => {
    const own = plates[seat];
    return { ...own, x: Math.max(own.wide / 2 + 4, Math.min(wide - own.wide / 2 - 4, x)), y: Math.max(top + own.high / 2 + 4, Math.min(high - own.high / 2 - 4, y)) };
  });
}

/** How far the cards of a trick are from its middle: as near as they can be, or a part of the way to the edge; or flatter. */
const WAYS = [0, 0.25, 0.5, 0.8].flatMap((across) => [0, -1, 0.5, 1].map((down) => [across, down]));
/** Least space between a card of the trick and what is beside it, in pixels. */
const GAP = 3;

/**
 * The cards of a trick, as large as they can be where they cover neither each other nor anything else.
 *
 * `words` are other boxes that they must not cover; `least` and `most` limit the width of a card, in pixels. The result is
 * null if not even the least card fits.
 */
export function trick(plates: Box[], words: Box[], { top, wide }: Room, least: number, most: number): Laid | null {
  const count = plates.length;
  const [own, ...others] = plates;
  const edge = (near: number) => Math.max(top, ...others.filter((each) => Math.abs(each.x - wide / 2) < near * each.wide && each.y < 0.65 * top + 0.35 * own.y).map((each) => each.y + each.high / 2));
  const heights = [edge(0.5), edge(1.2)].filter((each, at, all) => all.indexOf(each) === at).map((above) => ({ y: (above + own.y - own.high / 2) / 2, half: (own.y - own.high / 2 - above) / 2 - GAP }));
  const lay = (card: number): Laid | null => {
    const [broad, tall] = [1.08 * card, 1.46 * card];
    for (const { y, half } of heights.filter((each) => each.half > tall / 2)) {
      const most = { wide: (wide - broad) / 2, high: half - tall / 2 };
      const near = { wide: Math.min(most.wide, broad * (0.27 + 0.18 * count)), high: Math.min(most.high, tall * (0.2 + 0.105 * count)) };
      for (const [across, down] of WAYS) {
        const oval = { x: wide / 2, y, wide: near.wide + across * (most.wide - near.wide), high: down < 0 ? Math.min(near.high, 0.54 * tall) : near.high + down * (most.high - near.high) };
        const cards = around(count, oval, broad, tall);
        if (allApart(cards.map((each) => ({ ...each, wide: broad, high: tall })), [...plates, ...words], GAP)) return { card, middle: { x: wide / 2, y }, cards };
      }
    }
    return null;
  };
  let best = lay(most) ?? lay(least);
  for (let step = (most - least) / 2; best && best.card < most && step >= 1; step /= 2) best = lay(best.card + step) ?? best;
  return best;
}

/** Least visible width of a covered card, in pixels, to be recognized and hit. */
const LEAST = 24;

/** The place of a card in a fan: pixels from the middle, its row, and how far out it is, from -1 to 1. */
export interface Fanned {
  x: number;
  row: number;
  off: number;
  rows: number;
}

/**
 * How a hand of `count` cards is fanned in a row of `room` pixels.
 *
 * `most` is the first number of cards of the hand: while it shrinks, its cards stay as far apart.
 */
export function fan(count: number, most: number, room: number, card: number): Fanned[] {
  const perRow = Math.max(1, Math.floor((room - card) / LEAST) + 1);
  const rows = Math.max(1, Math.ceil(most / perRow));
  const row = Math.ceil(most / rows);
  const step = row > 1 ? Math.min(card * 0.62, (room - card) / (row - 1)) : 0;
  const now = Math.ceil(count / rows);
  return Array.from({ length: count }, (_, at) => {
    const line = Math.floor(at / now);
    const inLine = Math.min(now, count - line * now);
    const off = (at % now) - (inLine - 1) / 2;
    return { x: off * step, row: line, off: row > 1 ? off / ((row - 1) / 2) : 0, rows };
  });
}
