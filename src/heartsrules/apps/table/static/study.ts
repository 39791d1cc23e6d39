/** A position without a table behind it, to look at or to answer: the board, the hand, and what is said of them. */

import type { VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Board } from "./board.ts";
import { listsOfMove } from "./cards.ts";
import { against, started } from "./choosing.ts";
import { SEEN, el, type Child } from "./dom.ts";
import { Hand, reasons, type Verdict } from "./hand.ts";
import { alarm } from "./page.ts";
import type { Position } from "./position.ts";
import type { Card, Move } from "./types.ts";
import { number, say } from "./words.ts";

/** Points with one decimal and a typographic sign. */
export const points = (value: number): string =>
  number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** Points as short as they can stand on a card. */
export const shortPoints = (value: number): string => points(Math.abs(value) < 0.95 ? value : Math.round(value)).replace(/[.,]0$/, "");
export const cardsOfMove = (move: Move): Card[] => listsOfMove(move).flat();

interface StudyProps {
  position: Position | null;
  verdicts: ReadonlyMap<Card, Verdict>;
  prompt: string;
  /** Whether what is said is good; null: neither. */
  good: boolean | null;
  advice: string[];
  actions: Child;
  /** Answers to choose from, below the board. */
  choices?: Child;
  /** Called with the answer to a position that asks for a card. */
  onAnswer?: (card: Card) => void;
  /** What stands beside the board, and the words on the button that opens it where the window is narrow. */
  sheet?: Child;
  opens?: string;
  onKey?: (event: KeyboardEvent) => void;
}

export function Study({ position, verdicts, prompt, good, advice, actions, choices, onAnswer, sheet, opens = "", onKey }: StudyProps): VNode {
  const now = position?.now;
  const choosing = now && started(now);
  const [why, setWhy] = useState("");
  const [notice, setNotice] = useState("");
  useLayoutEffect(() => {
    setWhy("");
    setNotice("");
  }, [now?.view]);
  useLayoutEffect(() => {
    alarm(notice);
    return () => alarm("");
  }, [notice]);
  const choose = (card: Card, at: number) => {
    if (!position || !now?.choice.mine) return;
    const found = against(now, started(now), card, at);
    setNotice(found.length ? `${reasons(position, found)}.` : "");
    setWhy("");
    if (!found.length) onAnswer?.(card);
  };
  const group = (kind: string, label: string, inside: Child) => el("div", { class: kind, role: "group", "aria-label": say(label) }, inside);
  return el("div", { class: sheet ? "game" : "game alone", "data-phase": now?.view.phase, "data-mine": now && String(now.choice.mine) },
    el("div", { class: "place" },
      el("div", { class: "surface study", onkeydown: onKey },
        position ? el(Board, { key: position.now.view, position, opens }) : el("section", { class: "board" }),
        el("div", { class: "mine" },
          el("div", { class: "said" },
            el("p", { id: "prompt", class: good === null ? null : good ? "good" : "bad", tabindex: -1, "data-focus": "" }, prompt),
            el("p", { id: "why", ...SEEN }, why),
            el("p", { id: "notice" }, notice)),
          group("actions", "act.name", actions),
          el("div", { id: "advice" }, advice.map((line) => el("p", {}, line))),
          choices && group("actions choices", "drill.choices", choices),
          position && choosing && el(Hand, { position, choosing, verdicts, onChoose: choose, onWhy: setWhy })))),
    sheet);
}
