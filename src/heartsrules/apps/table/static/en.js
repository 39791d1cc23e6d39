/** The words of the page in English. */

export { default as options } from "./options.en.json" with { type: "json" };
export { default as words } from "./words.en.json" with { type: "json" };
