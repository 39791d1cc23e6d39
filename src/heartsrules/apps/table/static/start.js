/** The first page: one press to play, the other games by picture, and every other choice behind a fold. */

import { post, problemList } from "./api.js";
import { cardFace } from "./cards.js";
import { levels } from "./choices.js";
import { el } from "./dom.js";
import { introduction } from "./introduction.js";
import { carried, carry, kept, tables } from "./memory.js";
import { myTables } from "./mine.js";
import { openingForm } from "./opening_form.js";
import { picture } from "./picture.js";
import { gameSpecial, gameTitle, getOptionWords } from "./vocabulary.js";
import { language, say } from "./words.js";

const FAN = ["TC", "JD", "QS", "KH", "AH"];

/**
 * @param {HTMLElement} main
 * @param {any} choices
 * @param {(opened: {table: string, token: string | null}) => void} onOpened
 */
export function startPage(main, choices, onOpened) {
  const presets = new Map(choices.presets.map((each) => [each.name, each]));
  const [usual, ...others] = choices.games.map((game) => ({ ...game, rules: presets.get(game.name ?? game.preset).rules[game.players] }));
  const problems = el("div", { role: "alert" });

  /** Open a table with bots on all other seats: its game begins at once. */
  const play = async ({ preset, players, rules }) => {
    if (main.hasAttribute("aria-busy")) return; // pressed twice
    main.setAttribute("aria-busy", "true");
    const bot = { level: levels.find((level) => level.usual)?.name, friend: false };
    const wish = { rules: { heartsrules: 1, kind: "rules", ...rules }, name: kept("name") || say("start.guest"), seats: Array.from({ length: players }, () => bot), game: preset };
    const answer = await post(`/api/tables?language=${language}`, wish);
    main.removeAttribute("aria-busy");
    if (answer.ok) onOpened(answer.body);
    else problems.replaceChildren(problemList(answer.body));
  };

  const open = tables().find((table) => !table.over);
  const hero = el("section", { class: "hero", "aria-label": say("start.play") },
    el("div", { class: "hero-fan", "aria-hidden": "true" }, FAN.map((card) => el("span", {}, cardFace(card)))),
    el("p", { class: "buttons" },
      el("button", { id: "play-now", class: "primary", onclick: () => play(usual) }, say("start.play")),
      open && el("a", { id: "go-on-playing", class: "button", href: `#t/${open.id}` }, say("start.go-on")),
      el("a", { id: "drills", class: "button", href: "#drills" }, say("start.drills"))),
    el("p", { class: "told" }, say("start.told", { game: gameTitle(usual), bots: usual.players - 1 })),
    problems,
    introduction());

  const tile = (game) =>
    el("li", {},
      el("button", { class: "game-card", onclick: () => play(game) },
        picture(game.rules),
        el("span", { class: "game-title" }, gameTitle(game)),
        el("span", { class: "hint" }, say("start.game", { players: game.players, special: gameSpecial(game) }))));

  const form = el("div", { class: "opening" });
  /** Make the form once somebody wants it. */
  const unfold = async () => {
    if (!more.open) return;
    await getOptionWords();
    if (!form.hasChildNodes()) openingForm(form, choices, onOpened);
  };
  const more = /** @type {HTMLDetailsElement} */ (
    el("details", { id: "more", class: "panel wide", open: carried("more") === true, "data-typed": true, onspeak: () => carry("more", more.open), ontoggle: unfold },
      el("summary", {}, el("h2", { id: "more-title" }, say("start.more")), el("span", { class: "hint" }, say("start.more-told"))), form)
  );

  main.replaceChildren(
    ...[
      hero,
      el("section", { class: "games", "aria-labelledby": "games-title" }, el("h2", { id: "games-title" }, say("start.games")), el("ul", { class: "game-cards" }, others.map(tile))),
      more,
      myTables(),
    ].filter((part) => part !== null),
  );
}
