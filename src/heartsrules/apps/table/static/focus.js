/** The keyboard focus: it is never lost, whatever is removed from the page. */

/**
 * Focus a new element, unless the settings have the focus.
 * @param {Element | null} element
 */
export function arrive(element) {
  if (!document.activeElement?.closest(".settings")) /** @type {HTMLElement | null} */ (element)?.focus({ preventScroll: true });
}

/**
 * Watch a part of the page. When what had the focus in it goes, something near it gets it: never a button, which the next
 * press of the same key would press.
 * @param {HTMLElement} main
 */
export function guardFocus(main) {
  /** What had the focus last, and what it stood in, the innermost first. @type {Element[]} */
  let path = [];
  main.addEventListener("focusin", (event) => {
    path = [];
    for (let each = /** @type {Element | null} */ (event.target); each && each !== main; each = each.parentElement) path.push(each);
  });
  const seen = (element) => element.isConnected && element.checkVisibility();
  new MutationObserver(() => {
    if (!path.length || seen(path[0]) || (document.activeElement && document.activeElement !== document.body && seen(document.activeElement))) return;
    const place = path.slice(1).find(seen);
    const next = [...(place?.querySelectorAll("a[href], input, select, summary, [tabindex]") ?? [])].find(seen);
    const heir = next ?? [...main.querySelectorAll("[data-focus]")].find(seen) ?? main;
    /** @type {HTMLElement} */ (heir).focus({ preventScroll: true });
  }).observe(main, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "disabled"] });
}
