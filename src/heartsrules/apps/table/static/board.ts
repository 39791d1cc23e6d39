/** The table: the seats around it, their cards, and the middle. */

import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { cardBack, cardFace, cardName, cardSmall, cardsOf, pip } from "./cards.ts";
import { SEEN, el, named, spoken, useArranged, type Child } from "./dom.ts";
import { botFace } from "./faces.ts";
import { style } from "./games.ts";
import { allApart, seated, trick, type Box, type Laid, type Point, type Size } from "./layout.ts";
import { cardNamed, giftTexts, lying, mark, name, team, teamClass, who, type Position } from "./position.ts";
import type { Card, Counting, Seat } from "./types.ts";
import { list, say, signed, total } from "./words.ts";

/** Widths of a plate that are tried, in rem. */
const PLATES = [9.4, 8.2, 7.2, 6.4, 5.8, 5.2, 4.7, 4.2];
/** Least width of a card of the trick, in pixels. */
const LEAST_CARD = 12;
/** Limit of drawn cards of the kitty. */
const KITTY_SHOWN = 5;

interface Layout extends Size {
  plate: number;
  top: number;
  plates: (Box & { lift: number })[];
  trick: Laid;
}
/** How good a layout is: most names fit 6.4 rem, a card of 64 pixels is large enough, and one below 24 is hard to read. */
const worth = ({ plate, trick: { card } }: Layout) =>
  Math.min(card, 64) + 0.25 * Math.max(0, card - 64) - 4 * Math.max(0, 24 - card) + 3 * Math.min(plate, 6.4) + Math.max(0, plate - 6.4);

interface BoardProps {
  position: Position;
  /** The transfer of the pass that cards are chosen for. */
  gift?: number;
  /** The words on the button that opens the sheet beside the board; empty: there is none. */
  opens: string;
  bubbles?: ReadonlyMap<Seat, { words: string }>;
}

export function Board({ position, gift = 0, opens, bubbles }: BoardProps): VNode {
  const { now: { view, facts }, rows, looking } = position;
  const laid = useRef<{ layout: Layout | null; key: string }>({ layout: null, key: "" });
  const [, drawArrows] = useState<Layout | null>(null);
  const node = useArranged((board) => {
    arrange(board, position, laid.current);
    if (facts.plan.length) drawArrows(laid.current.layout);
  });
  const score = view.phase === "awaiting-deal" && !looking && rows.length > 0;
  const attributes = { "aria-label": say("board.name"), "data-phase": view.phase, "data-scored": score && "" };
  const { wide = 0, high = 0 } = laid.current.layout ?? {};
  return el("section", { ref: node, class: facts.lying && !facts.lying.complete ? "board" : "board over", ...attributes },
    el("svg", { class: "arrows", viewBox: `0 0 ${wide} ${high}`, ...SEEN },
      el("marker", { id: "arrow-head", viewBox: "0 0 10 10", refX: 4, refY: 5, markerWidth: 3.2, markerHeight: 3.2, orient: "auto" }, el("path", { d: "M0 0L10 5L0 10Z" })),
      arrows(position, laid.current.layout, gift)),
    el("div", { class: "heading" },
      state(position), kitty(position), aside(position), teams(position),
      opens && el("button", { class: "small", popovertarget: "papers" }, opens)),
    el("div", { class: "centre", hidden: !score && !facts.plan.length }, centre(position, score)),
    el("ol", { class: "seats", "aria-label": say("board.seats") }, places(position, bubbles)));
}

function arrange(node: HTMLElement, { table }: Position, laid: { layout: Layout | null; key: string }): void {
  const { clientWidth: wide, clientHeight: high } = node;
  if (!wide || !high) return;
  const seats = [...node.querySelectorAll<HTMLElement>(".seats > li")];
  const turned = seats.map((_, turn) => seats[((table.seat ?? 0) + turn) % seats.length]);
  const heading = node.querySelector(".heading") as HTMLElement;
  const words = ([...heading.children] as HTMLElement[]).filter((each) => each.offsetWidth).map(
    ({ offsetLeft: x, offsetTop: y, offsetWidth: wide, offsetHeight: high }) => ({ x: x + wide / 2, y: y + high / 2, wide, high }));
  const room = { wide, high, words, below: heading.offsetTop + heading.offsetHeight };
  const key = () => JSON.stringify([room, sizes(turned)]);
  if (!laid.layout || key() !== laid.key) {
    laid.layout = lay(node, turned, room, laid.layout);
    laid.key = key();
  }
}

