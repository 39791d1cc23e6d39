/** The words of the page in English. */

export { default as words } from "./words.en.json" with { type: "json" };
/** The words for the options of the rules. */
export const options = () => import("./options.en.json", { with: { type: "json" } });
