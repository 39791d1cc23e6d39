/** The socket of a page: it reconnects, notices a dead connection, and sends nothing twice. */

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Connection, PATIENCE, SILENCE, type Socket } from "../connection.ts";

class FakeSocket implements Socket {
  readyState = 1;
  onopen: ((event: object) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: object) => void) | null = null;
  readonly sent: any[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.({});
  }
  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  get kinds(): string[] {
    return this.sent.map(({ type }) => type);
  }
}

const VIEW = { type: "view", ply: 4, since: 4, choice: { mine: true } };
let sockets: FakeSocket[];
let said: string[];

function connect(): Connection {
  const socket = () => sockets[sockets.push(new FakeSocket()) - 1];
  const connection = new Connection(socket, () => ({ type: "hello" }), () => undefined, (status) => said.push(status));
  sockets[0].onopen?.({});
  sockets[0].tell(VIEW);
  return connection;
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [sockets, said] = [[], []];
});

test("a connection on which nobody answers is given up and made anew", () => {
  connect();
  mock.timers.tick(SILENCE);
  assert.deepEqual(sockets[0].kinds, ["hello", "ping"]);
  mock.timers.tick(PATIENCE);
  assert.deepEqual(said, ["connected", "lost"]);
  mock.timers.tick(200);
  assert.equal(sockets.length, 2);
});

test("a sign of life keeps it", () => {
  connect();
  for (let time = 0; time < 5; time += 1) {
    mock.timers.tick(SILENCE);
    sockets[0].tell({ type: "pong" });
  }
  mock.timers.tick(SILENCE - 1);
  assert.deepEqual([sockets.length, said], [1, ["connected"]]);
});

test("a page that is seen again, or whose network is back, asks at once", () => {
  const connection = connect();
  connection.wake();
  assert.equal(sockets[0].kinds.at(-1), "ping");
  mock.timers.tick(PATIENCE);
  assert.equal(said.at(-1), "lost");
  connection.wake();
  assert.equal(sockets.length, 2, "it does not wait for the next attempt");
});

test("two presses on a card send one move", () => {
  const connection = connect();
  connection.move(4, { move: "play", card: "2C" });
  connection.move(4, { move: "play", card: "2C" });
  assert.deepEqual(sockets[0].kinds, ["hello", "move"]);
  sockets[0].tell({ type: "refused", id: 1, code: "illegal-move", message: "", problems: [] });
  connection.move(4, { move: "play", card: "3C" });
  assert.equal(sockets[0].sent.at(-1).move.card, "3C", "after an answer another one can be tried");
});

test("a move that had not arrived is sent again while its question is open", () => {
  const connection = connect();
  connection.move(4, { move: "play", card: "2C" });
  sockets[0].close();
  mock.timers.tick(200);
  sockets[1].tell(VIEW);
  assert.deepEqual(sockets[1].kinds, ["move"]);
  sockets[1].close();
  mock.timers.tick(400);
  sockets[2].tell({ ...VIEW, ply: 8, since: 8 });
  assert.deepEqual(sockets[2].kinds, []);
});

test("what is asked for is answered once, or not at all if the connection is lost", async () => {
  const connection = connect();
  const [done, lost] = [connection.ask({ type: "undo" }), connection.ask({ type: "start" })];
  sockets[0].tell({ type: "accepted", id: 1, ply: 4 });
  sockets[0].close();
  assert.deepEqual([(await done)?.type, await lost], ["accepted", null]);
  assert.equal(await connection.ask({ type: "undo" }), null, "it is not sent");
});

test("a refusal that does not change ends the connection", () => {
  const connection = new Connection(() => sockets[sockets.push(new FakeSocket()) - 1], () => ({}), () => undefined, (status) => said.push(status));
  sockets[0].tell({ type: "refused", id: null, code: "unknown-token", message: "", problems: [] });
  mock.timers.tick(60_000);
  connection.wake();
  assert.deepEqual([sockets.length, said], [1, ["refused"]]);
});

test("a refusal of a message that was not even read answers what was asked for", async () => {
  const asked = connect().ask({ type: "undo" });
  sockets[0].tell({ type: "refused", id: null, code: "too-many-messages", message: "", problems: [] });
  assert.equal((await asked)?.type, "refused");
});
