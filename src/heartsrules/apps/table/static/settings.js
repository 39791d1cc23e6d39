/** The settings of the page, with a legend of its keys. */

import { local } from "./api.js";
import { el } from "./dom.js";
import { carried, keep, kept } from "./memory.js";
import { menu } from "./menus.js";
import { reduced, setMotion, wanted } from "./motion.js";
import { prefer, preference, prefers } from "./preferences.js";
import { LANGUAGES, language, say, speak } from "./words.js";

/** The keys of the table, each with what it does; a letter of a rank is as on the cards of the language. */
const KEYS = ["arrows", "numbers", "ranks", "enter", "hint"];

/** A checkbox with its label. */
function check(id, words, checked, change, more = {}) {
  const box = /** @type {HTMLInputElement} */ (el("input", { id, type: "checkbox", checked, onchange: () => change(box), ...more }));
  return el("p", { class: "check" }, box, el("label", { for: id }, words));
}

/** A checkbox of a preference that is on or off. */
function option(name) {
  return check(`prefers-${name}`, say(`settings.${name}`), prefers(name), (box) => prefer(name, box.checked ? "on" : "off"));
}

/** A choice of a preference with several values. */
function choice(name, values) {
  const select = /** @type {HTMLSelectElement} */ (
    el("select", { id: `prefers-${name}`, onchange: () => prefer(name, select.value) }, values.map((value) => el("option", { value, selected: value === preference(name) }, say(`settings.${name}.${value}`))))
  );
  return el("p", { class: "field" }, el("label", { for: `prefers-${name}` }, say(`settings.${name}`)), select);
}

/** Ask for the permission to notify; without it, the box is not checked. */
async function notify(box) {
  const allowed = box.checked && (await Notification.requestPermission()) === "granted";
  box.checked = allowed;
  prefer("notify", allowed ? "on" : "off");
}

/**
 * Put the settings into a place of the page.
 * @param {HTMLElement} place
 */
export function settings(place) {
  // Whoever has chosen a language goes on where they were.
  const back = carried("settings") === true;
  const languages = /** @type {HTMLSelectElement} */ (
    el("select", { id: "language", onchange: () => speak(languages.value) }, Object.entries(LANGUAGES).map(([tag, name]) => el("option", { value: tag, lang: tag, selected: tag === language }, name)))
  );
  const name = /** @type {HTMLInputElement} */ (el("input", { id: "own-name-kept", value: kept("name"), placeholder: say("start.guest"), autocomplete: "nickname", maxlength: 60, onchange: () => keep("name", name.value.trim()) }));
  const keys = KEYS.flatMap((key) => [el("dt", {}, say(`keys.${key}`)), el("dd", {}, say(`keys.${key}.does`))]);
  place.replaceChildren(
    menu("settings-menu", [say("settings.title")], say("settings.title"), [
      el("p", { class: "field" }, el("label", { for: "language" }, say("settings.language")), languages),
      el("p", { class: "field" }, el("label", { for: "own-name-kept" }, say("settings.name")), name),
      choice("speed", ["slow", "usual", "fast"]),
      choice("sorting", ["suits", "high", "ranks"]),
      choice("colours", ["two", "four"]),
      check("motion", say("settings.motion"), wanted(), (box) => setMotion(box.checked), { disabled: reduced(), "aria-describedby": reduced() && "motion-hint" }),
      reduced() && el("p", { id: "motion-hint", class: "hint" }, say("settings.reduced")),
      option("sound"),
      local === null && option("phrases"),
      "Notification" in window && check("prefers-notify", say("settings.notify"), prefers("notify") && Notification.permission === "granted", notify),
      option("forced"),
      option("claim"),
      option("keys"),
      el("dl", { class: "keys", "aria-label": say("keys.title") }, keys),
    ], { class: "tool settings", open: back }),
  );
  if (back) languages.focus({ preventScroll: true });
}
