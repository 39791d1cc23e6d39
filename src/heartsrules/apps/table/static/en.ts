/** The words of the page in English, in a file of this name. */
export { default } from "./words.en.json" with { type: "json" };
