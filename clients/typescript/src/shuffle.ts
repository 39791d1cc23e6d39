// The shuffle: how a seed becomes a deal (docs/reference/reproducibility.md), with SHA-256 of FIPS 180-4.

import { at, textOf } from "./cards.js";
import type { Card, Cards } from "./documents.js";
import { seatAt } from "./rules.js";
import type { ResolvedRules } from "./rules.js";

/** Return the first 32 bits of the fractional parts of the roots of the first primes. */
function roots(count: number, power: number): Uint32Array {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime !== 0)) {
      primes.push(number);
    }
  }
  return Uint32Array.from(primes, (prime) => (prime ** (1 / power) % 1) * 2 ** 32);
}

const START = roots(8, 2);
const ROUNDS = roots(64, 3);

export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
  const word = (index: number): number => words[index] ?? 0;
  for (let block = 0; block < padded.length; block += 64) {
    const view = new DataView(padded.buffer, block, 64);
    for (let i = 0; i < 16; i++) {
      words[i] = view.getUint32(4 * i);
    }
    for (let i = 16; i < 64; i++) {
      const [low, high] = [word(i - 15), word(i - 2)];
      words[i] = word(i - 16) + (turn(low, 7) ^ turn(low, 18) ^ (low >>> 3)) +
        word(i - 7) + (turn(high, 17) ^ turn(high, 19) ^ (high >>> 10));
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (ROUNDS[i] ?? 0) + word(i);
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = (state[i] ?? 0) + value));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => digest.setUint32(4 * i, value));
  return new Uint8Array(digest.buffer);
}

/** Generate the 64-bit words of a seed and a label. */
function* wordsOf(seed: string, label: string): Generator<bigint, never> {
  const key = sha256(new TextEncoder().encode(`heartsrules 1\n${label}\n${seed}`));
  for (let counter = 0n; ; counter++) {
    const message = new Uint8Array(40);
    message.set(key);
    new DataView(message.buffer).setBigUint64(32, counter);
    const block = new DataView(sha256(message).buffer);
    for (let place = 0; place < 32; place += 8) {
      yield block.getBigUint64(place);
    }
  }
}

function below(words: Iterator<bigint, never>, count: number): number {
  const limit = 2n ** 64n - (2n ** 64n % BigInt(count));
  for (;;) {
    const word = words.next().value;
    if (word < limit) {
      return Number(word % BigInt(count));
    }
  }
}

/** Shuffle cards with a seed and a label for its purpose. */
export function shuffled(cards: readonly Card[], seed: string, label: string): Card[] {
  const pack = [...cards];
  const words = wordsOf(seed, label);
  for (let place = pack.length - 1; place > 0; place--) {
    const other = below(words, place + 1);
    [pack[place], pack[other]] = [at(pack, other), at(pack, place)];
  }
  return pack;
}

/** Deal cards one at a time from the dealer's left, until each seat has the number due to it; the rest is the kitty. */
export function dealOut(
  rules: ResolvedRules, pack: readonly Card[], due: readonly number[], dealNumber: number,
): { hands: Cards[]; kitty: Cards } {
  const hands: Card[][] = due.map(() => []);
  const rest = [...pack];
  let seat = rules.dealer(dealNumber);
  while (hands.some((hand, owner) => hand.length < at(due, owner))) {
    seat = seatAt(rules, seat, 1);
    const hand = at(hands, seat);
    if (hand.length < at(due, seat)) {
      hand.push(...rest.splice(0, 1));
    }
  }
  return { hands: hands.map(textOf), kitty: textOf(rest) };
}
