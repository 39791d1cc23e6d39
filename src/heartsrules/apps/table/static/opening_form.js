/** The form that opens a table: a game by its name, who plays, and every option of the rules. */

import { local, post, problemList } from "./api.js";
import { ruleSentences } from "./cards.js";
import { levels } from "./choices.js";
import { el } from "./dom.js";
import { carried, carry, keep, kept } from "./memory.js";
import { passField } from "./pass_form.js";
import { picture } from "./picture.js";
import { schemaField } from "./schema_form.js";
import { explained, gameTitle, label, reworded, sectionWords, title } from "./vocabulary.js";
import { capital, language, say } from "./words.js";

const COUNTS = [3, 4, 5, 6, 7, 8, 9, 10, 11];
const AWAY = [30, 60, 120, 300, 900];
const CHECKED_AFTER = 250;

/** The title of a level, and what its bot does. */
function levelWords({ title, does }) {
  return `${title}: ${does}`;
}

/** A preset's values for a number of players that its source does not name: those of its usual number. */
function rulesFor(preset, players, choices) {
  const known = preset.rules[players];
  if (known) return known;
  const usual = preset.rules[preset.players];
  const passes = JSON.stringify(usual.pass_cycle) === JSON.stringify(choices.pass_cycles[preset.players]);
  return { ...usual, players, ...(passes ? { pass_cycle: choices.pass_cycles[players] } : {}) };
}

/** The options in their sections, each with its sentence. */
function optionFields(choices, values, players) {
  const { schema } = choices;
  const document = schema.$defs.RulesDocument;
  const fields = new Map();
  const groups = choices.sections.map(({ title: heading, options }, at) => {
    const shown = options.filter((name) => name !== "players"); // they stand above all others
    for (const name of shown) {
      // The first dealer is somebody who sits there.
      const part = name === "first_dealer" ? { enum: Array.from({ length: players() }, (_, seat) => seat) } : document.properties[name];
      const sentence = explained(name, choices.sentences[name]);
      fields.set(name, name === "pass_cycle" ? passField(players, values[name], `/${name}`, label(name), sentence) : schemaField(schema, { ...part, description: sentence }, values[name], `/${name}`, label(name)));
    }
    return el("section", { class: "group", "aria-labelledby": `group-${at}` }, el("h3", { id: `group-${at}`, tabindex: -1 }, sectionWords(heading)), el("div", { class: "grid" }, shown.map((name) => fields.get(name).node)));
  });
  const jump = (at) => {
    const heading = /** @type {HTMLElement} */ (groups[at].querySelector("h3"));
    heading.focus();
    heading.scrollIntoView({ block: "start" });
  };
  const ways = el("div", { class: "ways", role: "group", "aria-label": say("form.groups") }, choices.sections.map((section, at) => el("button", { type: "button", onclick: () => jump(at) }, sectionWords(section.title))));
  return {
    node: el("div", {}, ways, groups),
    read: () => Object.fromEntries([...fields].map(([name, field]) => [name, field.read()])),
    mark: (problems) => fields.forEach((field) => field.mark(problems)),
  };
}

/**
 * Put the form into its place.
 * @param {HTMLElement} place
 * @param {any} choices
 * @param {(opened: {table: string, token: string | null}) => void} onOpened
 */
