/** Helpers to make elements. Texts are set as texts, never as markup, so that nothing typed can become code. */

/**
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>} Attributes
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * An element. An attribute that is a function listens to the event of its name (`onclick`), one that is true is set
 * without a value, and one that is false or null is left out.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/**
 * A name that may be cut off, but for the number that tells it from an equal one.
 * @param {string} name
 * @param {string} [kind]
 */
export function named(name, kind) {
  const [, stem, number] = /^(.*)( \(?\d+\)?)$/u.exec(name) ?? [null, name, ""];
  return el("bdi", { class: kind ? `${kind} fitted` : "fitted" }, el("span", {}, stem), number && el("span", {}, number));
}

/**
 * An element of a drawing.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * A QR code from its rows, in which "1" is dark, with the quiet zone that it needs.
 * @param {string[]} rows
 * @param {string} told what it is, for whoever does not see it
 */
export function qrCode(rows, told) {
  const edge = 3;
  const side = rows.length + 2 * edge;
  const dark = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ 0: run, index: x }) => `M${x + edge} ${y + edge}h${run.length}v1h-${run.length}z`));
  return svg("svg", { class: "code", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": told }, svg("path", { fill: "#fff", d: `M0 0h${side}v${side}h-${side}z` }), svg("path", { fill: "#000", d: dark.join("") }));
}

/**
 * Give an element children, and leave those alone that are as they should be: what has the focus, or moves, stays. If what
 * has the focus has to be another element, the one with the same id has it then.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function update(parent, ...children) {
  const focused = parent.contains(document.activeElement) && document.activeElement.id;
  const wanted = [...el("div", {}, ...children).childNodes];
  const before = [...parent.childNodes];
  wanted.forEach((child, at) => {
    if (at >= before.length) parent.append(child);
    else if (!before[at].isEqualNode(child)) before[at].replaceWith(child);
  });
  for (const left of before.slice(wanted.length)) left.remove();
  if (focused && !parent.contains(document.activeElement)) /** @type {HTMLElement | null} */ (parent.querySelector(`#${CSS.escape(focused)}`))?.focus({ preventScroll: true });
}

/**
 * Set attributes of an element; one that is null or false is taken away.
 * @param {Element} element
 * @param {Record<string, string | number | boolean | null>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}
