// Plays a deal by fetch, with the types that openapi-typescript makes: node built/play-types.js ADDRESS

import { argv } from "node:process";
import type { components, paths } from "./types";

type Path = keyof paths;
type Request<P extends Path> = paths[P]["post"]["requestBody"]["content"]["application/json"];
type Answer<P extends Path> = paths[P]["post"]["responses"][200]["content"]["application/json"];
type State = components["schemas"]["State"];

const address = argv[2] ?? "http://127.0.0.1:8001";

async function ask<P extends Path>(path: P, request: Request<P>): Promise<Answer<P>["result"]> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(address + path, { method: "POST", headers, body: JSON.stringify(request) });
  if (!response.ok) {
    throw new Error(await response.text());
  }
  return ((await response.json()) as Answer<P>).result;
}

async function main(): Promise<void> {
  const { rules } = await ask("/v1/preset", { name: "microsoft", players: 4 });
  const { state: start } = await ask("/v1/new-game", { rules });
  let state: State = (await ask("/v1/deal", { state: start, seed: "table 7" })).state;
  let moves = 0;
  while (state.phase !== "awaiting-deal" && state.phase !== "game-over") {
    const { moves: legal }: Answer<"/v1/legal-moves">["result"] = await ask("/v1/legal-moves", { state });
    state = (await ask("/v1/transition", { state, move: legal[0]! })).state;
    moves += 1;
  }
  console.log(`${moves} moves: ${state.scores.join(" ")}`);
}

void main();
