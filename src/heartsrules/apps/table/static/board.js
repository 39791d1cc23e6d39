/** The table: the seats around it, their cards, and the middle. */

import { cardBack, cardDrawn, cardFace, cardName, cardSmall, cardsOf, pip } from "./cards.js";
import { style } from "./choices.js";
import { el, named, set, svg, update } from "./dom.js";
import { botFace } from "./faces.js";
import { collect, fly } from "./motion.js";
import { allApart, seated, trick } from "./place.js";
import { isolated, list, say, signed, total } from "./words.js";

/** Widths of a plate that are tried, in rem. */
const PLATES = [9.4, 8.2, 7.2, 6.4, 5.8, 5.2, 4.7, 4.2];
/** Least width of a card of the trick, in pixels. */
const LEAST = 12;
/** How good a layout is: most names fit 6.4 rem, a card of 64 pixels is large enough, and one below 24 is hard to read. */
const worth = ({ plate, trick: { card } }) => Math.min(card, 64) + 0.25 * Math.max(0, card - 64) - 4 * Math.max(0, 24 - card) + 3 * Math.min(plate, 6.4) + Math.max(0, plate - 6.4);

/** Limit of drawn cards of the kitty. */
const KITTY = 5;

export class Board {
  /** @param {import("./table.js").TableView | import("./study.js").Study} table */
  constructor(table) {
    this.table = table;
    /** The trick whose cards have been moved to its winner. */
    this.gone = null;
    this.seats = el("ol", { class: "seats", "aria-label": say("board.seats") });
    this.arrows = svg("svg", { class: "arrows", "aria-hidden": "true" });
    this.facts = el("p", { id: "facts" });
    this.teams = el("p", { class: "teams" });
    this.kitty = el("div", { id: "kitty" });
    this.lost = el("p", { id: "lost" });
    this.heading = el("div", { class: "heading" }, this.facts, this.kitty, this.lost, this.teams, table.opens && el("button", { class: "small", popovertarget: "papers" }, table.opens));
    this.centre = el("div", { class: "centre" });
    this.node = el("section", { class: "board", "aria-label": say("board.name") }, this.arrows, this.heading, this.centre, this.seats);
    /** The layout, and the sizes that it was made for. @type {{plate: number, top: number, wide: number, high: number, plates: any[], trick: any} | null} */
    this.laid = null;
    this.key = "";
    this.sized = new ResizeObserver(() => this.arrange());
    this.sized.observe(this.node);
  }

  close() {
    this.sized.disconnect();
  }

  // ------------------------------------------------------------------------------------------------ what lies there

  /** The last completed trick. @returns {{leader: number, plays: string[], winner: number | null} | undefined} */
  get completed() {
    return this.table.course?.tricks?.at(-1);
  }

  seatAt(trick, offset) {
    return (trick.leader + offset) % this.table.players;
  }

  /** The cards on the table, in the order of play; between two tricks, those of the last one. */
  get lying() {
    const { view } = this.table.now;
    const current = view.phase === "playing" && view.trick.length > 0;
    const trick = current ? { leader: view.leader, plays: view.trick, winner: null } : ["passing", "dealing-back", "exposing"].includes(view.phase) ? undefined : this.completed;
    const lying = new Map();
    if (trick && trick !== this.gone) trick.plays.forEach((card, offset) => lying.set(this.seatAt(trick, offset), card));
    return { lying, winner: current ? null : (trick?.winner ?? null), over: !current };
  }

  /** The seats whose cards cancel each other. @param {Map<number, string>} lying */
  cancelled(lying) {
    const cards = [...lying.values()];
    const seats = [...lying].filter(([, card]) => cards.indexOf(card) !== cards.lastIndexOf(card)).map(([seat]) => seat);
    return new Set(this.table.now.facts.equal_cards_cancel ? seats : []);
  }

  // ----------------------------------------------------------------------------------------------------- rendering

