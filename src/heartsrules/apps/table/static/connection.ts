/** The socket of a page. It reconnects by itself, notices that nobody answers, and loses no move in flight. */

import type { Message, Move, Refusal, Viewed } from "./types.ts";

/** The part of a `WebSocket` that is used. */
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

interface Pending {
  id: number;
  ply: number;
  move: Move;
}

export class Connection {
  private socket!: Socket;
  private next = 1;
  private failures = 0;
  private closed = false;
  private greeted = false;
  /** The reason why the server refused the connection. */
  private refusal: Refusal | null = null;
  /** The move that has not been answered yet. */
  private pending: Pending | null = null;
  /** By number, what is called with the answer of a request; with null if the connection is lost before. */
  private readonly asked = new Map<number, (message: Message | null) => void>();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param connect makes a socket
   * @param hello the first message on it
   * @param onMessage is given every message of the server
   */
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

  /** Ask the server whether it is there after a silence, and give up a socket on which it does not answer. */
  private listen(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.send({ type: "ping" });
      this.silence = setTimeout(() => this.drop(), PATIENCE);
    }, SILENCE);
  }

  /** Give up a socket: its own end may come minutes later. */
  private drop(): void {
    const { socket } = this;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.lost();
  }

  private lost(): void {
    clearTimeout(this.silence);
    if (this.closed) return;
    for (const answer of this.asked.values()) answer(null);
    this.asked.clear();
    const wait = Math.min(LONGEST_WAIT, 100 * 2 ** this.failures++) * (0.75 + Math.random() / 2);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.open(), wait);
    this.onStatus("lost", this.refusal);
  }

  /** Look after the connection at once: the network is back, or the page is seen again. */
  wake(): void {
    if (this.closed) return;
    if (this.socket.readyState !== OPEN) {
      this.failures = 0;
      this.restart();
    } else {
      this.send({ type: "ping" });
      clearTimeout(this.silence);
      this.silence = setTimeout(() => this.drop(), PATIENCE);
    }
  }

  /** Connect again, as for another language. */
  restart(): void {
    this.socket.onclose = null;
    this.socket.close();
    this.open();
  }

  private receive(message: Message): void {
    this.listen();
    if (message.type === "refused" && (ENDED.includes(message.code) || (!this.greeted && FINAL.includes(message.code)))) {
      // To ask again would not help. Other refusals may be over at the next attempt.
      this.close();
      this.onStatus("refused", message);
      return;
    }
    if (message.type === "refused" && !this.greeted) this.refusal = message;
    else if (message.type === "view" && !this.greeted) {
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

  /** Send a move again after a break, if its question is still open: then it had not arrived. */
  private resend({ choice, since, ply }: Pick<Viewed, "choice" | "since" | "ply">): void {
    const { pending } = this;
    this.pending = null;
    if (pending && choice.mine && since <= pending.ply && pending.ply <= ply) this.move(pending.ply, pending.move);
  }

  /** Try a move that was chosen after `ply` moves. Until it is answered, no other one is sent for the same ply. */
  move(ply: number, move: Move): void {
    if (this.pending?.ply === ply) return;
    this.pending = { id: this.next++, ply, move };
    this.send({ type: "move", ...this.pending, move: { heartsrules: 1, kind: "move", ...move } });
  }

  /** Ask how a pass may go on that is being chosen; the result is the id of the answer. A break ends the question. */
  choose(ply: number, move: Move): number {
    const id = this.next++;
    this.send({ type: "choose", id, ply, move: { heartsrules: 1, kind: "move", ...move } });
    return id;
  }

  /** Ask for something else: the answer, or null if the connection is lost. It is not asked again after a break. */
  ask(request: Request): Promise<Message | null> {
    const id = this.next++;
    if (!this.send({ ...request, id })) return Promise.resolve(null);
    return new Promise((done) => this.asked.set(id, done));
  }

  /** Ask for a series of answers; the result is their id. */
  request(request: Request): number {
    const id = this.next++;
    this.send({ ...request, id });
    return id;
  }

  /** Whether a request would be sent now. */
  get ready(): boolean {
    return this.socket.readyState === OPEN;
  }

  private send(message: object): boolean {
    if (this.ready) this.socket.send(JSON.stringify(message));
    return this.ready;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    this.socket.close();
    for (const answer of this.asked.values()) answer(null);
    this.asked.clear();
  }
}