type Room = Size & { words: Box[]; below: number };

/** Find the places of the plates and of the trick. What is there keeps its place while that is good enough. */
function lay(node: HTMLElement, turned: HTMLElement[], { wide, high, words, below }: Room, before: Layout | null): Layout | null {
  const most = Math.min(0.24 * high, 6.2 * parseFloat(getComputedStyle(document.documentElement).fontSize));
  const narrow = (plate: number) => {
    node.style.setProperty("--seat-width", `${plate}rem`);
    node.toggleAttribute("data-tight", plate < 5.5);
  };
  const tried = (plate: number, tops: number[], least: number): Layout[] => {
    narrow(plate);
    const own = sizes(turned);
    const found = tops.flatMap((top) => {
      const plates = seated(own, { top, wide, high });
      const cards = least <= most && allApart(plates, words, 3) && trick(plates, words, { top, wide, high }, least, most);
      return cards ? [{ plate, top, wide, high, plates, trick: cards }] : [];
    });
    return found.sort((a, b) => b.trick.card - a.trick.card).slice(0, 1);
  };
  const kept = before?.wide === wide && before.high === high ? before : null;
  let [best] = kept ? tried(kept.plate, [kept.top], Math.min(most, 0.85 * kept.trick.card)) : [];
  if (!best) {
    for (const found of PLATES.flatMap((plate) => tried(plate, [2, below], LEAST_CARD))) {
      if (!best || worth(found) > worth(best)) best = found;
    }
  }
  if (!best) return before;
  const { plate, plates, trick: { card, middle, cards } } = best;
  narrow(plate);
  const px = (value: number) => `${value.toFixed(1)}px`;
  const set = (target: HTMLElement, places: Record<string, string>) =>
    Object.entries(places).forEach(([property, value]) => target.style.setProperty(property, value));
  const span = (all: number[]) => Math.max(...all) - Math.min(...all);
  // What is said in the middle has the room of the trick.
  const free = { "--free-width": px(span(cards.map(({ x }) => x)) + card), "--free-height": px(span(cards.map(({ y }) => y)) + 1.4 * card) };
  set(node, { "--card-width": px(card), "--cx": `${middle.x}px`, "--cy": `${middle.y}px`, ...free });
  turned.forEach((item, turn) => {
    set(item, { "--x": px(plates[turn].x), "--y": px(plates[turn].y + plates[turn].lift / 2) });
    set(item, { "--px": px(cards[turn].x), "--py": px(cards[turn].y), "--tilt": `${((turn * 37) % 7) - 3}deg` });
  });
  return best;
}

function sizes(turned: HTMLElement[]): (Size & { lift: number })[] {
  return turned.map((item) => {
    const plate = item.firstElementChild as HTMLElement;
    const lift = item.querySelector<HTMLElement>(".held")?.offsetHeight ?? 0;
    return { wide: plate.offsetWidth, high: plate.offsetHeight + lift, lift };
  });
}

/** The transfers of the pass, as bent arrows from near a plate to near another one. */
function arrows({ table, now: { facts } }: Position, laid: Layout | null, active: number): VNode[] {
  if (!laid) return [];
  const { plates, trick: { middle } } = laid;
  const towards = ({ x, y }: Point, part: number) => ({ x: x + (middle.x - x) * part, y: y + (middle.y - y) * part });
  const text = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const from = table.seat === null ? plates.keys() : [0];
  return [...from].flatMap((start) =>
    facts.plan.map(([offset], gift) => {
      const target = offset ? plates[(start + offset + 2 * plates.length) % plates.length] : middle;
      const [p, q] = [towards(plates[start], 0.42), towards(target, 0.42)];
      const pull = towards({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 }, -0.25);
      return el("path", { class: gift === active ? "arrow now" : "arrow", d: `M${text(p)}Q${text(pull)} ${text(q)}`, "marker-end": "url(#arrow-head)" });
    }));
}

