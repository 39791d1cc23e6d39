/** The settings of the page, with a legend of its keys. */

import type { VNode } from "preact";
import { local } from "./api.ts";
import { el, type Attributes } from "./dom.ts";
import { menu } from "./menus.ts";
import { reduced, wanted } from "./motion.ts";
import { prefer, preference, prefers, type Preference } from "./preferences.ts";
import { LANGUAGES, language, say } from "./words.ts";

/** The keys of the table, each with what it does; a letter of a rank is as on the cards of the language. */
const KEYS = ["arrows", "numbers", "ranks", "enter", "hint"];

const box = (event: Event) => event.currentTarget as HTMLInputElement;

/** A checkbox with its label. */
function check(id: string, words: string, checked: boolean, change: (box: HTMLInputElement) => void, more: Attributes = {}): VNode {
  return el("p", { class: "check" }, el("input", { id, type: "checkbox", checked, onchange: (event: Event) => change(box(event)), ...more }), el("label", { for: id }, words));
}

/** A checkbox of a preference that is on or off. */
const option = (name: Preference) => check(`prefers-${name}`, say(`settings.${name}`), prefers(name), ({ checked }) => prefer(name, checked ? "on" : "off"));

/** A choice of a preference with several values. */
function choice(name: Preference, values: string[]): VNode {
  return el("p", { class: "field" },
    el("label", { for: `prefers-${name}` }, say(`settings.${name}`)),
    el("select", { id: `prefers-${name}`, value: preference(name), onchange: (event: Event) => prefer(name, box(event).value) }, values.map((value) => el("option", { value }, say(`settings.${name}.${value}`)))));
}

/** Ask for the permission to notify; without it, the box is not checked. */
async function notify(target: HTMLInputElement): Promise<void> {
  const allowed = target.checked && (await Notification.requestPermission()) === "granted";
  target.checked = allowed;
  prefer("notify", allowed ? "on" : "off");
}

/** The settings; `onLanguage` is called with the chosen language. */
export function settings(onLanguage: (tag: string) => void): VNode {
  const keys = KEYS.flatMap((key) => [el("dt", {}, say(`keys.${key}`)), el("dd", {}, say(`keys.${key}.does`))]);
  return menu("settings-menu", [say("settings.title")], say("settings.title"), [
    el("p", { class: "field" },
      el("label", { for: "language" }, say("settings.language")),
      el("select", { id: "language", value: language, onchange: (event: Event) => onLanguage(box(event).value) }, Object.entries(LANGUAGES).map(([tag, name]) => el("option", { value: tag, lang: tag }, name)))),
    choice("speed", ["slow", "usual", "fast"]),
    choice("sorting", ["suits", "high", "ranks"]),
    choice("colours", ["two", "four"]),
    check("motion", say("settings.motion"), wanted(), ({ checked }) => prefer("motion", checked ? "on" : "off"), { disabled: reduced(), "aria-describedby": reduced() && "motion-hint" }),
    reduced() && el("p", { id: "motion-hint", class: "hint" }, say("settings.reduced")),
    option("sound"),
    !local && option("phrases"),
    "Notification" in window && check("prefers-notify", say("settings.notify"), prefers("notify") && Notification.permission === "granted", notify),
    option("forced"),
    option("claim"),
    option("keys"),
    el("dl", { class: "keys", "aria-label": say("keys.title") }, keys),
  ], { class: "tool settings" });
}
