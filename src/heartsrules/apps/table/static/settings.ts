/** The settings of the page, with a legend of its keys. */

import type { VNode } from "preact";
import { local } from "./api.ts";
import { checkbox, el, field, menu, value, type Attributes } from "./dom.ts";
import { reduced, wanted } from "./effects.ts";
import { prefer, preference, prefers, type Preference } from "./storage.ts";
import { LANGUAGES, language, say } from "./words.ts";

/** The keys of the table, each with what it does; a letter of a rank is as on the cards of the language. */
const KEYS = ["arrows", "numbers", "ranks", "enter", "hint"];
const box = (event: Event) => event.currentTarget as HTMLInputElement;

const check = (name: Preference, checked = prefers(name), more: Attributes = {}) =>
  checkbox(`prefers-${name}`, say(`settings.${name}`), checked,
    { onchange: (event: Event) => prefer(name, box(event).checked ? "on" : "off"), ...more });

const choice = (name: Preference, ...values: string[]) =>
  field(`prefers-${name}`, say(`settings.${name}`), "select",
    { value: preference(name), onchange: (event: Event) => prefer(name, value(event)) },
    values.map((value) => el("option", { value }, say(`settings.${name}.${value}`))));

/** Ask for the permission to notify; without it, the box is not checked. */
async function notify(event: Event): Promise<void> {
  const target = box(event);
  target.checked &&= (await Notification.requestPermission()) === "granted";
  prefer("notify", target.checked ? "on" : "off");
}

export function settings(onLanguage: (tag: string) => void): VNode {
  const languages = Object.entries(LANGUAGES).map(([tag, name]) => el("option", { value: tag, lang: tag }, name));
  const keys = KEYS.flatMap((key) => [el("dt", {}, say(`keys.${key}`)), el("dd", {}, say(`keys.${key}.does`))]);
  return menu("preferences", say("settings.title"), say("settings.title"), [
    field("language", say("settings.language"), "select",
      { value: language, onchange: (event: Event) => onLanguage(value(event)) }, languages),
    choice("speed", "slow", "usual", "fast"),
    choice("sorting", "suits", "high", "ranks"),
    choice("colours", "two", "four"),
    check("motion", wanted(), { disabled: reduced(), "aria-describedby": reduced() && "motion-hint" }),
    reduced() && el("p", { id: "motion-hint", class: "hint" }, say("settings.reduced")),
    check("sound"),
    !local && check("phrases"),
    "Notification" in window && check("notify", prefers("notify") && Notification.permission === "granted", { onchange: notify }),
    check("forced"),
    check("claim"),
    check("keys"),
    el("dl", { class: "keys", "aria-label": say("keys.title") }, keys),
  ]);
}
