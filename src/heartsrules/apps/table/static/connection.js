/** The socket of a page. It reconnects by itself, and a move in flight is not lost. */

import { local } from "./api.js";

const LONGEST_WAIT = 4000;
const FINAL = ["no-such-table", "unknown-token", "cannot-resume"];
/** Refusals that end an accepted connection. */
const ENDED = ["asleep", "seat-lost"];

export class Connection {
  /**
   * @param {string} table
   * @param {string | null} token of a seat; null: to watch
   * @param {string} language in which the server is to give reasons
   * @param {(message: any) => void} onMessage is given every message of the server
   * @param {(status: "connected" | "lost" | "refused", refusal?: any) => void} onStatus
   */
  constructor(table, token, language, onMessage, onStatus) {
    this.table = table;
    this.token = token;
    this.language = language;
    this.onMessage = onMessage;
    this.onStatus = onStatus;
    this.next = 1;
    this.failures = 0;
    this.closed = false;
    /** @type {{id: number, ply: number, move: object} | null} the move that has not been answered yet */
    this.pending = null;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = local ? new local.LocalSocket(this.table) : new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/socket`);
    this.socket = socket;
    this.greeted = false;
    /** The reason why the server refused the connection. */
    this.refusal = null;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", token: this.token, language: this.language }));
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.closed || this.socket !== socket) return;
      const wait = Math.min(LONGEST_WAIT, 100 * 2 ** this.failures++) * (0.75 + Math.random() / 2);
      this.onStatus("lost", this.refusal);
      this.timer = setTimeout(() => this.open(), wait);
    };
  }

  receive(message) {
    if (message.type === "refused" && (ENDED.includes(message.code) || (!this.greeted && FINAL.includes(message.code)))) {
      // To ask again would not help. Other refusals may be over at the next attempt.
      this.close();
      this.onStatus("refused", message);
      return;
    } else if (message.type === "refused" && !this.greeted) {
      this.refusal = message;
    } else if (message.type === "view" && !this.greeted) {
      this.greeted = true;
      this.failures = 0;
      this.onStatus("connected");
      this.resend(message);
    } else if (message.id !== undefined && message.id === this.pending?.id) {
      this.pending = null;
    }
    this.onMessage(message);
  }

  /** Send a move again after a break, if its question is still open: then it had not arrived. */
  resend(message) {
    const pending = this.pending;
    this.pending = null;
    const open = pending && message.choice.mine && message.since <= pending.ply && pending.ply <= message.ply;
    if (open) this.move(pending.ply, pending.move);
  }

  /**
   * Try a move.
   * @param {number} ply how many moves had been made when it was chosen
   * @param {object} move
   */
  move(ply, move) {
    this.pending = { id: this.next++, ply, move };
    this.send({ type: "move", ...this.pending, move: { heartsrules: 1, kind: "move", ...move } });
  }

  /**
   * Ask how a pass may go on that is being chosen. It is not sent again after a break.
   * @param {number} ply how many moves had been made
   * @param {object} move the pass as far as it is chosen
   * @returns {number} the number that the answer has
   */
  choose(ply, move) {
    const id = this.next++;
    this.send({ type: "choose", id, ply, move: { heartsrules: 1, kind: "move", ...move } });
    return id;
  }

  /**
   * Ask for something else. Unlike a move, it is not sent again after a break.
   * @returns {boolean} whether it could be sent
   */
  ask(request) {
    return this.send({ ...request, id: this.next++ });
  }

  send(message) {
    const open = this.socket.readyState === WebSocket.OPEN;
    if (open) this.socket.send(JSON.stringify(message));
    return open;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
