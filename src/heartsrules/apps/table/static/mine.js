/** The list of tables at which this browser has had a seat. */

import { el } from "./dom.js";
import { tables, tally } from "./memory.js";
import { isolated, language, list, say } from "./words.js";

/** The list, or null if there are none. */
export function myTables() {
  const kept = tables();
  if (!kept.length) return null;
  const when = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const item = ({ id, people, at, over }) =>
    el("li", {},
      el("a", { href: `#t/${id}` }, people.length ? say("mine.with", { names: list(people.map(isolated)) }) : say("mine.bots")),
      el("span", { class: "hint" }, `${when.format(at)}, ${say(over ? "mine.over" : "mine.open")}`));
  const counted = ["matches", "drills"].map((what) => tally(what).count > 0 && el("p", { class: "hint" }, say(`mine.${what}`, tally(what))));
  return el("section", { class: "panel my-tables", "aria-labelledby": "my-tables" }, el("h2", { id: "my-tables" }, say("mine.title")), counted, el("ul", {}, kept.map(item)));
}
