// The try-out of "In the browser without a server": the rules in Pyodide, asked through the client in JavaScript.

const DRAW = `
def _draw():
    from heartsrules import State
    from heartsrules.pictures import svg
    from heartsrules.formats.wire import from_json

    colours = {"light": svg.LIGHT, "dark": svg.DARK}
    return lambda state, look: str(svg.table(from_json(state, State), colours=colours[look]))

_draw()
`;
const MOST = 24; // moves that are shown at once

const panel = document.querySelector(".try");
const part = (name) => panel.querySelector(`[data-part=${name}]`);
const dark = window.matchMedia("(prefers-color-scheme: dark)");

let hearts;
let draw;
let states = []; // values: taking a move back is going to the one before

/** A new element, with attributes, a listener for clicks, and what is in it. */
function element(name, { click, ...attributes }, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  if (click !== undefined) {
    made.addEventListener("click", click);
  }
  made.append(...inside);
  return made;
}

const FACES = { C: "♣", D: "♦", S: "♠", H: "♥" };

/** A card as people write it. */
function face(card) {
  const suit = FACES[card.at(-1)];
  return element("span", { class: "DH".includes(card.at(-1)) ? "red" : "" }, card.slice(0, -1).replace("T", "10") + suit);
}

/** Cards as people write them, with a space between. */
const faces = (cards) => cards.split(" ").filter(Boolean).flatMap((card) => [" ", face(card)]).slice(1);

/** What a move is called. */
function named(move) {
  switch (move.move) {
    case "play":
      return [face(move.card)];
    case "pass":
      return move.cards.length ? move.cards.flatMap((gift, number) => [number ? " / " : "", ...faces(gift)]) : ["no pass"];
    case "expose":
      return move.cards ? ["show ", ...faces(move.cards)] : ["show nothing"];
    default:
      return [move.effect === "others-up" ? "give the others the points" : "take the points off"];
  }
}

const state = () => states.at(-1);

/** Show what went wrong, and go on. */
async function trying(work) {
  panel.setAttribute("aria-busy", "true");
  part("said").textContent = "";
  try {
    await work();
  } catch (error) {
    const problems = error.problems ?? [{ place: "", message: error.message }];
    const lines = problems.slice(0, 5).map(({ place, message }) => `${place || "the document"}: ${message}`);
    part("said").replaceChildren(...lines.map((line) => element("div", {}, line)));
    if (error.problems === undefined) {
      console.error(error);
    }
  } finally {
    panel.removeAttribute("aria-busy");
  }
}

async function load() {
  const play = new URL(panel.dataset.play, document.baseURI);
  part("load").disabled = true;
  part("progress").textContent = "Loading Python and the rules ...";
  try {
    const response = await fetch(new URL("rules/pyodide-lock.json", play));
    if (!response.ok) {
      throw new Error(`${response.url} is not there: this copy of the documentation was made without Pyodide`);
    }
    // The table without a server has brought Python and the rules: this page uses the same files.
    const { python } = await import(new URL("static/python.js", play));
    const { HeartsRules, overPyodide } = await import(new URL("heartsrules.js", import.meta.url));
    const pyodide = await python();
    hearts = new HeartsRules(await overPyodide(pyodide, []));
    draw = pyodide.runPython(DRAW);
    const { presets } = await hearts.ask("presets", {});
    part("preset").replaceChildren(
      ...presets.map(({ name, summary }) => element("option", { value: name, title: summary }, name.replaceAll("_", " "))),
    );
    part("preset").value = "dicegamedepot";
  } catch (error) {
    part("progress").textContent = `It could not be loaded. ${error.message}`;
    part("load").disabled = false;
    throw error;
  }
  part("start").hidden = true;
  part("board").hidden = false;
  await trying(open);
}

/** A new match of the preset that is chosen, with its first deal. */
async function open() {
  const { rules } = await hearts.ask("preset", { name: part("preset").value });
  states = [];
  await deal((await hearts.ask("new-game", { rules })).state);
}