  render() {
    const { now, players } = this.table;
    const { lying, winner, over } = this.lying;
    const cancelled = this.cancelled(lying);
    set(this.node, { "data-phase": now.view.phase });
    this.node.classList.toggle("over", over);
    while (this.seats.children.length < players) this.seats.append(this.seat(this.seats.children.length));
    [...this.seats.children].forEach((item, seat) => {
      const acting = now.choice.to_act.includes(seat);
      const card = lying.get(seat);
      const leading = seat === (over ? winner : now.facts.winning_seat) && card !== undefined;
      item.className = ["seat", acting && "acting", seat === this.table.seat && "own", leading && "winner", cancelled.has(seat) && "cancelled", this.table.team(seat) !== null && `team-${this.table.team(seat)}`].filter(Boolean).join(" ");
      const [who, played] = item.children;
      update(who, ...this.plate(seat));
      update(played, card && cardFace(card, this.table.mark(card)?.sign), card && el("span", { class: "sr" }, `: ${this.table.named(card)}${leading ? `, ${say(over ? "seat.took" : "seat.winning")}` : ""}${cancelled.has(seat) ? `, ${say("seat.cancelled")}` : ""}`));
    });
    this.renderFacts();
    this.renderAside();
    this.renderLost();
    this.renderCentre();
    this.arrange();
  }

  seat(seat) {
    return el("li", { class: "seat", "data-seat": seat }, el("div", { class: "who" }), el("div", { class: "played" }));
  }

  /** The plate of a seat. */
  plate(seat) {
    const { table } = this;
    const { facts } = table.now;
    const person = table.table.people[seat];
    const open = facts.open[seat];
    const held = facts.hand_sizes[seat] ?? 0;
    const doing = facts.doing[seat];
    const state = [
      person.kind === "person" && !person.here && say(person.stand_in ? "seat.stand-in" : "seat.away"),
      doing === "choosing" && say("seat.choosing"),
      doing === "has-chosen" && say("seat.ready"),
    ].filter(Boolean);
    const told = [
      say("seat.points", { points: facts.totals[seat] }),
      table.team(seat) !== null && say("seat.team", { team: table.team(seat) + 1 }),
      ...(table.course ? this.takenTold(seat) : []),
      held && say("seat.holds", { count: held }),
      seat === facts.dealer && say("seat.dealer"),
      person.kind === "bot" && say("seat.bot", { style: style(person.level) }),
      doing === "to-play" && say("seat.to-play"),
      ...state,
    ].filter(Boolean);
    return [
      seat !== table.seat && held > 0 && el("span", { class: "held", "aria-hidden": "true" }, this.backs(held - open.length)),
      el("span", { class: "line", title: person.kind === "bot" && `${table.name(seat)}: ${style(person.level)}` },
        person.kind === "bot" && botFace(seat, person.level),
        named(table.name(seat), "name"),
        seat === facts.dealer && el("span", { class: "dealer", "aria-hidden": "true", title: say("seat.dealer") }, say("seat.dealer-sign")),
      ),
      el("span", { class: "sr" }, `, ${told.join(", ")}`),
      el("span", { class: "score", "aria-hidden": "true" }, el("b", {}, total(facts.totals[seat])), table.course && this.chips(seat), state.length > 0 && el("span", { class: "state" }, state.join(", "))),
      open.length > 0 && el("span", { class: "open" }, open.map(cardSmall), el("span", { class: "sr" }, say("seat.exposed", { cards: list(open.map((each) => table.named(each))) }))),
    ];
  }

  /** Another player's hand, as backs. */
  backs(count) {
    return Array.from({ length: Math.min(count, 13) }, cardBack);
  }

  /** The cards that a seat has taken in this deal, in signs. */
  chips(seat) {
    const { hearts, cards } = this.table.now.facts.taken[seat];
    const points = this.table.dealPoints(seat);
    if (!hearts && !cards.length && !points) return [];
    return el("span", { class: "taken" },
      points !== 0 && el("span", { class: "deal" }, signed(points)),
      this.counting(hearts, cards),
    );
  }

  /** Cards that count: the number of hearts, and others one by one unless they are many. */
  counting(hearts, cards) {
    const many = cards.length > 4;
    return [
      hearts > 0 && el("span", { class: "chip" }, pip("H"), String(hearts)),
      ...(many ? [] : cards).map((card) => el("span", { class: "chip" }, cardDrawn(card))),
      many && el("span", { class: "chip" }, `${cards.length}×`),
    ];
  }

