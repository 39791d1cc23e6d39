/** The words of the page in German, in a file of this name. */
export { default } from "./words.de.json" with { type: "json" };
