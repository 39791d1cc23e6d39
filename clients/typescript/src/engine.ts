// The rules of Hearts with all options, without a server:
//
//   let state: State = newGame({ moon: "shooter-down" });
//   state = transition(state, dealFor(newGame(), "table 7")).state;
//   const moves = legalMoves(viewOf(state, 0));
//
// Rule sets, states, views, moves and events are documents of the wire format, and are taken as valid: judge documents
// from strangers with the Python package. The engine is written from docs/reference/rules.md.

export * from "./advance.js";
export * from "./cards.js";
export type * from "./documents.js";
export * from "./game.js";
export * from "./moves.js";
export * from "./plays.js";
export * from "./rules.js";
export * from "./scoring.js";
export * from "./shuffle.js";
export * from "./views.js";
export * from "./words.js";
