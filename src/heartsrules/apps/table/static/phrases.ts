/** Phrases that players say to each other: a menu to say one, and a bubble where no plate is seen. */

import type { VNode } from "preact";
import { SEEN, drawing, el } from "./dom.ts";
import { menu } from "./menus.ts";
import { say } from "./words.ts";

const PHRASES = ["hello", "luck", "nice", "ouch", "sorry", "thanks", "moment", "game", "again", "bye"] as const;
export type Phrase = (typeof PHRASES)[number];
const BUBBLE = "M4 4h16a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-9l-5 4v-4h-2a1.5 1.5 0 0 1-1.5-1.5v-10a1.5 1.5 0 0 1 1.5-1.5Z";

/** The menu; `onSay` is called with the chosen phrase. */
export function phrasesMenu(hidden: boolean, onSay: (phrase: Phrase) => void): VNode {
  const choose = (event: Event, phrase: Phrase) => {
    const node = (event.currentTarget as Element).closest("details") as HTMLDetailsElement;
    node.open = false;
    node.querySelector("summary")?.focus({ preventScroll: true });
    onSay(phrase);
  };
  const button = (phrase: Phrase) => el("button", { type: "button", onclick: (event: Event) => choose(event, phrase) }, say(`phrase.${phrase}`));
  return menu("phrases", [drawing("0 0 24 24", "icon", el("path", { d: BUBBLE }))], say("phrases.title"), el("div", { class: "phrases" }, PHRASES.map(button)), { hidden });
}

/** What is said where the table is covered. */
export const bubbleAloud = (text: string): VNode => el("p", { class: "bubble aloud", ...SEEN }, text);
