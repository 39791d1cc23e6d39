// GET / deals a game and answers with what seat 0 can see.

import { createServer } from "node:http";

const { HEARTS_URL, PORT } = process.env;

async function ask(operation, request) {
  const response = await fetch(`${HEARTS_URL}/v1/${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(5000),
  });
  const { ok, result, problems } = await response.json();
  if (!ok) {
    throw new Error(problems.map(({ message }) => message).join("; "));
  }
  return result;
}

async function look() {
  const { rules } = await ask("preset", { name: "microsoft" });
  const { state: start } = await ask("new-game", { rules });
  const { state } = await ask("deal", { state: start }); // keep it: a player must not see it
  return (await ask("view", { state, seat: 0 })).view;
}

const server = createServer(async (_, response) => {
  try {
    const view = await look();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(view));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
});
server.listen(PORT, () => console.log(`Answering at port ${server.address().port}`));
process.on("SIGTERM", () => server.close(() => process.exit(0)));
