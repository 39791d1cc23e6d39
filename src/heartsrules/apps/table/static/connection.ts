/** The socket of a page. It reconnects by itself, notices that nobody answers, and loses no move in flight. */

import type { Message, Move, Refusal, Viewed } from "./types.ts";

export interface Socket {
  readyState: number;
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null;
  onclose: ((event: any) => void) | null;
  send(text: string): void;
  close(): void;
}
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
const documentOf = (move: Move) => ({ heartsrules: 1, kind: "move", ...move });

export class Connection {
  private socket!: Socket;
  private next = 1;
  private failures = 0;
  private closed = false;
  private greeted = false;
  private refusal: Refusal | null = null;
  /** The move that has not been answered yet. */
  private pending: { id: number; ply: number; move: Move } | null = null;
  /** By number, what is called with the answer of a request; with null if the connection is lost before. */
  private readonly asked = new Map<number, (message: Message | null) => void>();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;

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
    clearTimeout(this.retry);
    const socket = this.connect();
    this.socket = socket;
    this.greeted = false;
    this.refusal = null;
    this.listen();
    socket.onopen = () => socket.send(JSON.stringify(this.hello()));
    socket.onmessage = ({ data }) => this.socket === socket && this.receive(JSON.parse(data) as Message);
    socket.onclose = () => this.socket === socket && this.lost();
  }

  private listen(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.ping(), SILENCE);
  }

  /** Give up a socket on which nobody answers: its own end may come minutes later. */
  private ping(): void {
    this.send({ type: "ping" });
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.drop();
      this.lost();
    }, PATIENCE);
  }

  private drop(): void {
    const { socket } = this;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.forget();
  }

  private lost(): void {
    clearTimeout(this.silence);
    clearTimeout(this.retry);
    if (this.closed) return;
    this.forget();
    const wait = Math.min(LONGEST_WAIT, 100 * 2 ** this.failures++) * (0.75 + Math.random() / 2);
    this.retry = setTimeout(() => this.open(), wait);
    this.onStatus("lost", this.refusal);
  }

  private forget(): void {
    for (const answer of this.asked.values()) answer(null);
    this.asked.clear();
  }

  /** Look after the connection at once: the network is back, or the page is seen again. */
  wake(): void {
    if (this.closed) return;
    if (this.ready) this.ping();
    else {
      this.failures = 0;
      this.restart();
    }
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
    if (id === null) return;
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
  move(ply: number, move: Move): void {
    if (this.pending?.ply === ply) return;
    this.pending = { id: this.request({ type: "move", ply, move: documentOf(move) }), ply, move };
  }

  /** Ask how a pass may go on that is being chosen; the result is the id of the answer. A break ends the question. */
  choose(ply: number, move: Move): number {
    return this.request({ type: "choose", ply, move: documentOf(move) });
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
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    this.socket.close();
    this.forget();
  }
}