/** The seats: as many as there are people. */
export const places = (position: Position, bubbles?: BoardProps["bubbles"]): VNode[] =>
  position.table.people.map((_, seat) => place(position, seat, bubbles?.get(seat)?.words));

/** A seat: its plate, and the card that lies before it. */
function place(position: Position, seat: Seat, bubble?: string): VNode {
  const { table, now: { facts, choice } } = position;
  const card = lying(position).get(seat);
  const leading = card && seat === facts.lying?.winner;
  const cancelled = card && facts.lying?.plays.some((play) => play.seat === seat && play.cancelled);
  const classes = ["seat", choice.to_act.includes(seat) && "acting", seat === table.seat && "own", leading && "winner", cancelled && "cancelled", teamClass(position, seat)];
  const told = card && [
    cardNamed(position, card), leading && say(facts.lying?.complete ? "seat.took" : "seat.winning"), cancelled && say("seat.cancelled"),
  ];
  return el("li", { key: seat, class: classes.filter(Boolean).join(" "), "data-seat": seat },
    el("div", { class: "who" }, plate(position, seat)),
    el("div", { class: "played" },
      card && told && [cardFace(card, mark(position, card)?.sign), spoken(`: ${told.filter(Boolean).join(", ")}`)]),
    bubble && el("p", { class: "bubble", ...SEEN }, bubble));
}

function plate(position: Position, seat: Seat): Child[] {
  const { table, now: { view, facts } } = position;
  const person = table.people[seat];
  const open = facts.open[seat];
  const held = facts.hand_sizes[seat] ?? 0;
  const doing = facts.doing[seat];
  const dealer = seat === view.dealer;
  const bot = person.kind === "bot" && style(person.level);
  const { hearts = 0, cards = [], points = 0, tricks } = facts.taken[seat] ?? {};
  const states = [
    person.kind === "person" && !person.here && say(person.stand_in ? "seat.stand-in" : "seat.away"),
    doing === "choosing" && say("seat.choosing"),
    doing === "has-chosen" && say("seat.ready"),
  ].filter(Boolean);
  const told = [
    say("seat.points", { points: facts.totals[seat] }),
    table.teams.length > 0 && say("seat.team", { team: table.teams[seat] + 1 }),
    tricks !== undefined && say("seat.tricks", { count: tricks }),
    points !== 0 && say("seat.deal-points", { points }),
    hearts > 0 && say("seat.hearts", { count: hearts }),
    namedList(position, cards),
    held && say("seat.holds", { count: held }),
    dealer && say("seat.dealer"),
    bot && say("seat.bot", { style: bot }),
    doing === "to-play" && say("seat.to-play"),
    ...states,
  ];
  return [
    seat !== table.seat && held > 0 && el("span", { class: "held", ...SEEN }, backs(held - open.length, 13)),
    el("span", { class: "line", title: bot && `${name(position, seat)}: ${bot}` },
      bot && botFace(seat, person.level),
      named(name(position, seat), "name"),
      dealer && el("span", { class: "dealer", ...SEEN, title: say("seat.dealer") }, say("seat.dealer-sign"))),
    spoken(`, ${told.filter(Boolean).join(", ")}`),
    el("span", { class: "score", ...SEEN },
      el("b", {}, total(facts.totals[seat])),
      (hearts > 0 || cards.length > 0 || points !== 0) &&
        el("span", { class: "taken" }, points !== 0 && el("span", { class: "deal" }, signed(points)), counting({ hearts, cards })),
      states.length > 0 && el("span", { class: "state" }, states.join(", "))),
    open.length > 0 &&
      el("span", { class: "open" }, open.map(cardSmall), spoken(say("seat.exposed", { cards: namedList(position, open) }))),
  ];
}

