/** The form that opens a table: a game by its name and picture, who plays, and every option of the rules. */

import { post, problemList } from "./api.js";
import { ruleSentences } from "./cards.js";
import { levels } from "./choices.js";
import { el } from "./dom.js";
import { carried, carry, keep, kept } from "./memory.js";
import { myTables } from "./mine.js";
import { passField } from "./pass_form.js";
import { picture } from "./picture.js";
import { schemaField } from "./schema_form.js";
import { explained, label, reworded, sectionWords, title } from "./vocabulary.js";
import { capital, language, say } from "./words.js";

const COUNTS = [3, 4, 5, 6, 7, 8, 9, 10, 11];
const AWAY = [30, 60, 120, 300, 900];
const CHECKED_AFTER = 250;

/** The title of a game, or what is special about it. */
function gameWords(game, what) {
  return game[what] ?? say(`game.${game.preset}.${game.players}.${what}`);
}

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
function optionFields(schema, choices, values, players) {
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
 * @param {HTMLElement} main
 * @param {any} choices
 * @param {(opened: {table: string, token: string | null}) => void} onOpened
 */
export function lobby(main, choices, onOpened) {
  const { schema, presets } = choices;
  const byName = new Map(presets.map((each) => [each.name, each]));
  const proposed = presets[0].chosen && !(presets[0].name in Object.fromEntries(choices.games.map((game) => [game.preset, game]))) ? presets[0] : null;
  const games = [
    ...(proposed ? [{ title: say("form.proposed"), special: proposed.name, preset: proposed.name, players: proposed.players }] : []),
    ...choices.games,
  ];

  // ------------------------------------------------------------------------------------------------- the controls

  const name = /** @type {HTMLInputElement} */ (el("input", { id: "name", required: true, value: kept("name"), autocomplete: "nickname" }));
  const nameRow = el("div", { class: "narrow" }, el("label", { for: "name" }, say("form.name")), name);
  const problems = el("div", { role: "alert" });
  const card = (game, at) =>
    el("label", { class: "game-card" },
      el("input", { type: "radio", name: "game", value: at, checked: at === 0, onchange: () => choose(game.preset, game.players) }),
      picture(rulesFor(byName.get(game.preset), game.players, choices)),
      el("span", { class: "game-title" }, gameWords(game, "title")),
      el("span", { class: "hint" }, gameWords(game, "special")));
  const other = /** @type {HTMLInputElement} */ (el("input", { type: "radio", name: "game", value: "other", onchange: () => choose(preset.value) }));
  const preset = /** @type {HTMLSelectElement} */ (
    el("select", { id: "preset", onchange: () => choose(preset.value) }, presets.map((each) => el("option", { value: each.name }, title(each.name))))
  );
  const more = el("div", { hidden: true }, el("label", { for: "preset" }, say("form.rule-set")), preset);
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
      el("option", { value: "friends" }, say("form.friends")),
      levels.map((each) => el("option", { value: each.name }, say("form.bots-alone", { level: levelWords(each) }))),
      el("option", { value: "each" }, say("form.each-seat")))
  );
  const strength = /** @type {HTMLSelectElement} */ (el("select", { id: "strength" }, levels.map(level)));
  strength.value = levels.find((each) => each.usual).name;
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

  const choose = (chosen, count, typed = {}) => {
    preset.value = chosen;
    more.hidden = !other.checked;
    const each = byName.get(chosen);
    const known = Object.keys(each.rules).map(Number);
    players.replaceChildren(...COUNTS.map((number) => el("option", { value: number, selected: number === (count ?? each.players) }, known.includes(number) ? String(number) : say("form.beyond", { number }))));
    source.textContent = language === "en" ? `${capital(each.summary)}. Source: ${each.source}.` : say("form.source", { source: each.source });
    fill(typed);
  };
  /** Fill the form with the rules of the game; `typed` has the changes to keep. */
  const fill = (typed) => {
    base = rulesFor(byName.get(preset.value), Number(players.value), choices);
    form = optionFields(schema, choices, { ...base, ...typed }, () => Number(players.value));
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
    awayRow.hidden = !play.checked || !(others.value === "friends" || each);
    hintsRow.hidden = !play.checked;
    // Nobody is told who watches.
    nameRow.hidden = !play.checked;
    name.required = play.checked;
    seats.hidden = !each;
    const before = seatPlans();
    seats.replaceChildren(...Array.from({ length: each ? count : 0 }, (_, seat) => {
      if (seat === 0 && play.checked) return el("li", {}, say("you"));
      const plan = before[seat - (play.checked ? 1 : 0)] ?? { level: strength.value, friend: play.checked };
      const bots = levels.map((bot) => el("option", { value: `bot ${bot.name}`, selected: !plan.friend && bot.name === plan.level }, say("form.bot", { level: levelWords(bot) })));
      const friend = play.checked && el("option", { value: `friend ${strength.value}`, selected: plan.friend }, say("form.friend"));
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
    const wish = { rules: rules(), ...(play.checked ? { name: name.value } : {}), play: play.checked, seats: plans(), away: away.value === "" ? null : Number(away.value), hints: hints.value, game: preset.value.split(",")[0] };
    const answer = named(await post(`/api/tables?language=${language}`, wish));
    if (answer.ok) {
      if (play.checked) keep("name", name.value);
      onOpened(answer.body);
      return;
    }
    asked++; // ignore the answer of a pending request
    problems.replaceChildren(problemList(answer.body));
    mark(answer.body.problems);
    problems.scrollIntoView({ block: "nearest" });
  };

  // ------------------------------------------------------------------------------------------ in another language

  const folds = () => /** @type {HTMLDetailsElement[]} */ ([...main.querySelectorAll("form details[id]")]);
  const chosenGame = () => /** @type {HTMLInputElement} */ (main.querySelector("[name=game]:checked")).value;
  const controls = { name, others, strength, away, hints };
  const leave = () => carry("form", {
    game: chosenGame(), preset: preset.value, players: Number(players.value), options: changed(), play: play.checked, seats: [...seats.querySelectorAll("select")].map((select) => select.value),
    values: Object.fromEntries(Object.entries(controls).map(([key, control]) => [key, control.value])), open: folds().filter((fold) => fold.open).map(({ id }) => id),
  });
  /** Restore the form after a reload. */
  const restore = (left) => {
    /** @type {HTMLInputElement} */ (main.querySelector(`[name=game][value="${left.game}"]`)).checked = true;
    play.checked = left.play;
    for (const [key, control] of Object.entries(controls)) control.value = left.values[key];
    choose(left.preset, left.players, left.options);
    [...seats.querySelectorAll("select")].forEach((select, at) => (select.value = left.seats[at]));
    for (const fold of folds()) fold.open = left.open.includes(fold.id);
  };

  main.replaceChildren(
    ...[myTables()].filter((part) => part !== null),
    el("form", { class: "panel wide", onsubmit: submit, "data-typed": true, onspeak: leave, "aria-labelledby": "open-title" },
      el("h2", { id: "open-title" }, say("form.title")),
      nameRow,
      el("fieldset", { class: "games" }, el("legend", {}, say("form.games")),
        el("div", { class: "game-cards" }, games.map(card),
          el("label", { class: "game-card" }, other, el("span", { class: "game-picture many", "aria-hidden": "true" }, `${presets.length}`), el("span", { class: "game-title" }, say("form.other")), el("span", { class: "hint" }, say("form.other-special")))),
        more),
      el("div", { class: "two" },
        el("section", { "aria-labelledby": "who-title" },
          el("h3", { id: "who-title" }, say("form.who")),
          el("p", { class: "field" }, el("label", { for: "players" }, say("form.players")), players, playersProblem),
          el("p", { class: "check" }, play, el("label", { for: "play" }, say("form.play"))),
          el("p", { class: "field" }, el("label", { for: "others" }, say("form.others")), others),
          seats, strengthRow, awayRow, hintsRow),
        el("section", { "aria-labelledby": "told-title" },
          el("h3", { id: "told-title" }, say("form.what")), shape, source,
          el("details", { id: "told" }, el("summary", {}, say("form.sentences")), sentences))),
      el("details", { id: "all-options" }, el("summary", {}, say("form.options")), options),
      problems,
      el("p", { class: "buttons" }, open)),
  );
  const left = carried("form");
  if (left) {
    restore(left);
    return;
  }
  const start = games.findIndex((game) => game.preset === presets.find((each) => each.chosen).name);
  /** @type {HTMLInputElement} */ (main.querySelectorAll("[name=game]")[Math.max(0, start)]).checked = true;
  choose(games[Math.max(0, start)].preset, games[Math.max(0, start)].players);
}
