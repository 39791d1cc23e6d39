/** Helpers to make elements of the virtual page. Texts are set as texts, never as markup: nothing typed becomes code. */

import { h, Component, Fragment, type ComponentChild, type ComponentType, type VNode } from "preact";

export type Child = ComponentChild | Child[];
export type Attributes = Record<string, unknown>;

/** An element. An attribute that is false or null is left out; one that is a function listens to its event (`onclick`). */
export function el(tag: string, attributes: Attributes = {}, ...children: Child[]): VNode {
  const given: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "checked" || (value !== null && value !== undefined && value !== false)) given[name] = value === true && name === "readonly" ? "" : value;
  }
  return h(tag, given, children as ComponentChild);
}

/** Several nodes without an element around them. */
export const fragment = (...children: Child[]): VNode => h(Fragment, {}, children as ComponentChild) as VNode;

/** A component with its properties. */
export const component = <P>(type: ComponentType<P>, props: P & { key?: string | number }): VNode => h(type as ComponentType, props as object) as VNode;

/** A component that renders again only if a property has changed. */
export function memo<P extends object>(view: (props: P) => VNode): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return (Object.keys(next) as (keyof P)[]).some((name) => next[name] !== this.props[name]);
    }
    override render(): VNode {
      return view(this.props as P);
    }
  };
}

/** Text for assistive technology only. */
export const spoken = (...children: Child[]): VNode => el("span", { class: "sr" }, children);

/** Attributes of what only those see who see the page. */
export const SEEN = { "aria-hidden": "true" };

/** A name that may be cut off, but for the number that tells it from an equal one. */
export function named(name: string, kind = ""): VNode {
  const [, stem, number] = /^(.*)( \(?\d+\)?)$/u.exec(name) ?? [null, name, ""];
  return el("bdi", { class: kind ? `${kind} fitted` : "fitted" }, el("span", {}, stem), number && el("span", {}, number));
}

/** A drawing without a name. */
export const drawing = (viewBox: string, kind: string, ...children: Child[]): VNode => el("svg", { viewBox, class: kind, ...SEEN }, children);

/**
 * A QR code from its rows, in which "1" is dark, with the quiet zone that it needs.
 *
 * `told` is its name for assistive technology.
 */
export function qrCode(rows: readonly string[], told: string): VNode {
  const edge = 3;
  const side = rows.length + 2 * edge;
  const dark = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ 0: run, index: x }) => `M${x + edge} ${y + edge}h${run.length}v1h-${run.length}z`));
  return el("svg", { class: "code", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": told },
    el("path", { fill: "#fff", d: `M0 0h${side}v${side}h-${side}z` }), el("path", { fill: "#000", d: dark.join("") }));
}
