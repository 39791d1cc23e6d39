// Plays a deal by the client that a generator makes of the OpenAPI description: node built/play.js ADDRESS

import { argv } from "node:process";
import { client } from "./client/client.gen";
import { deal, legalMoves, newGame, preset, transition } from "./client/sdk.gen";
import type { Move, State } from "./client/types.gen";

/** The result of an answer. */
function result<T>({ data, error }: { data?: { result: T }; error?: unknown }): T {
  if (data === undefined) {
    throw new Error(JSON.stringify(error));
  }
  return data.result;
}

async function main(address: string): Promise<void> {
  client.setConfig({ baseUrl: address });
  const { rules } = result(await preset({ body: { name: "microsoft", players: 4 } }));
  const { state: start } = result(await newGame({ body: { rules } }));
  let state: State = result(await deal({ body: { state: start, seed: "table 7" } })).state;
  let moves = 0;
  while (state.phase !== "awaiting-deal" && state.phase !== "game-over") {
    const [move]: Move[] = result(await legalMoves({ body: { state } })).moves;
    state = result(await transition({ body: { state, move } })).state;
    moves += 1;
  }
  console.log(`${moves} moves: ${state.scores.join(" ")}`);
}

void main(argv[2] ?? "http://127.0.0.1:8001");
