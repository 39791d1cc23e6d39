/** A position as the board and the hand show it: what follows from the view of a seat, in the words of the page. */

import { cardName } from "./cards.js";
import { isolated, say } from "./words.js";

export class Position {
  constructor() {
    /** Who plays, as in the last message of the type `table`. @type {any} */
    this.table = null;
    /** The view, as in the last message of the type `view`. @type {any} */
    this.now = null;
    /** The hint for the current question. @type {{ply: number, sentence: string, move: any} | null} */
    this.hint = null;
    /** Whether a deal has just ended, and its last trick is still shown. */
    this.looking = false;
    /** What opens the sheet beside the board, on its button; empty: there is none. */
    this.opens = say("papers.open");
  }

  /** What stands on a card of the hand, and whether that is good; undefined: nothing. @param {string} card
   *  @returns {{text: string, told: string, good: boolean} | undefined} */
  verdict(card) {
    return undefined;
  }

  /** @returns {number | null} */
  get seat() {
    return this.table?.seat ?? null;
  }

  get players() {
    return this.table.people.length;
  }

  /** The deal in play, or else the last one. */
  get course() {
    const { view } = this.now;
    return view.phase === "playing" ? view : ["passing", "dealing-back", "exposing"].includes(view.phase) ? null : view.last_deal;
  }

  /** By finished deal, the changes of the shown totals, so that the rows of the sheet add up. */
  get points() {
    const { start, sheet } = this.now.facts;
    return sheet.map((after, deal) => after.map((each, seat) => each - (deal ? sheet[deal - 1] : start)[seat]));
  }

  /** Whether the shown deal has been scored. */
  get scored() {
    return ["awaiting-deal", "game-over"].includes(this.now.view.phase);
  }

  /** The points of a seat in the shown deal; before it is scored, those of the cards taken so far. */
  dealPoints(seat) {
    return this.scored ? (this.points.at(-1)?.[seat] ?? 0) : this.now.facts.taken[seat].points;
  }

  /** The name of a seat on this page. */
  name(seat) {
    if (seat === this.seat) return say("you");
    return this.table.people[seat].name || say("seat.number", { number: seat + 1 });
  }

  /** The player of a seat, for sentences. */
  who(seat) {
    return { name: seat === null ? "" : isolated(this.name(seat)), you: seat !== null && seat === this.seat };
  }

  /** The team of a seat, from 0; null: each plays alone. */
  team(seat) {
    return this.table.teams ? seat % this.table.teams : null;
  }

  /** The special effect of a card; undefined: none. */
  mark(card) {
    return this.now.facts.marks[card];
  }

  markName(card) {
    const { kind, worth } = this.mark(card);
    return say(`mark.${kind}`, { worth });
  }

  /** The name of a card, with its special effect. */
  named(card) {
    return this.mark(card) ? `${cardName(card)}, ${this.markName(card)}` : cardName(card);
  }

  /** The gifts of the pass, in words. */
  giftTexts() {
    return this.now.facts.plan.map(([offset, count]) => {
      if (!offset) return say("gift.middle", { count });
      const to = this.seat === null ? null : (this.seat + offset + this.players) % this.players;
      return to === null ? say("gift.way", { count, way: Math.abs(offset) * 2 === this.players ? "across" : offset > 0 ? "left" : "right", seats: Math.abs(offset) }) : say("gift.to", { count, name: isolated(this.name(to)) });
    });
  }
}
