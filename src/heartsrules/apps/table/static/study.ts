/** A position without a table behind it, to look at or to answer: the board, the hand, and what is said of them. */

import { Component, type VNode } from "preact";
import { boardOf } from "./board.ts";
import { cardsOf } from "./cards.ts";
import { against, started } from "./choosing.ts";
import { SEEN, component, el, type Child } from "./dom.ts";
import { handShown, reasons, type Verdict } from "./hand.ts";
import { alarm } from "./page.ts";
import type { Position } from "./position.ts";
import type { Card, Move } from "./types.ts";
import { number, say } from "./words.ts";

/** Points with one decimal and a typographic sign. */
export const points = (value: number): string => number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** Points as short as they can stand on a card. */
export const shortPoints = (value: number): string => points(Math.abs(value) < 0.95 ? value : Math.round(value)).replace(/[.,]0$/, "");

/** The cards of a move. */
export const cardsOfMove = ({ card, cards }: Move): Card[] => card ? [card] : (typeof cards === "string" ? [cards] : (cards ?? [])).flatMap((each) => cardsOf(each));

/** The numbers below `count` in a random order. */
export function shuffled(count: number, random = Math.random): number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at -= 1) {
    const to = Math.floor(random() * (at + 1));
    [order[at], order[to]] = [order[to], order[at]];
  }
  return order;
}

export interface StudyProps {
  position: Position | null;
  /** What is said of cards, by card. */
  verdicts: ReadonlyMap<Card, Verdict>;
  prompt: string;
  /** Whether what is said is good; null: neither. */
  good: boolean | null;
  advice: string[];
  actions: Child;
  /** Answers to choose from, below the board. */
  choices?: Child;
  /** Called with the answer to a position that asks for a card. */
  onAnswer?: (move: Move) => void;
  /** What stands beside the board, and the words on the button that opens it where the window is narrow. */
  sheet?: Child;
  opens?: string;
  onKey?: (event: KeyboardEvent) => void;
}

class Study extends Component<StudyProps, { notice: string; why: string }> {
  override state = { notice: "", why: "" };

  override componentDidUpdate(before: StudyProps): void {
    if (before.position?.now.view !== this.props.position?.now.view) this.setState({ notice: "", why: "" });
    alarm(this.state.notice);
  }

  override componentWillUnmount(): void {
    alarm("");
  }

  override render({ position, verdicts, prompt, good, advice, actions, choices, sheet, opens = "", onKey }: StudyProps, { notice, why }: { notice: string; why: string }): VNode {
    const now = position?.now;
    const choosing = now && started(now);
    return el("div", { class: sheet ? "game" : "game alone", "data-phase": now?.view.phase, "data-mine": now && String(now.choice.mine) },
      el("div", { class: "place" },
        el("div", { class: "surface study", onkeydown: onKey },
          position ? boardOf({ position, opens, fresh: position.now.view }) : el("section", { class: "board" }),
          el("div", { class: "mine" },
            el("div", { class: "said" },
              el("p", { id: "prompt", class: good === null ? null : good ? "good" : "bad", tabindex: -1, "data-focus": "" }, prompt),
              el("p", { id: "why", ...SEEN }, why),
              el("p", { id: "notice" }, notice)),
            el("div", { class: "actions", role: "group", "aria-label": say("act.name") }, actions),
            el("div", { id: "advice" }, advice.map((line) => el("p", {}, line))),
            choices && el("div", { class: "actions choices", role: "group", "aria-label": say("drill.choices") }, choices),
            position && choosing && handShown({ position, choosing, verdicts, onChoose: (card, at) => this.choose(card, at), onWhy: (text) => text !== why && this.setState({ why: text }) })))),
      sheet);
  }

  private choose(card: Card, at: number): void {
    const { position, onAnswer } = this.props;
    if (!position?.now.choice.mine) return;
    const found = against(position.now, started(position.now), card, at);
    this.setState({ notice: found.length ? `${reasons(position, found)}.` : "", why: "" });
    if (!found.length) onAnswer?.({ card });
  }
}

export const study = (props: StudyProps): VNode => component(Study, props);
