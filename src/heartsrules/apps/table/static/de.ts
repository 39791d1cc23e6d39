/** The words of the page in German. */

export { default as words } from "./words.de.json" with { type: "json" };
/** The words for the options of the rules. */
export const options = () => import("./options.de.json", { with: { type: "json" } });
