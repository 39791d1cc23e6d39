/** The keyboard focus: it is never lost, whatever is removed from the page. */

/** Focus a new element, unless the settings have the focus. */
export function arrive(element: Element | null): void {
  if (!document.activeElement?.closest(".settings")) (element as HTMLElement | null)?.focus({ preventScroll: true });
}

/** Focus the heading of a new page. */
export function arriveAtHeading(): void {
  arrive(document.querySelector("main [data-focus]"));
}

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