async function deal(before) {
  states.push((await hearts.ask("deal", { state: before })).state);
  await show();
}

async function make(move) {
  states.push((await hearts.ask("transition", { state: state(), move })).state);
  await show();
}

/** Moves by chance, until the phase is another one or the trick is full. */
async function playOn() {
  const begun = state();
  do {
    const { moves, total } = await hearts.ask("legal-moves", { state: state(), limit: 1000 });
    if (!moves.length) {
      break;
    }
    const move = moves[Math.floor(Math.random() * Math.min(moves.length, total))];
    states.push((await hearts.ask("transition", { state: state(), move })).state);
  } while (state().phase === begun.phase && !(state().phase === "playing" && !state().trick.length));
  await show();
}

async function show() {
  const now = state();
  part("picture").innerHTML = draw(JSON.stringify(now), isDark() ? "dark" : "light");
  part("json").value = JSON.stringify(now, null, 1);
  part("back").disabled = states.length < 2;
  const over = now.phase === "game-over";
  const waits = now.phase === "awaiting-deal";
  part("on").disabled = over || waits;
  part("next").hidden = !waits;
  const { moves, total } = over || waits ? { moves: [], total: 0 } : await hearts.ask("legal-moves", { state: now });
  const seats = [...new Set(moves.map(({ seat }) => seat))];
  const seat = seats[0];
  const own = moves.filter((move) => move.seat === seat);
  const count = seats.length > 1 ? own.length : total;
  const asked = { playing: "plays", passing: "passes", exposing: "shows cards", "choosing-moon": "has shot the moon" };
  part("turn").textContent = over
    ? `The match is over. ${now.winners.length > 1 ? "Seats" : "Seat"} ${now.winners.join(" and ")} won.`
    : waits
      ? "The deal is over."
      : `Seat ${seat} ${asked[now.phase]}: ${count === 1 ? "1 move is" : `${count} moves are`} legal`;
  part("moves").replaceChildren(...(now.phase === "playing" ? await hand(now) : choices(own, count)));
}

/** Every card of the hand that plays; one that may not be played says why. */
async function hand(now) {
  const { cards } = await hearts.ask("playability", { state: now });
  return cards.map(({ card, violations }) => {
    if (!violations.length) {
      return element("button", { click: () => trying(() => make(play(now.turn, card))) }, face(card));
    }
    const why = violations.map(({ message }) => message).join("; ");
    return element("button", { "aria-disabled": "true", title: why, click: () => (part("said").textContent = why) }, face(card));
  });
}

const play = (seat, card) => ({ heartsrules: 1, kind: "move", move: "play", seat, card });

/** The first of many moves. */
function choices(moves, count) {
  const shown = moves.slice(0, MOST).map((move) => element("button", { click: () => trying(() => make(move)) }, ...named(move)));
  return count > shown.length ? [...shown, element("span", {}, `and ${count - shown.length} more`)] : shown;
}

/** Go on from the document in the text field, if the rules believe it. */
async function read() {
  const given = JSON.parse(part("json").value);
  await hearts.ask("legal-moves", { state: given });
  states.push(given);
  await show();
}

/** Whether the page is dark, by its own choice or by that of the system. */
function isDark() {
  const chosen = document.body.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && dark.matches);
}

const redraw = () => states.length && trying(show);
dark.addEventListener("change", redraw);
new MutationObserver(redraw).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
part("load").addEventListener("click", () => load().catch(console.error));
part("new").addEventListener("click", () => trying(open));
part("preset").addEventListener("change", () => trying(open));
part("next").addEventListener("click", () => trying(() => deal(state())));
part("on").addEventListener("click", () => trying(playOn));
part("read").addEventListener("click", () => trying(read));
part("back").addEventListener("click", () =>
  trying(async () => {
    states.pop();
    await show();
  }),
);
