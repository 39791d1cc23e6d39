// A player in JavaScript, for Node.js, without any package. It ducks: it plays as high as it can below the card that is
// winning, and discards what is dearest. In heartsrules it takes a seat by
//   heartsrules match external:"node player.mjs" heuristic
import { createInterface } from "node:readline";

const RANKS = "23456789TJQKA";
const rank = (card) => RANKS.indexOf(card[0]);
const suit = (card) => card[1];
const dear = (card) => (card === "QS" ? 13 : suit(card) === "H" ? 1 : 0);

/** The card to play: each of `cards` is legal. */
function duck(cards, trick) {
  const low = [...cards].sort((one, other) => rank(one) - rank(other));
  if (trick.length === 0) {
    return low[0];
  }
  const led = suit(trick[0]);
  if (suit(low[0]) !== led) {
    return [...low].sort((one, other) => dear(other) - dear(one) || rank(other) - rank(one))[0];
  }
  const best = Math.max(...trick.filter((card) => suit(card) === led).map(rank));
  const below = low.filter((card) => rank(card) < best);
  return below.length > 0 ? below.at(-1) : low[0];
}

/** What each request gets. `view` is all that the seat may know; `moves` are what it may do. */
const operations = {
  hello: () => ({ protocol: 1, name: "Duck", author: "the documentation of heartsrules" }),
  "new-game": () => ({}), // it remembers nothing
  choose: ({ view, moves, seed }) => {
    if (moves[0].move === "play") {
      const card = duck(moves.map((move) => move.card), view.trick);
      return { move: moves.find((move) => move.card === card) };
    }
    // Anything else is left to chance, and all chance comes from the seed: so a game can be played again.
    return { move: moves[Number(BigInt(`0x${seed}`) % BigInt(moves.length))] };
  },
};

// One line in, one line out. When the input ends, so does the program.
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op, ...request } = JSON.parse(line);
  const known = Object.hasOwn(operations, op);
  const answer = known
    ? { id, ok: true, result: operations[op](request) }
    : { id, ok: false, problems: [{ place: "/op", code: "no-such-operation", message: `there is no ${op}` }] };
  console.log(JSON.stringify(answer));
}
