/** The words of the page in German. */

export { default as options } from "./options.de.json" with { type: "json" };
export { default as words } from "./words.de.json" with { type: "json" };
