/** The socket of a page. It reconnects by itself, notices that nobody answers, and loses no move in flight. */

import type { Message, Refusal, Viewed } from "./types.ts";

export type Socket = Pick<WebSocket, "readyState" | "onopen" | "onmessage" | "onclose" | "send" | "close">;
export type Status = "connected" | "lost" | "refused";
export type Request = { type: string; [field: string]: unknown };

const OPEN = 1;
const LONGEST_WAIT = 4000;
/** Silence after which the server is asked whether it is there, and how long it has to answer, in milliseconds. */
export const SILENCE = 10_000;
export const PATIENCE = 5_000;
const FINAL = ["no-such-table", "unknown-token", "cannot-resume"];
/** Refusals that end an accepted connection. */
const ENDED = ["asleep", "seat-lost"];

export class Connection {
  private socket!: Socket;
  private next = 1;
  private failures = 0;
  private closed = false;
  private greeted = false;
  private refusal: Refusal | null = null;
  /** The move that has not been answered yet. */
  private pending: { id: number; ply: number; move: object } | null = null;
  /** By number, what is called with the answer of a request; with null if the connection is lost before. */
  private readonly asked = new Map<number, (message: Message | null) => void>();
  /** What comes next: asking whether the server is there, giving it up, or another attempt. */
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `hello` is the first message on each socket that `connect` makes. */
  constructor(
    private readonly connect: () => Socket,
    private readonly hello: () => object,
    private readonly onMessage: (message: Message) => void,
    private readonly onStatus: (status: Status, refusal?: Refusal | null) => void,
  ) {
    this.open();
  }

  private open(): void {
    const socket = this.connect();
    this.socket = socket;
    this.greeted = false;
    this.refusal = null;
    this.listen();
    socket.onopen = () => socket.send(JSON.stringify(this.hello()));
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data) as Message);
    socket.onclose = () => this.lost();
  }

  private after(milliseconds: number, act: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, milliseconds);
  }

  private listen(): void {
    this.after(SILENCE, () => this.ping());
  }

  /** Give up a socket on which nobody answers: its own end may come minutes later. */
  private ping(): void {
    this.send({ type: "ping" });
    this.after(PATIENCE, () => {
      this.drop();
      this.lost();
    });
  }

  private drop(): void {
    const { socket } = this;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.answerAll(null);
  }

  private lost(): void {
    this.answerAll(null);
    const wait = Math.min(LONGEST_WAIT, 100 * 2 ** this.failures++) * (0.75 + Math.random() / 2);
    this.after(wait, () => this.open());
    this.onStatus("lost", this.refusal);
  }

  private answerAll(message: Message | null): void {
    for (const answer of this.asked.values()) answer(message);
    this.asked.clear();
  }

  /** Look after the connection at once: the network is back, or the page is seen again. */
  wake(): void {
    if (this.closed) return;
    this.failures = 0;
    if (this.ready) this.ping();
    else this.restart();
  }

  restart(): void {
    this.drop();
    this.open();
  }

  private receive(message: Message): void {
    this.listen();
    const first = !this.greeted;
    if (message.type === "refused" && (ENDED.includes(message.code) || (first && FINAL.includes(message.code)))) {
      // To ask again would not help. Other refusals may be over at the next attempt.
      this.close();
      this.onStatus("refused", message);
      return;
    }
    if (first && message.type === "refused") this.refusal = message;
    else if (first && message.type === "view") {
      this.greeted = true;
      this.failures = 0;
      this.onStatus("connected");
      this.resend(message);
    }
    const id = "id" in message ? message.id : null;
    if (id !== null && id === this.pending?.id) this.pending = null;
    this.onMessage(message);
    // A refusal without a number is of a message that was not even read, which may be any.
    if (id === null) {
      if (message.type === "refused") this.answerAll(message);
      return;
    }
    this.asked.get(id)?.(message);
    this.asked.delete(id);
  }

  /** Send the move again that was not answered, while its question is open. */
  private resend({ choice, since, ply }: Pick<Viewed, "choice" | "since" | "ply">): void {
    const { pending } = this;
    this.pending = null;
    if (pending && choice.mine && since <= pending.ply && pending.ply <= ply) this.move(pending.ply, pending.move);
  }

  /** Try a move that was chosen after `ply` moves. Until it is answered, no other one is sent for the same ply. */
  move(ply: number, move: object): void {
    if (this.pending?.ply !== ply) this.pending = { id: this.request({ type: "move", ply, move }), ply, move };
  }

  /** Ask for something else: the answer, or null if the connection is lost. It is not asked again after a break. */
  ask(request: Request): Promise<Message | null> {
    if (!this.ready) return Promise.resolve(null);
    const id = this.request(request);
    return new Promise((done) => this.asked.set(id, done));
  }

  /** Send a request; the result is the id of its answers. */
  request(request: Request): number {
    const id = this.next++;
    this.send({ ...request, id });
    return id;
  }

  get ready(): boolean {
    return this.socket.readyState === OPEN;
  }

  private send(message: object): void {
    if (this.ready) this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.drop();
  }
}