  /** The same in words. */
  takenTold(seat) {
    const { hearts, cards } = this.table.now.facts.taken[seat];
    const points = this.table.dealPoints(seat);
    const tricks = this.table.course.tricks_won[seat];
    return [
      say("seat.tricks", { count: tricks }),
      points !== 0 && say("seat.deal-points", { points }),
      hearts > 0 && say("seat.hearts", { count: hearts }),
      cards.length > 0 && list(cards.map((card) => this.table.named(card))),
    ];
  }

  renderFacts() {
    const { view } = this.table.now;
    const playing = view.phase === "playing";
    // Until the next deal comes, the cards are those of the last one.
    const number = view.deal_number + (view.phase === "awaiting-deal" && view.deal_number > 0 ? 0 : 1);
    const broken = playing && say(view.hearts_broken ? "board.broken" : "board.unbroken");
    update(this.facts,
      el("b", {}, say("board.deal", { number })),
      playing && el("span", {}, say("board.trick", { number: view.trick_number + 1 })),
      this.table.table.hints === "always" && el("span", {}, say("board.hints")),
      playing && el("span", { class: view.hearts_broken ? "hearts broken" : "hearts" }, pip("H"), broken),
    );
  }

  /** The kitty, and the totals of teams. */
  renderAside() {
    const { view, facts } = this.table.now;
    const course = this.table.course;
    const taker = course?.kitty_winner ?? null;
    const faces = cardsOf(course?.kitty ?? "");
    const others = faces.length - KITTY;
    const seen = [
      ...faces.slice(0, KITTY).map(cardSmall),
      others > 0 && el("span", { class: "others", "aria-hidden": "true" }, say("board.others", { count: others })),
      faces.length > 0 && el("span", { class: "sr" }, list(faces.map(cardName))),
    ];
    const pile = (label, inside) => el("div", { class: "pile" }, el("span", { class: "label", title: label }, label), el("span", { class: "cards" }, inside));
    const kitty = facts.kitty_size > 0 && view.phase !== "game-over" && (taker === null
      ? pile(say("board.kitty", { count: facts.kitty_size }), Array.from({ length: Math.min(3, facts.kitty_size) }, cardBack))
      : pile(say("board.kitty-to", { ...this.table.who(taker) }), seen));
    const teams = this.table.table.teams > 0 && view.phase !== "game-over" && facts.standings.toSorted((a, b) => a.seats[0] - b.seats[0]).map(({ seats, total: points }) =>
      el("span", { class: `team team-${this.table.team(seats[0])}` }, say("board.team", { team: this.table.team(seats[0]) + 1, points: total(points) })));
    update(this.teams, teams || null);
    update(this.kitty, kitty || null);
  }

  /** The cards that nobody won: those that count in signs, and the number of the others. */
  renderLost() {
    const { view, facts } = this.table.now;
    const lost = view.phase === "playing" ? cardsOf(view.set_aside) : [];
    if (!lost.length) {
      update(this.lost);
      return;
    }
    const { hearts, cards } = facts.aside;
    const others = lost.length - hearts - cards.length;
    update(this.lost,
      el("span", {}, say("board.set-aside", { count: lost.length })),
      el("span", { class: "taken", "aria-hidden": "true" }, this.counting(hearts, cards), others > 0 && el("span", { class: "others" }, say("board.others", { count: others }))),
      el("span", { class: "sr" }, `: ${list(lost.map((card) => this.table.named(card)))}`),
    );
  }

  /** The pass; and before the next deal, which one has ended: the plates tell what it has cost. */
  renderCentre() {
    const { view, facts } = this.table.now;
    const score = view.phase === "awaiting-deal" && !this.table.looking && view.score_sheet.at(-1);
    const passing = facts.plan.length > 0;
    this.centre.hidden = !score && !passing;
    this.node.toggleAttribute("data-scored", Boolean(score));
    if (score) {
      update(this.centre, el("p", { class: "label" }, el("span", {}, say("board.after", { number: view.score_sheet.length })), score.shooter !== null && el("span", {}, say("event.moon-shot", this.table.who(score.shooter)))));
    } else if (passing) {
      const all = facts.plan.length === this.table.players - 1;
      update(this.centre, el("p", { class: "label" }, all ? say("board.pass-all") : this.table.giftTexts().map((text) => el("span", {}, text))));
    }
  }

