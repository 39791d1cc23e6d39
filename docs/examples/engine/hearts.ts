// The rules of Hearts, with all options, for programs in TypeScript: everything that an app needs, from one place.
//
//   let state: State = newGame({ moon: "shooter-down" });
//   state = transition(state, dealFor(state, seed)).state;
//   const moves = legalMoves(state, 0);
//
// States, views, moves and events are documents of the wire format (docs/reference/wire.md), and are taken as valid: what
// comes from outside is for a server with the library to judge. Written from docs/reference/rules.md alone.

export * from "./cards.js";
export * from "./engine.js";
export * from "./plays.js";
export * from "./rules.js";
export * from "./scoring.js";
export * from "./shuffle.js";
export * from "./views.js";
