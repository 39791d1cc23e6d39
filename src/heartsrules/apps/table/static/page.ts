/** What the window shows: one page at a time, drawn at most once in a frame, what is announced, and the focus. */

import { h, render, type VNode } from "preact";
import { say } from "./words.ts";

export interface Page {
  /** The content of `main`. */
  view(): VNode;
  /** The menus in the header that belong to it. */
  tools?(): VNode;
  /** Called after it is drawn. */
  drawn?(): void;
  /** Called when the language has changed. */
  translate?(): void;
  close?(): void;
}

export const byId = (id: string) => document.getElementById(id) as HTMLElement;
let current: Page | null = null;
let frame = 0;
let due = false;
let said: string[] = [];

function draw(): void {
  due = false;
  const page = current;
  if (!page) return;
  cancelAnimationFrame(frame);
  frame = 0;
  render(page.view(), byId("main"));
  render(page.tools?.() ?? null, byId("tools"));
  page.drawn?.();
  if (said.length) byId("announced").textContent = said.join(" ");
  said = [];
}

/** Draw the page in the next frame. */
export function redraw(): void {
  if (current) frame ||= requestAnimationFrame(draw);
}

/** Draw the page once the pending event is handled, since somebody waits for what they have pressed. */
export function redrawNow(): void {
  if (!due) queueMicrotask(draw);
  due = true;
}

/** Close the page, and show another one at once. */
export function show<P extends Page>(page: P): P {
  current?.close?.();
  current = page;
  render(null, byId("main"));
  draw();
  return page;
}

export const shown = (): Page | null => current;

/** Have assistive technology read a text aloud, when the page is drawn next. */
export function announce(text: string): void {
  if (text) said.push(text);
}

/** Have a text read aloud at once; an empty one ends that. */
export function alarm(text: string): void {
  const place = byId("alarm");
  if (place.textContent !== text) place.textContent = text;
}

/** Say that the page is older than the server, whose version may be unknown, unless it has the same one. */
export function outdated(version = ""): void {
  if (version && version === document.querySelector<HTMLMetaElement>("meta[name=hearts-version]")?.content) return;
  const reload = h("button", { onClick: () => location.reload() }, say("outdated.reload"));
  render([say("outdated.told"), " ", reload], byId("outdated"));
  byId("outdated").hidden = false;
}

/** Do what a button is pressed for. Until it is done the button is busy, and further presses are ignored. */
export async function action(event: Event, act: () => Promise<unknown>): Promise<void> {
  event.preventDefault();
  const target = event.currentTarget as HTMLElement;
  const button = event.type === "submit" ? (target.querySelector<HTMLElement>(".primary") ?? target) : target;
  if (button.hasAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  try {
    await act();
  } finally {
    button.removeAttribute("aria-busy");
  }
}

// ------------------------------------------------------------------------------------------------------------- focus

/** Focus a new element, unless the settings have the focus. */
export function arrive(element: Element | null): void {
  if (!document.activeElement?.closest("#settings")) (element as HTMLElement | null)?.focus({ preventScroll: true });
}

export const arriveAtHeading = (): void => arrive(document.querySelector("main [data-focus]"));

/**
 * Watch a part of the page. When what had the focus in it goes, something near it gets it: never a button, which the next
 * press of the same key would press.
 */
export function guardFocus(main: HTMLElement): void {
  /** What had the focus last, and what it stood in, the innermost first. */
  let path: Element[] = [];
  main.addEventListener("focusin", ({ target }) => {
    path = [];
    for (let each = target as Element | null; each && each !== main; each = each.parentElement) path.push(each);
  });
  const seen = (element: Element) => element.isConnected && element.checkVisibility();
  new MutationObserver(() => {
    const now = document.activeElement;
    if (!path.length || seen(path[0]) || (now && now !== document.body && seen(now))) return;
    const place = path.slice(1).find(seen);
    const next = [...(place?.querySelectorAll("a[href], input, select, summary, [tabindex]") ?? [])].find(seen);
    const heir = next ?? [...main.querySelectorAll("[data-focus]")].find(seen) ?? main;
    (heir as HTMLElement).focus({ preventScroll: true });
  }).observe(main, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "disabled"] });
}

// ----------------------------------------------------------------------------------------------------------- history

/** Entries of the browser's history that stand for what is opened upon a table, so that going back closes it. */
export class Steps {
  constructor(private readonly entries: Pick<History, "state" | "pushState" | "go">) {}

  /** How much is open: 0 is the table, 1 a review, 2 its practice. */
  get depth(): number {
    return this.entries.state?.step ?? 0;
  }

  /** Go to a depth; one that is less closes what is above it, once the browser has gone back. */
  enter(step: number): void {
    const { depth } = this;
    if (step > depth) this.entries.pushState({ step }, "");
    else if (step < depth) this.entries.go(step - depth);
  }
}