export function openingForm(place, choices, onOpened) {
  const { games, presets } = choices;
  const byName = new Map(presets.map((each) => [each.name, each]));

  // ------------------------------------------------------------------------------------------------- the controls

  const name = /** @type {HTMLInputElement} */ (el("input", { id: "name", value: kept("name"), placeholder: say("start.guest"), autocomplete: "nickname" }));
  const nameRow = el("p", { class: "field" }, el("label", { for: "name" }, say("form.name")), name);
  const problems = el("div", { role: "alert" });
  // A named game, by its place in the list; or a preset, by its name.
  const game = /** @type {HTMLSelectElement} */ (
    el("select", { id: "game", onchange: () => choose() },
      el("optgroup", { label: say("form.games") }, games.map((each, at) => el("option", { value: at }, gameTitle(each)))),
      el("optgroup", { label: say("form.rule-sets") }, presets.map((each) => el("option", { value: each.name }, title(each.name)))))
  );
  /** The preset of the chosen game, and its number of players. */
  const chosenGame = () => {
    const named = games[game.value];
    const preset = byName.get(named ? (named.name ?? named.preset) : game.value);
    return { preset, count: named?.players ?? preset.players };
  };
  const source = el("p", { id: "summary", class: "hint" });
  const players = /** @type {HTMLSelectElement} */ (el("select", { id: "players", onchange: () => seatChanged() }));
  const playersProblem = el("span", { id: "players-problem", class: "problem" });
  const sentences = el("ul", { class: "sentences", id: "sentences" });
  const shape = el("div", { class: "shape" });
  const options = el("div", { class: "options", oninput: () => later(), onclick: () => later() });
  const play = /** @type {HTMLInputElement} */ (el("input", { id: "play", type: "checkbox", checked: true, onchange: () => showSeats() }));
  const level = (each) => el("option", { value: each.name }, levelWords(each));
  const others = /** @type {HTMLSelectElement} */ (
    el("select", { id: "others", onchange: () => showSeats() },
      !local && el("option", { value: "friends" }, say("form.friends")),
      levels.map((each) => el("option", { value: each.name }, say("form.bots-alone", { level: levelWords(each) }))),
      el("option", { value: "each" }, say("form.each-seat")))
  );
  const strength = /** @type {HTMLSelectElement} */ (el("select", { id: "strength" }, levels.map(level)));
  strength.value = levels.find((each) => each.usual).name;
  if (local) others.value = strength.value;
  const strengthRow = el("p", { class: "field" }, el("label", { for: "strength" }, say("form.strength")), strength);
  const seats = el("ol", { class: "seat-plans" });
  const away = /** @type {HTMLSelectElement} */ (el("select", { id: "away" },
      AWAY.map((seconds) => el("option", { value: seconds, selected: seconds === choices.away }, seconds < 60 ? say("form.seconds", { count: seconds }) : say("form.minutes", { count: seconds / 60 }))),
      el("option", { value: "" }, say("form.any-time"))));
  const awayRow = el("p", { class: "field" }, el("label", { for: "away" }, say("form.away")), away);
  const hints = /** @type {HTMLSelectElement} */ (
    el("select", { id: "hints" }, ["alone", "always", "never"].map((each) => el("option", { value: each }, say(`form.hints.${each}`))))
  );
  const hintsRow = el("p", { class: "field" }, el("label", { for: "hints" }, say("form.hints")), hints);
  const open = el("button", { class: "primary", id: "open" }, say("form.open"));

  // -------------------------------------------------------------------------------------------------- the rules

  /** @type {ReturnType<typeof optionFields>} */
  let form;
  /** The first values of the form, to detect changes. */
  let base;
  let timer = 0;
  let asked = 0;

  const choose = (wanted = null, typed = {}) => {
    const { preset: each, count } = chosenGame();
    const known = Object.keys(each.rules).map(Number);
    players.replaceChildren(...COUNTS.map((number) => el("option", { value: number, selected: number === (wanted ?? count) }, known.includes(number) ? String(number) : say("form.beyond", { number }))));
    source.textContent = language === "en" ? `${capital(each.summary)}. Source: ${each.source}.` : say("form.source", { source: each.source });
    fill(typed);
  };
  /** Fill the form with the rules of the game; `typed` has the changes to keep. */
  const fill = (typed) => {
    base = rulesFor(chosenGame().preset, Number(players.value), choices);
    form = optionFields(choices, { ...base, ...typed }, () => Number(players.value));
    // An option that is left alone has the value that its field makes of it, such as a number that was not one.
    const { players: _, ...plain } = base;
    base = { ...plain, ...form.read(), ...Object.fromEntries(Object.keys(typed).map((key) => [key, plain[key]])) };
    options.replaceChildren(form.node);
    showSeats();
    check();
  };
  /** The changed values. */
  const changed = () => Object.fromEntries(Object.entries(form.read()).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(base[key])));
  const seatChanged = () => fill(changed());
  const rules = () => ({ heartsrules: 1, kind: "rules", players: Number(players.value), ...form.read() });
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(check, CHECKED_AFTER);
  };
  /** An answer whose problems name options as the form does. */
  const named = (answer) => {
    const all = Object.keys(choices.sentences);
    for (const problem of answer.body.problems ?? []) problem.message = reworded(problem.message, problem.fields.map((field) => field.split("/")[1]), all);
    return answer;
  };
  /** Show the problems of rules at their fields; none: they can be played. */
  const mark = (found) => {
    form.mark(found);
    const mine = found.filter((each) => each.fields.includes("/players"));
    playersProblem.textContent = mine.map((each) => each.message).join("; ");
    players.toggleAttribute("aria-invalid", false);
    if (mine.length) players.setAttribute("aria-invalid", "true");
  };
  /** Ask the server for the sentences of these rules, or for their problems. */
  const check = async () => {
    const number = ++asked;
    const answer = named(await post(`/api/rules?language=${language}`, rules()));
    if (number !== asked) return; // a newer request is pending
    if (!answer.ok) return; // opening the table will say why
    mark(answer.body.problems);
    problems.replaceChildren(...(answer.body.problems.length ? [problemList(answer.body)] : []));
    if (answer.body.problems.length) return;
    shape.replaceChildren(picture(answer.body.rules));
    sentences.replaceChildren(...ruleSentences(answer.body.sentences));
  };

  // ------------------------------------------------------------------------------------------------- who plays

  const seatPlans = () => [...seats.querySelectorAll("select")].map((select) => {
    const [kind, chosen] = select.value.split(" ");
    return { level: chosen, friend: kind === "friend" };
  });
  const showSeats = () => {
    const count = Number(players.value);
    const each = others.value === "each";
    for (const option of others.options) option.hidden = option.value === "friends" && !play.checked;
    if (!play.checked && others.value === "friends") others.value = strength.value;
    strengthRow.hidden = others.value !== "friends";
    awayRow.hidden = local !== null || !play.checked || !(others.value === "friends" || each);
    hintsRow.hidden = !play.checked;
    // Nobody is told who watches.
    nameRow.hidden = !play.checked;
    seats.hidden = !each;
    const before = seatPlans();
    seats.replaceChildren(...Array.from({ length: each ? count : 0 }, (_, seat) => {
      if (seat === 0 && play.checked) return el("li", {}, say("you"));
      const plan = before[seat - (play.checked ? 1 : 0)] ?? { level: strength.value, friend: play.checked && !local };
      const bots = levels.map((bot) => el("option", { value: `bot ${bot.name}`, selected: !plan.friend && bot.name === plan.level }, say("form.bot", { level: levelWords(bot) })));
      const friend = play.checked && !local && el("option", { value: `friend ${strength.value}`, selected: plan.friend }, say("form.friend"));
      return el("li", {}, el("select", { "aria-label": say("seat.number", { number: seat + 1 }) }, friend || null, bots));
    }));
  };
  const plans = () => {
    const count = Number(players.value);
    const own = play.checked ? [{}] : [];
    if (others.value === "each") return [...own, ...seatPlans()];
    const plan = others.value === "friends" ? { level: strength.value, friend: true } : { level: others.value, friend: false };
    return [...own, ...Array.from({ length: count - own.length }, () => plan)];
  };
  const submit = async (event) => {
    event.preventDefault();
    // What the server proposes is called by its preset and what was changed in it.
    const wish = { rules: rules(), ...(play.checked ? { name: name.value.trim() || say("start.guest") } : {}), play: play.checked, seats: plans(), away: away.value === "" ? null : Number(away.value), hints: hints.value, game: chosenGame().preset.name.split(",")[0] };
    const answer = named(await post(`/api/tables?language=${language}`, wish));
    if (answer.ok) {
      if (play.checked) keep("name", name.value.trim());
      onOpened(answer.body);
      return;
    }
    asked++; // ignore the answer of a pending request
    problems.replaceChildren(problemList(answer.body));
    mark(answer.body.problems);
    problems.scrollIntoView({ block: "nearest" });
  };

  // ------------------------------------------------------------------------------------------ in another language

  const folds = () => /** @type {HTMLDetailsElement[]} */ ([...place.querySelectorAll("details[id]")]);
  const controls = { name, game, others, strength, away, hints };
  const leave = () => carry("form", {
    players: Number(players.value), options: changed(), play: play.checked, seats: [...seats.querySelectorAll("select")].map((select) => select.value),
    values: Object.fromEntries(Object.entries(controls).map(([key, control]) => [key, control.value])), open: folds().filter((fold) => fold.open).map(({ id }) => id),
  });
  /** Restore the form after a reload. */
  const restore = (left) => {
    play.checked = left.play;
    for (const [key, control] of Object.entries(controls)) control.value = left.values[key];
    choose(left.players, left.options);
    [...seats.querySelectorAll("select")].forEach((select, at) => (select.value = left.seats[at]));
    for (const fold of folds()) fold.open = left.open.includes(fold.id);
  };

  place.replaceChildren(
    el("form", { onsubmit: submit, "data-typed": true, onspeak: leave, "aria-labelledby": "more-title" },
      el("div", { class: "two" },
        el("section", { "aria-labelledby": "who-title" },
          el("h3", { id: "who-title" }, say("form.who")),
          nameRow,
          el("p", { class: "check" }, play, el("label", { for: "play" }, say("form.play"))),
          el("p", { class: "field" }, el("label", { for: "others" }, say("form.others")), others),
          seats, strengthRow, awayRow, hintsRow),
        el("section", { "aria-labelledby": "told-title" },
          el("h3", { id: "told-title" }, say("form.what")),
          el("p", { class: "field" }, el("label", { for: "game" }, say("form.game")), game),
          el("p", { class: "field" }, el("label", { for: "players" }, say("form.players")), players, playersProblem),
          shape, source,
          el("details", { id: "told" }, el("summary", {}, say("form.sentences")), sentences))),
      el("details", { id: "all-options" }, el("summary", {}, say("form.options")), options),
      problems,
      el("p", { class: "buttons" }, open)),
  );
  const left = carried("form");
  if (left) restore(left);
  else choose();
}
