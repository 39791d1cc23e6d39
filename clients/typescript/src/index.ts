// The engine and the client.

export * from "./client.js";
export * from "./engine.js";