  // ----------------------------------------------------------------------------------------------------- the places

  /** Lay everything out, by the size of the table and of what is on it. */
  arrange() {
    const { clientWidth: wide, clientHeight: high } = this.node;
    if (!wide || !high || !this.table.now) return;
    const { players } = this.table;
    const seats = /** @type {HTMLElement[]} */ ([...this.seats.children]);
    const turned = seats.map((_, turn) => seats[((this.table.seat ?? 0) + turn) % players]);
    const heading = /** @type {HTMLElement[]} */ ([...this.heading.children]).filter((each) => each.offsetWidth);
    const words = heading.map(({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) => ({ x: offsetLeft + offsetWidth / 2, y: offsetTop + offsetHeight / 2, wide: offsetWidth, high: offsetHeight }));
    const room = { wide, high, words, below: this.heading.offsetTop + this.heading.offsetHeight };
    const key = () => JSON.stringify([room, this.plates(turned)]);
    if (key() !== this.key) {
      this.lay(turned, room);
      this.key = key();
    }
    if (!this.laid) return;
    const { middle } = this.laid.trick;
    this.drawArrows(wide, high, middle);
    this.placeLabel(wide, middle);
  }

  /** The sizes of the plates as they are, with the backs above them. */
  plates(turned) {
    return turned.map((item) => {
      const [who, held] = [item.firstElementChild, item.querySelector(".held")];
      const lift = held?.offsetHeight ?? 0;
      return { wide: who.offsetWidth, high: who.offsetHeight + lift, lift };
    });
  }

  /** Find the places of the plates and of the trick. What is there keeps its place while that is good enough. */
  lay(turned, { wide, high, words, below }) {
    const style = /** @type {HTMLElement} */ (this.node).style;
    const most = Math.min(0.24 * high, 6.2 * parseFloat(getComputedStyle(document.documentElement).fontSize));
    const tried = (plate, tops, least) => {
      style.setProperty("--seat-width", `${plate}rem`);
      this.node.toggleAttribute("data-tight", plate < 5.5);
      const sizes = this.plates(turned);
      const found = tops.map((top) => {
        const plates = seated(sizes, { top, wide, high });
        return least <= most && allApart(plates, words, 3) ? { plate, top, wide, high, plates, trick: trick(plates, words, { top, wide, high }, least, most) } : { trick: null };
      });
      return found.filter((each) => each.trick).sort((a, b) => b.trick.card - a.trick.card)[0];
    };
    const before = this.laid;
    let best = before?.wide === wide && before.high === high && tried(before.plate, [before.top], Math.min(most, 0.85 * before.trick.card));
    if (!best) {
      for (const plate of PLATES) {
        const found = tried(plate, [2, below], LEAST);
        if (found && (!best || worth(found) > worth(best))) best = found;
      }
    }
    if (!best) return;
    this.laid = best;
    const { plate, plates, trick: { card, middle, cards } } = best;
    style.setProperty("--seat-width", `${plate}rem`);
    this.node.toggleAttribute("data-tight", plate < 5.5);
    style.setProperty("--card-width", `${card.toFixed(1)}px`);
    style.setProperty("--cx", `${middle.x}px`);
    style.setProperty("--cy", `${middle.y}px`);
    turned.forEach((item, turn) => {
      const places = { "--x": plates[turn].x, "--y": plates[turn].y + plates[turn].lift / 2, "--px": cards[turn].x, "--py": cards[turn].y };
      for (const [name, at] of Object.entries(places)) item.style.setProperty(name, `${at.toFixed(1)}px`);
      item.style.setProperty("--tilt", `${((turn * 37) % 7) - 3}deg`);
    });
  }

  /** Place the label where it covers nothing, as near to the middle as possible. */
  placeLabel(width, middle) {
    const style = /** @type {HTMLElement} */ (this.node).style;
    const own = this.node.getBoundingClientRect();
    const label = this.centre.firstElementChild;
    if (!label) return;
    const boxes = (selector) => [...this.node.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
    const beside = boxes(".who").filter((box) => Math.abs((box.top + box.bottom) / 2 - own.top - middle.y) < 70);
    const room = Math.min(0.56 * width, ...beside.map((box) => 2 * Math.max(middle.x - (box.right - own.left), box.left - own.left - middle.x) - 12).filter((each) => each > 100));
    style.setProperty("--label-width", `${room.toFixed(0)}px`);
    const taken = boxes(".who, .held, .head");
    const { offsetWidth: wide, offsetHeight: tall } = /** @type {HTMLElement} */ (label);
    const covered = (y) => taken.reduce((sum, box) => {
      const across = Math.min(box.right - own.left, middle.x + wide / 2 + 3) - Math.max(box.left - own.left, middle.x - wide / 2 - 3);
      const down = Math.min(box.bottom - own.top, y + tall / 2 + 3) - Math.max(box.top - own.top, y - tall / 2 - 3);
      return sum + Math.max(0, across) * Math.max(0, down);
    }, 0);
    const heights = [0, -20, 20, -40, 40, -60, 60, -80, 80].map((off) => middle.y + off);
    const least = Math.min(...heights.map(covered));
    style.setProperty("--cy", `${heights.find((y) => covered(y) === least) ?? middle.y}px`);
    // Where it has no place, the arrows and the words at the hand tell the same.
    this.centre.classList.toggle("crowded", least > 0);
  }

  /** Arrows for passed cards: of this seat, or for spectators of all. */
  drawArrows(width, height, middle) {
    const { facts } = this.table.now;
    const { players, seat: own } = this.table;
    set(this.arrows, { viewBox: `0 0 ${width} ${height}` });
    const from = own === null ? Array.from({ length: players }, (_, seat) => seat) : [0];
    const gap = Math.min(width, height) * 0.16;
    const paths = from.flatMap((start) =>
      facts.plan.flatMap(([offset], gift) => {
        const a = this.laid.plates[start];
        const b = offset === 0 ? middle : this.laid.plates[(start + offset + 2 * players) % players];
        const bend = (point) => ({ x: point.x + (middle.x - point.x) * 0.42, y: point.y + (middle.y - point.y) * 0.42 });
        const [p, q] = [bend(a), bend(b)];
        const long = Math.hypot(q.x - p.x, q.y - p.y);
        if (long < 8) return [];
        const pull = { x: (p.x + q.x) / 2 + ((p.x + q.x) / 2 - middle.x) * 0.25, y: (p.y + q.y) / 2 + ((p.y + q.y) / 2 - middle.y) * 0.25 };
        const angle = Math.atan2(q.y - pull.y, q.x - pull.x);
        const head = Math.min(16, gap / 2);
        const end = { x: q.x - head * Math.cos(angle), y: q.y - head * Math.sin(angle) };
        const wing = (turn) => `${(q.x - 1.3 * head * Math.cos(angle + turn)).toFixed(1)} ${(q.y - 1.3 * head * Math.sin(angle + turn)).toFixed(1)}`;
        return [svg("g", { class: gift === this.table.hand.gift ? "arrow now" : "arrow" },
          svg("path", { class: "way", d: `M${p.x.toFixed(1)} ${p.y.toFixed(1)}Q${pull.x.toFixed(1)} ${pull.y.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}` }),
          svg("path", { class: "head", d: `M${q.x.toFixed(1)} ${q.y.toFixed(1)}L${wing(0.5)}L${wing(-0.5)}Z` }),
        )];
      }),
    );
    update(this.arrows, paths);
  }

  // ------------------------------------------------------------------------------------------------------- motion

  /** Where a played card comes from, before it is shown on the table. */
  origin(seat) {
    return this.seats.querySelector(`[data-seat="${seat}"] .who`)?.getBoundingClientRect();
  }

  /** Move a card to its place. */
  flyTo(seat, from) {
    fly(this.seats.querySelector(`[data-seat="${seat}"] .played svg`), from);
  }

  /** Move the last trick to its winner. */
  collect(winner) {
    const trick = this.completed;
    if (!trick) return;
    const cards = trick.plays.map((_, offset) => this.seats.querySelector(`[data-seat="${this.seatAt(trick, offset)}"] .played svg`)).filter((card) => card !== null);
    collect(/** @type {Element[]} */ (cards), this.seats.querySelector(`[data-seat="${winner}"] .who`), () => {
      this.gone = this.table.now.view.trick?.length ? null : (this.completed ?? null);
      this.render();
    });
  }
}
