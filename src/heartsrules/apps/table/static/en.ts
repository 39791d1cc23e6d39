/** The words of the page in English, without an export for each word. */
export { default } from "./words.en.json" with { type: "json" };
