/** The settings of the page: its language, and whether anything moves. */

import { el } from "./dom.js";
import { carried } from "./memory.js";
import { reduced, setMotion, wanted } from "./motion.js";
import { LANGUAGES, language, say, speak } from "./words.js";

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
  const motion = /** @type {HTMLInputElement} */ (el("input", { id: "motion", type: "checkbox", checked: wanted(), disabled: reduced(), "aria-describedby": reduced() && "motion-hint", onchange: () => setMotion(motion.checked) }));
  place.replaceChildren(
    el("details", { class: "settings", open: back, onkeydown: (event) => close(event) },
      el("summary", {}, say("settings.title")),
      el("div", { class: "menu" },
        el("p", {}, el("label", { for: "language" }, say("settings.language")), languages),
        el("p", { class: "check" }, motion, el("label", { for: "motion" }, say("settings.motion"))),
        reduced() && el("p", { id: "motion-hint", class: "hint" }, say("settings.reduced")),
      ),
    ),
  );
  if (back) languages.focus({ preventScroll: true });
}

/** Escape closes the menu, as it does any other. */
function close(event) {
  if (event.key !== "Escape") return;
  event.currentTarget.removeAttribute("open");
  event.currentTarget.querySelector("summary").focus();
}
