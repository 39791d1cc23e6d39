/** The table: the seats around it, their cards, and the middle. */

import { Component, createRef, type VNode } from "preact";
import { cardBack, cardDrawn, cardFace, cardName, cardSmall, pip, cardsOf } from "./cards.ts";
import { style } from "./choices.ts";
import { SEEN, component, el, named, spoken, type Child } from "./dom.ts";
import { botFace } from "./faces.ts";
import { allApart, seated, trick, type Box, type Laid, type Point, type Size } from "./layout.ts";
import { cardNamed, course, dealPoints, giftTexts, lying, mark, name, players, team, teamClass, who, type Position } from "./position.ts";
import type { Counting, Seat } from "./types.ts";
import { list, say, signed, total } from "./words.ts";

/** Widths of a plate that are tried, in rem. */
const PLATES = [9.4, 8.2, 7.2, 6.4, 5.8, 5.2, 4.7, 4.2];
/** Least width of a card of the trick, in pixels. */
const LEAST_CARD = 12;
/** Limit of drawn cards of the kitty. */
const KITTY_SHOWN = 5;

type Plate = Box & { lift: number };
interface Layout extends Size {
  plate: number;
  top: number;
  plates: Plate[];
  trick: Laid;
}
/** How good a layout is: most names fit 6.4 rem, a card of 64 pixels is large enough, and one below 24 is hard to read. */
const worth = ({ plate, trick: { card } }: Layout) => Math.min(card, 64) + 0.25 * Math.max(0, card - 64) - 4 * Math.max(0, 24 - card) + 3 * Math.min(plate, 6.4) + Math.max(0, plate - 6.4);

export interface BoardProps {
  position: Position;
  /** The transfer of the pass that cards are chosen for. */
  gift?: number;
  /** The words on the button that opens the sheet beside the board; empty: there is none. */
  opens: string;
  /** With another value, the layout does not start from the one before. */
  fresh?: unknown;
  bubbles?: ReadonlyMap<Seat, string>;
}

export class Board extends Component<BoardProps> {
  private readonly node = createRef<HTMLElement>();
  private laid: Layout | null = null;
  private key = "";
  private readonly sized = new ResizeObserver(() => this.arrange());

  override componentDidMount(): void {
    this.sized.observe(this.node.current as HTMLElement);
    this.arrange();
  }

  override componentDidUpdate(before: BoardProps): void {
    if (before.fresh !== this.props.fresh) this.laid = null;
    this.arrange();
  }

  override componentWillUnmount(): void {
    this.sized.disconnect();
  }

  override render({ position, gift = 0, opens, bubbles }: BoardProps): VNode {
    const { now: { view, facts }, rows, looking } = position;
    const score = view.phase === "awaiting-deal" && !looking && rows.length > 0;
    return el("section", { ref: this.node, class: facts.lying && !facts.lying.complete ? "board" : "board over", "aria-label": say("board.name"), "data-phase": view.phase, "data-scored": score && "" },
      el("svg", { class: "arrows", ...SEEN }, facts.plan.length > 0 && this.arrows(gift)),
      el("div", { class: "heading" }, state(position), kitty(position), aside(position), teams(position), opens && el("button", { class: "small", popovertarget: "papers" }, opens)),
      el("div", { class: "centre", hidden: !score && !facts.plan.length }, centre(position, score)),
      el("ol", { class: "seats", "aria-label": say("board.seats") }, Array.from({ length: players(position) }, (_, seat) => place(position, seat, bubbles?.get(seat)))));
  }

  // ----------------------------------------------------------------------------------------------------- the places