const namedList = (position: Position, cards: readonly Card[]) => list(cards.map((card) => cardNamed(position, card)));
const backs = (count: number, most: number): VNode[] => Array.from({ length: Math.min(count, most) }, () => cardBack());

/** Cards that count: the number of hearts, and others one by one unless they are many. */
function counting({ hearts, cards }: Counting): Child[] {
  const chip = (...inside: Child[]) => el("span", { class: "chip" }, inside);
  return [hearts > 0 && chip(pip("H"), String(hearts)), cards.length > 4 ? chip(`${cards.length}×`) : cards.map((card) => chip(cardSmall(card)))];
}

function state({ table, now: { view } }: Position): VNode {
  const playing = view.phase === "playing";
  // Until the next deal comes, the cards are those of the last one.
  const number = view.deal_number + (view.phase === "awaiting-deal" && view.deal_number > 0 ? 0 : 1);
  const broken = view.hearts_broken;
  return el("p", { id: "facts" },
    el("b", {}, say("board.deal", { number })),
    playing && el("span", {}, say("board.trick", { number: (view.trick_number ?? 0) + 1 })),
    table.hints === "always" && el("span", {}, say("board.hints")),
    playing && el("span", { class: broken ? "hearts broken" : "hearts" }, pip("H"), say(broken ? "board.broken" : "board.unbroken")));
}

const others = (count: number) => count > 0 && el("span", { class: "others", ...SEEN }, say("board.others", { count }));

function kitty(position: Position): VNode {
  const { view, facts: { kitty: pile } } = position.now;
  if (!pile || view.phase === "game-over") return el("div", { id: "kitty" });
  const { size, winner, cards } = pile;
  const label = winner === null ? say("board.kitty", { count: size }) : say("board.kitty-to", { ...who(position, winner) });
  const inside = winner === null ? backs(size, 3) : [
    cards.slice(0, KITTY_SHOWN).map(cardSmall), others(cards.length - KITTY_SHOWN), cards.length > 0 && spoken(list(cards.map(cardName))),
  ];
  return el("div", { id: "kitty" },
    el("div", { class: "pile" }, el("span", { class: "label", title: label }, label), el("span", { class: "cards" }, inside)));
}

function teams(position: Position): VNode {
  const { view, facts } = position.now;
  const shown = position.table.teams.length > 0 && view.phase !== "game-over" ? facts.standings : [];
  return el("p", { class: "teams" }, shown.toSorted((a, b) => a.seats[0] - b.seats[0]).map(({ seats: [seat], total: points }) =>
    el("span", { class: `team ${teamClass(position, seat)}` },
      say("board.team", { team: (team(position, seat) ?? 0) + 1, points: total(points) }))));
}

/** The cards that nobody won: those that count in signs, and the number of the others. */
function aside(position: Position): VNode {
  const { view, facts: { aside: counted } } = position.now;
  const cards = cardsOf(view.set_aside);
  if (!cards.length || !counted) return el("p", { id: "lost" });
  return el("p", { id: "lost" },
    el("span", {}, say("board.set-aside", { count: cards.length })),
    el("span", { class: "taken", ...SEEN }, counting(counted), others(cards.length - counted.hearts - counted.cards.length)),
    spoken(`: ${namedList(position, cards)}`));
}

/** The pass; and before the next deal, which one has ended: the plates show what it has cost. */
function centre(position: Position, score: boolean): Child {
  const { now: { facts: { plan } }, rows, table } = position;
  const shooter = rows.at(-1)?.shooter ?? null;
  const all = plan.length === table.people.length - 1;
  const texts = !score ? (all ? [say("board.pass-all")] : giftTexts(position))
    : [say("board.after", { number: rows.length }), ...(shooter === null ? [] : [say("event.moon-shot", { ...who(position, shooter) })])];
  return texts.length > 0 && el("p", { class: "label" }, texts.map((text) => el("span", {}, text)));
}
