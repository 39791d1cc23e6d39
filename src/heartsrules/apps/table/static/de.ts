/** The words of the page in German, without an export for each word. */
export { default } from "./words.de.json" with { type: "json" };
