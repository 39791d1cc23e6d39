/** What somebody has chosen for every table of this browser. */

import { keep, kept } from "./memory.js";

const DEFAULTS = { sound: "off", phrases: "on", notify: "off", speed: "usual", colours: "two", sorting: "suits", forced: "off", claim: "off", keys: "on" };

/** @type {Set<(name: string) => void>} */
const listeners = new Set();

/** The value of a preference. @param {keyof DEFAULTS} name */
export function preference(name) {
  return kept(`prefers-${name}`) ?? DEFAULTS[name];
}

/** Whether a preference that is on or off is on. @param {keyof DEFAULTS} name */
export function prefers(name) {
  return preference(name) === "on";
}

/** Set a preference, and tell all listeners. */
export function prefer(name, value) {
  keep(`prefers-${name}`, value);
  show();
  for (const tell of listeners) tell(name);
}

/** Call a function after each change; the result ends that. @param {(name: string) => void} tell */
export function onPreference(tell) {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** Apply what a style sheet shows. */
function show() {
  document.documentElement.toggleAttribute("data-four-colours", preference("colours") === "four");
}

show();
