/** Helpers to make elements of the virtual page. Texts are set as texts, never as markup: nothing typed becomes code. */

import { h, Fragment, type ComponentChild, type ComponentType, type VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export type Child = ComponentChild | Child[];
export type Attributes = Record<string, unknown>;

/** A component; or an element. An attribute of that which is false or null is left out; a function listens (`onclick`). */
export function el<P>(type: ComponentType<P>, props: P & { key?: unknown }): VNode;
export function el(type: string, attributes?: Attributes, ...children: Child[]): VNode;
export function el(type: any, attributes: Attributes = {}, ...children: Child[]): VNode {
  if (typeof type !== "string") return h(type, attributes);
  const given = Object.entries(attributes).filter(([name, value]) => name === "checked" || (value ?? false) !== false);
  return h(type, Object.fromEntries(given), children as ComponentChild);
}

export const fragment = (...children: Child[]): VNode => h(Fragment, {}, children as ComponentChild) as VNode;

/** The element of a component. `arrange` is called with it after each drawing, and when its size has changed. */
export function useArranged(arrange: (node: HTMLElement) => void) {
  const node = useRef<HTMLElement>(null);
  const latest = useRef(arrange);
  latest.current = arrange;
  useLayoutEffect(() => arrange(node.current as HTMLElement));
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => latest.current(node.current as HTMLElement));
    observer.observe(node.current as HTMLElement);
    return () => observer.disconnect();
  }, []);
  return node;
}

/** A labelled control of the tag `kind`. */
export const field = (id: string, words: string, kind: string, attributes: Attributes, inside?: Child, hidden = false): VNode =>
  el("p", { class: "field", hidden }, el("label", { for: id }, words), el(kind, { id, ...attributes }, inside));

export const checkbox = (id: string, words: string, checked: boolean, attributes: Attributes): VNode =>
  el("p", { class: "check" }, el("input", { id, type: "checkbox", checked, ...attributes }), el("label", { for: id }, words));

/** What was typed or chosen in the control of an event. */
export const value = (event: Event): string => (event.currentTarget as HTMLInputElement).value;

/** A button that is the same element as long as it is there. */
export const button = (id: string, words: Child, onclick: (event: Event) => void, more: Attributes = {}): VNode =>
  el("button", { key: id, id, onclick, ...more }, words);

/** Text for assistive technology only. */
export const spoken = (...children: Child[]): VNode => el("span", { class: "sr" }, children);

/** Attributes of what only those see who see the page. */
export const SEEN = { "aria-hidden": "true" };

/** A name that may be cut off, but for the number that tells it from an equal one. */
export function named(name: string, kind = ""): VNode {
  const [, stem, number] = /^(.*)( \(?\d+\)?)$/u.exec(name) ?? [null, name, ""];
  return el("bdi", { class: `${kind} fitted`.trim() }, el("span", {}, stem), number && el("span", {}, number));
}

export const drawing = (viewBox: string, kind: string, ...children: Child[]): VNode =>
  el("svg", { viewBox, class: kind, ...SEEN }, children);

/** A menu of the header: a button with `summary`, whose accessible name is `name`, and a panel below it. */
export const menu = (id: string, summary: Child, name: string, inside: Child, hidden = false): VNode =>
  el("div", { id, class: "tool", hidden },
    el("button", { type: "button", popovertarget: `${id}-menu`, "aria-label": name, title: name }, summary),
    el("div", { id: `${id}-menu`, class: "menu", popover: "auto" }, inside));