  /** Lay everything out, by the size of the table and of what is on it. */
  private arrange(): void {
    const node = this.node.current;
    if (!node?.clientWidth || !node.clientHeight) return;
    const { clientWidth: wide, clientHeight: high } = node;
    const { position } = this.props;
    const count = players(position);
    const seats = [...node.querySelectorAll<HTMLElement>(".seats > li")];
    const turned = seats.map((_, turn) => seats[((position.table.seat ?? 0) + turn) % count]);
    const heading = node.querySelector(".heading") as HTMLElement;
    const shown = ([...heading.children] as HTMLElement[]).filter((each) => each.offsetWidth);
    const words = shown.map(({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) => ({ x: offsetLeft + offsetWidth / 2, y: offsetTop + offsetHeight / 2, wide: offsetWidth, high: offsetHeight }));
    const room = { wide, high, words, below: heading.offsetTop + heading.offsetHeight };
    const key = () => JSON.stringify([room, sizes(turned)]);
    if (!this.laid || key() !== this.key) {
      const before = this.laid;
      this.lay(node, turned, room);
      this.key = key();
      // The arrows are drawn for a layout.
      if (before !== this.laid && position.now.facts.plan.length) this.forceUpdate();
    }
    if (this.laid) placeLabel(node, wide, this.laid.trick.middle);
  }

  /** Find the places of the plates and of the trick. What is there keeps its place while that is good enough. */
  private lay(node: HTMLElement, turned: HTMLElement[], { wide, high, words, below }: Size & { words: Box[]; below: number }): void {
    const most = Math.min(0.24 * high, 6.2 * parseFloat(getComputedStyle(document.documentElement).fontSize));
    const narrow = (plate: number) => {
      node.style.setProperty("--seat-width", `${plate}rem`);
      node.toggleAttribute("data-tight", plate < 5.5);
    };
    const tried = (plate: number, tops: number[], least: number): Layout | undefined => {
      narrow(plate);
      const own = sizes(turned);
      const found = tops.flatMap((top) => {
        const plates = seated(own, { top, wide, high });
        const cards = least <= most && allApart(plates, words, 3) ? trick(plates, words, { top, wide, high }, least, most) : null;
        return cards ? [{ plate, top, wide, high, plates, trick: cards }] : [];
      });
      return found.sort((a, b) => b.trick.card - a.trick.card)[0];
    };
    const before = this.laid;
    let best = before?.wide === wide && before.high === high ? tried(before.plate, [before.top], Math.min(most, 0.85 * before.trick.card)) : undefined;
    if (!best) {
      for (const plate of PLATES) {
        const found = tried(plate, [2, below], LEAST_CARD);
        if (found && (!best || worth(found) > worth(best))) best = found;
      }
    }
    if (!best) return;
    this.laid = best;
    const { plate, plates, trick: { card, middle, cards } } = best;
    narrow(plate);
    const set = (target: HTMLElement, places: Record<string, string>) => Object.entries(places).forEach(([property, value]) => target.style.setProperty(property, value));
    set(node, { "--card-width": `${card.toFixed(1)}px`, "--cx": `${middle.x}px`, "--cy": `${middle.y}px` });
    const px = (value: number) => `${value.toFixed(1)}px`;
    turned.forEach((item, turn) =>
      set(item, { "--x": px(plates[turn].x), "--y": px(plates[turn].y + plates[turn].lift / 2), "--px": px(cards[turn].x), "--py": px(cards[turn].y), "--tilt": `${((turn * 37) % 7) - 3}deg` }));
  }

  /** Arrows for passed cards: of this seat, or for spectators of all. */
  private arrows(active: number): VNode[] {
    const { laid } = this;
    if (!laid) return [];
    const { position } = this.props;
    const count = players(position);
    const { middle } = laid.trick;
    this.node.current?.querySelector(".arrows")?.setAttribute("viewBox", `0 0 ${laid.wide} ${laid.high}`);
    const gap = Math.min(laid.wide, laid.high) * 0.16;
    const from = position.table.seat === null ? laid.plates.map((_, seat) => seat) : [0];
    return from.flatMap((start) =>
      position.now.facts.plan.flatMap(([offset], gift) => {
        const path = arrow(laid.plates[start], offset === 0 ? middle : laid.plates[(start + offset + 2 * count) % count], middle, gap);
        return path ? [el("g", { class: gift === active ? "arrow now" : "arrow" }, el("path", { class: "way", d: path.way }), el("path", { class: "head", d: path.head }))] : [];
      }));
  }
}

/** The sizes of the plates as they are, with the backs above them. */
function sizes(turned: HTMLElement[]): (Size & { lift: number })[] {
  return turned.map((item) => {
    const plate = item.firstElementChild as HTMLElement;
    const lift = item.querySelector<HTMLElement>(".held")?.offsetHeight ?? 0;
    return { wide: plate.offsetWidth, high: plate.offsetHeight + lift, lift };
  });
}

/** A bent arrow from near one point to near another one; null: they are too close. */
function arrow(a: Point, b: Point, middle: Point, gap: number): { way: string; head: string } | null {
  const bend = (point: Point) => ({ x: point.x + (middle.x - point.x) * 0.42, y: point.y + (middle.y - point.y) * 0.42 });
  const [p, q] = [bend(a), bend(b)];
  if (Math.hypot(q.x - p.x, q.y - p.y) < 8) return null;
  const pull = { x: (p.x + q.x) / 2 + ((p.x + q.x) / 2 - middle.x) * 0.25, y: (p.y + q.y) / 2 + ((p.y + q.y) / 2 - middle.y) * 0.25 };
  const angle = Math.atan2(q.y - pull.y, q.x - pull.x);
  const long = Math.min(16, gap / 2);
  const at = (length: number, turn = 0) => `${(q.x - length * Math.cos(angle + turn)).toFixed(1)} ${(q.y - length * Math.sin(angle + turn)).toFixed(1)}`;
  return { way: `M${p.x.toFixed(1)} ${p.y.toFixed(1)}Q${pull.x.toFixed(1)} ${pull.y.toFixed(1)} ${at(long)}`, head: `M${at(0)}L${at(1.3 * long, 0.5)}L${at(1.3 * long, -0.5)}Z` };
}

/** Place the label where it covers nothing, as near to the middle as possible. */
function placeLabel(node: HTMLElement, width: number, middle: Point): void {
  const label = node.querySelector<HTMLElement>(".centre:not([hidden]) > .label");
  if (!label) return;
  const own = node.getBoundingClientRect();
  const boxes = (selector: string) => [...node.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
  const beside = boxes(".who").filter((box) => Math.abs((box.top + box.bottom) / 2 - own.top - middle.y) < 70);
  const room = Math.min(0.56 * width, ...beside.map((box) => 2 * Math.max(middle.x - (box.right - own.left), box.left - own.left - middle.x) - 12).filter((each) => each > 100));
  node.style.setProperty("--label-width", `${room.toFixed(0)}px`);
  const taken = boxes(".who, .held, .head");
  const { offsetWidth: wide, offsetHeight: tall } = label;
  const covered = (y: number) => taken.reduce((sum, box) => {
    const across = Math.min(box.right - own.left, middle.x + wide / 2 + 3) - Math.max(box.left - own.left, middle.x - wide / 2 - 3);
    const down = Math.min(box.bottom - own.top, y + tall / 2 + 3) - Math.max(box.top - own.top, y - tall / 2 - 3);
    return sum + Math.max(0, across) * Math.max(0, down);
  }, 0);
  const heights = [0, -20, 20, -40, 40, -60, 60, -80, 80].map((off) => middle.y + off);
  const least = Math.min(...heights.map(covered));
  node.style.setProperty("--cy", `${heights.find((y) => covered(y) === least) ?? middle.y}px`);
  // Where it has no place, the arrows and the words at the hand say the same.
  label.parentElement?.classList.toggle("crowded", least > 0);
}

// ----------------------------------------------------------------------------------------------------------- the seats

/** A seat: its plate, and the card that lies before it. */
function place(position: Position, seat: Seat, bubble?: string): VNode {
  const { table, now: { facts, choice } } = position;
  const card = lying(position).get(seat);
  const over = facts.lying?.complete ?? true;
  const leading = card !== undefined && seat === facts.lying?.winner;
  const cancelled = card !== undefined && Boolean(facts.lying?.cancelled.includes(seat));
  const classes = ["seat", choice.to_act.includes(seat) && "acting", seat === table.seat && "own", leading && "winner", cancelled && "cancelled", teamClass(position, seat)];
  const told = () => `: ${cardNamed(position, card as NonNullable<typeof card>)}${leading ? `, ${say(over ? "seat.took" : "seat.winning")}` : ""}${cancelled ? `, ${say("seat.cancelled")}` : ""}`;
  return el("li", { key: seat, class: classes.filter(Boolean).join(" "), "data-seat": seat },
    el("div", { class: "who" }, plate(position, seat)),
    el("div", { class: "played" }, card && [cardFace(card, mark(position, card)?.sign), spoken(told())]),
    bubble && el("p", { class: "bubble", ...SEEN }, bubble));
}

function plate(position: Position, seat: Seat): Child[] {
  const { table, now: { view, facts } } = position;
  const person = table.people[seat];
  const open = facts.open[seat];
  const held = facts.hand_sizes[seat] ?? 0;
  const doing = facts.doing[seat];
  const own = course(position);
  const bot = person.kind === "bot";
  const states = [
    person.kind === "person" && !person.here && say(person.stand_in ? "seat.stand-in" : "seat.away"),
    doing === "choosing" && say("seat.choosing"),
    doing === "has-chosen" && say("seat.ready"),
  ].filter(Boolean);
  const told = [
    say("seat.points", { points: facts.totals[seat] }),
    team(position, seat) !== null && say("seat.team", { team: (team(position, seat) ?? 0) + 1 }),
    ...(own ? takenTold(position, seat, own.tricks_won[seat]) : []),
    held && say("seat.holds", { count: held }),
    seat === view.dealer && say("seat.dealer"),
    bot && say("seat.bot", { style: style(person.level) }),
    doing === "to-play" && say("seat.to-play"),
    ...states,
  ].filter(Boolean);
  return [
    seat !== table.seat && held > 0 && el("span", { class: "held", ...SEEN }, backs(held - open.length, 13)),
    el("span", { class: "line", title: bot && `${name(position, seat)}: ${style(person.level)}` },
      bot && botFace(seat, person.level),
      named(name(position, seat), "name"),
      seat === view.dealer && el("span", { class: "dealer", ...SEEN, title: say("seat.dealer") }, say("seat.dealer-sign"))),
    spoken(`, ${told.join(", ")}`),
    el("span", { class: "score", ...SEEN }, el("b", {}, total(facts.totals[seat])), own && chips(position, seat), states.length > 0 && el("span", { class: "state" }, states.join(", "))),
    open.length > 0 && el("span", { class: "open" }, open.map(cardSmall), spoken(say("seat.exposed", { cards: list(open.map((each) => cardNamed(position, each))) }))),
  ];
}

const backs = (count: number, most: number): VNode[] => Array.from({ length: Math.min(count, most) }, () => cardBack());

/** The cards that a seat has taken in this deal, in signs. */
function chips(position: Position, seat: Seat): VNode | null {
  const taken = position.now.facts.taken[seat];
  const points = dealPoints(position, seat);
  if (!taken || (!taken.hearts && !taken.cards.length && !points)) return null;
  return el("span", { class: "taken" }, points !== 0 && el("span", { class: "deal" }, signed(points)), counting(taken));
}

/** Cards that count: the number of hearts, and others one by one unless they are many. */
function counting({ hearts, cards }: Counting): Child[] {
  const many = cards.length > 4;
  return [
    hearts > 0 && el("span", { class: "chip" }, pip("H"), String(hearts)),
    many ? el("span", { class: "chip" }, `${cards.length}×`) : cards.map((card) => el("span", { class: "chip" }, cardDrawn(card))),
  ];
}

/** The same in words. */
function takenTold(position: Position, seat: Seat, tricks: number): (string | false)[] {
  const { hearts = 0, cards = [] } = position.now.facts.taken[seat] ?? {};
  const points = dealPoints(position, seat);
  return [
    say("seat.tricks", { count: tricks }),
    points !== 0 && say("seat.deal-points", { points }),
    hearts > 0 && say("seat.hearts", { count: hearts }),
    cards.length > 0 && list(cards.map((card) => cardNamed(position, card))),
  ];
}

// ---------------------------------------------------------------------------------------------------------- the middle

/** The deal, the trick, and whether hearts are broken. */
function state({ table, now: { view } }: Position): VNode {
  const playing = view.phase === "playing";
  // Until the next deal comes, the cards are those of the last one.
  const number = view.deal_number + (view.phase === "awaiting-deal" && view.deal_number > 0 ? 0 : 1);
  return el("p", { id: "facts" },
    el("b", {}, say("board.deal", { number })),
    playing && el("span", {}, say("board.trick", { number: (view.trick_number ?? 0) + 1 })),
    table.hints === "always" && el("span", {}, say("board.hints")),
    playing && el("span", { class: view.hearts_broken ? "hearts broken" : "hearts" }, pip("H"), say(view.hearts_broken ? "board.broken" : "board.unbroken")));
}

/** The kitty. */
function kitty(position: Position): VNode {
  const { view, facts: { kitty: pile } } = position.now;
  if (!pile || view.phase === "game-over") return el("div", { id: "kitty" });
  const { size, winner, cards } = pile;
  const others = cards.length - KITTY_SHOWN;
  const [label, inside] = winner === null
    ? [say("board.kitty", { count: size }), backs(size, 3)]
    : [say("board.kitty-to", { ...who(position, winner) }), [
        cards.slice(0, KITTY_SHOWN).map(cardSmall),
        others > 0 && el("span", { class: "others", ...SEEN }, say("board.others", { count: others })),
        cards.length > 0 && spoken(list(cards.map(cardName))),
      ]];
  return el("div", { id: "kitty" }, el("div", { class: "pile" }, el("span", { class: "label", title: label }, label), el("span", { class: "cards" }, inside)));
}

/** The totals of teams. */
function teams(position: Position): VNode {
  const { view, facts } = position.now;
  const shown = position.table.teams.length > 0 && view.phase !== "game-over" ? facts.standings.toSorted((a, b) => a.seats[0] - b.seats[0]) : [];
  return el("p", { class: "teams" }, shown.map(({ seats, total: points }) =>
    el("span", { class: `team ${teamClass(position, seats[0])}` }, say("board.team", { team: (team(position, seats[0]) ?? 0) + 1, points: total(points) }))));
}

/** The cards that nobody won: those that count in signs, and the number of the others. */
function aside(position: Position): VNode {
  const { view, facts: { aside: counted } } = position.now;
  const cards = view.phase === "playing" ? cardsOf(view.set_aside) : [];
  if (!cards.length || !counted) return el("p", { id: "lost" });
  const others = cards.length - counted.hearts - counted.cards.length;
  return el("p", { id: "lost" },
    el("span", {}, say("board.set-aside", { count: cards.length })),
    el("span", { class: "taken", ...SEEN }, counting(counted), others > 0 && el("span", { class: "others" }, say("board.others", { count: others }))),
    spoken(`: ${list(cards.map((card) => cardNamed(position, card)))}`));
}

/** The pass; and before the next deal, which one has ended: the plates show what it has cost. */
function centre(position: Position, score: boolean): VNode | null {
  const { now: { facts }, rows } = position;
  const shooter = rows.at(-1)?.shooter ?? null;
  if (score) return el("p", { class: "label" }, el("span", {}, say("board.after", { number: rows.length })), shooter !== null && el("span", {}, say("event.moon-shot", { ...who(position, shooter) })));
  if (!facts.plan.length) return null;
  return el("p", { class: "label" }, facts.plan.length === players(position) - 1 ? say("board.pass-all") : giftTexts(position).map((text) => el("span", {}, text)));
}

export const boardOf = (props: BoardProps): VNode => component(Board, props);
