/** What the window shows: one page at a time, drawn at most once in a frame, and what is announced. */

import { render, type VNode } from "preact";

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

const byId = (id: string) => document.getElementById(id) as HTMLElement;
let current: Page | null = null;
let settings: () => VNode | null = () => null;
let frame = 0;
let said: string[] = [];

function draw(): void {
  if (!current) return;
  cancelAnimationFrame(frame);
  frame = 0;
  const page = current;
  render(page.view(), byId("main"));
  render(page.tools?.() ?? null, byId("tools"));
  render(settings(), byId("settings"));
  page.drawn?.();
  if (said.length) byId("announced").textContent = said.join(" ");
  said = [];
}

/** Draw the page in the next frame. */
export function redraw(): void {
  if (!current) return;
  frame ||= requestAnimationFrame(draw);
}

let due = false;
/** Draw the page once the pending event is handled, since somebody waits for what they have pressed. */
export function redrawNow(): void {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    draw();
  });
}

/** Close the page, and show another one at once. */
export function show<P extends Page>(page: P): P {
  current?.close?.();
  current = page;
  render(null, byId("main"));
  draw();
  return page;
}

/** The page that is shown. */
export const shown = (): Page | null => current;

export function setSettings(view: () => VNode): void {
  settings = view;
}

/** Have assistive technology read a text aloud, when the page is drawn next. */
export function announce(text: string): void {
  if (text) said.push(text);
}

/** Have a text read aloud at once; an empty one ends that. */
export function alarm(text: string): void {
  const place = byId("alarm");
  if (place.textContent !== text) place.textContent = text;
}

/** Do what a button is pressed for. Until it is done the button is busy, and further presses are ignored. */
export async function action(event: Event, act: () => Promise<unknown>): Promise<void> {
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
