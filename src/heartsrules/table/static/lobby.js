/** The form that opens a table: a preset, and every option of it, made from the JSON Schema of the rules. */

import { post, problemList } from "./api.js";
import { el } from "./dom.js";
import { keep, kept } from "./memory.js";
import { myTables } from "./mine.js";
import { schemaField, title } from "./schema_form.js";

/**
 * @param {HTMLElement} main
 * @param {(opened: {table: string, token: string | null}) => void} onOpened
 */
export async function lobby(main, onOpened) {
  const [schema, presets] = await Promise.all(
    ["/api/schema", "/api/presets"].map(async (path) => (await fetch(path)).json()),
  );
  if (location.hash.startsWith("#t/")) return; // an invitation was followed meanwhile
  const preset = /** @type {HTMLSelectElement} */ (
    el("select", { id: "preset", onchange: () => choosePreset() }, presets.map((each) => el("option", { value: each.name }, title(each.name))))
  );
  const players = /** @type {HTMLSelectElement} */ (el("select", { id: "players", onchange: () => fill() }));
  const summary = el("p", { id: "summary", class: "hint" });
  const options = el("div", { class: "options" });
  const problems = el("div", { role: "alert" });
  const name = /** @type {HTMLInputElement} */ (
    el("input", { id: "name", required: true, value: kept("name"), autocomplete: "nickname" })
  );
  const play = /** @type {HTMLInputElement} */ (el("input", { id: "play", type: "checkbox", checked: true }));
  /** @type {ReturnType<typeof schemaField>} */
  let form;

  const chosen = () => presets.find((each) => each.name === preset.value);
  const choosePreset = () => {
    const { rules, players: standard, summary: text, source } = chosen();
    players.replaceChildren(...Object.keys(rules).map((count) => el("option", { value: count, selected: Number(count) === standard }, count)));
    summary.textContent = `${text}. Source: ${source}.`;
    fill();
  };
  const fill = () => {
    form = schemaField(schema, schema.$defs.RulesDocument, chosen().rules[players.value], "", "rules");
    options.replaceChildren(form.node);
  };
  const submit = async (event) => {
    event.preventDefault();
    form.mark([]);
    const rules = { heartsrules: 1, kind: "rules", ...form.read() };
    const answer = await post("/api/tables", { rules, name: name.value, play: play.checked });
    if (answer.ok) {
      keep("name", name.value);
      onOpened(answer.body);
      return;
    }
    problems.replaceChildren(problemList(answer.body));
    form.mark(answer.body.problems);
    problems.scrollIntoView({ block: "nearest" });
  };

  preset.value = presets.find((each) => each.chosen).name;
  main.replaceChildren(
    ...[myTables()].filter((part) => part !== null),
    el(
      "form",
      { class: "panel", onsubmit: submit, "aria-labelledby": "open-title" },
      el("h2", { id: "open-title" }, "Open a table"),
      problems,
      el("label", { for: "name" }, "Your name"),
      name,
      el("p", { class: "check" }, play, el("label", { for: "play" }, "I play (if not, I watch a table of bots)")),
      el("label", { for: "preset" }, "Rules"),
      preset,
      summary,
      el("label", { for: "players" }, "Players"),
      players,
      el("details", {}, el("summary", {}, "All options"), options),
      el("p", { class: "buttons" }, el("button", { class: "primary" }, "Open the table")),
    ),
  );
  choosePreset();
}
