// Checks a conformance suite: node check.mjs DIRECTORY
//
// Every line is checked against the JSON Schema files in DIRECTORY/schema, and one rule is checked again by an
// implementation of its own: who holds a card of the suit led must play such a card. A client's own tests can take this
// as their frame and put their own rules in the place of `followSuit`.
//
// Exit codes: 0 all lines are right, 1 some are not, 2 the suite cannot be read.

import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import process from "node:process";
import { Ajv2020 } from "ajv/dist/2020.js";

const LINE = "urn:heartsrules:conformance:1:line";
const MOST_REPORTED = 20;

/** The validator of a line, made of all schema files; they refer to each other by `$id`. */
function lineValidator(directory) {
  const ajv = new Ajv2020();
  ajv.addKeyword("discriminator"); // a hint of OpenAPI for generators of code; the tags are checked without it
  for (const name of readdirSync(directory).filter((name) => name.endsWith(".json")).sort()) {
    ajv.addSchema(JSON.parse(readFileSync(join(directory, name), "utf8")));
  }
  const validate = ajv.getSchema(LINE);
  if (validate === undefined) {
    throw new Error(`${directory} has no schema ${LINE}`);
  }
  return (line) => (validate(line) ? [] : validate.errors.map((error) => `${error.instancePath} ${error.message}`));
}

/** The cards of a bag: texts apart by single spaces; the empty text is the empty bag. */
const cardsOf = (bag) => (bag === "" ? [] : bag.split(" "));
const suitOf = (card) => card[1];
const isPlay = (move) => move.move === "play";
const same = (one, other) => JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());

/** The shown cards of suits that no trick was led in before; none where shown cards need not wait. */
function waitingCards({ rules, exposed, tricks, resumed_from }) {
  if (rules.exposed_card_play === "free") {
    return [];
  }
  const led = new Set([...tricks.map((trick) => suitOf(trick.plays[0])), ...(resumed_from === null ? [] : resumed_from.suits_led)]);
  return exposed.flatMap(cardsOf).filter((card) => !led.has(suitOf(card)));
}

/** What is wrong with the legal plays of a case, as far as following suit decides. */
function followSuit({ state, seat, legal, illegal, move }) {
  const problems = [];
  const own = [...new Set(cardsOf(state.hands[seat]))];
  const legalCards = legal.moves.map((play) => play.card);
  const refused = illegal.filter(({ move }) => isPlay(move) && move.seat === seat && own.includes(move.card));
  const refusedCards = refused.map(({ move }) => move.card);

  if (!legal.moves.every((play) => isPlay(play) && play.seat === seat)) {
    problems.push("a legal move is not a play of the seat whose turn it is");
  }
  if (legal.count !== legalCards.length) {
    problems.push(`${legal.count} legal plays are counted, but ${legalCards.length} are listed`);
  }
  if (!same(own, [...legalCards, ...refusedCards])) {
    problems.push("the cards of the hand are not each either legal or refused, once");
  }
  if (!legalCards.includes(move.card)) {
    problems.push(`${move.card} is played, but not legal`);
  }

  // What a document leaves out has its default.
  const compulsory = cardsOf(state.rules.compulsory_cards ?? "QS");
  const led = state.trick.length > 0 ? suitOf(state.trick[0]) : null;
  const following = led === null ? [] : own.filter((card) => suitOf(card) === led);
  // A shown card waits until a trick was led in its suit, as long as a card beside it that was not shown can follow.
  const heldBack = waitingCards(state);
  const free = following.filter((card) => !heldBack.includes(card));
  for (const card of legalCards) {
    if (free.length > 0 && following.includes(card) && heldBack.includes(card)) {
      problems.push(`${card} is legal, but was exposed, and ${free.join(" ")} could be played`);
    }
    if (following.length > 0 && suitOf(card) !== led) {
      problems.push(`${card} is legal, but ${following.join(" ")} could follow suit`);
    }
  }
  for (const { move, codes } of refused) {
    const mustFollow = following.length > 0 && suitOf(move.card) !== led;
    if (codes.includes("must-follow-suit") !== mustFollow) {
      const verdict = mustFollow ? "it revokes" : "it does not revoke";
      problems.push(`${move.card} is refused by ${codes.join(", ")}, but ${verdict}`);
    }
    // A card that follows suit can only be barred because it was shown and another card of the suit was not, or
    // because a compulsory card has to be played instead. On the lead, a shown card may wait for cards of any suit.
    const due = codes.includes("card-compulsory") && legalCards.every((card) => compulsory.includes(card));
    const held = codes.includes("exposed-card-restricted");
    const anySuit = led === null && state.rules.exposed_card_play === "wait-on-lead";
    const beside = own.filter(
      (card) => (anySuit || suitOf(card) === suitOf(move.card)) && !heldBack.includes(card),
    );
    if (held && (!heldBack.includes(move.card) || beside.length === 0)) {
      problems.push(`${move.card} is refused as an exposed card, but nothing holds it back`);
    }
    if (following.includes(move.card) && !due && !held) {
      problems.push(`${move.card} follows suit, but is refused by ${codes.join(", ")}`);
    }
  }
  return problems;
}

/** Reads one file and calls `report(lineNumber, problem)`; returns how much was checked. */
async function checkFile(path, validate, report) {
  const counts = { rules: 0, cases: 0, plays: 0, followed: 0 };
  const ids = new Set();
  let number = 0;
  let end = null;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1;
    if (end !== null) {
      report(number, "there is a line after the last one");
    }
    let line;
    try {
      line = JSON.parse(text);
    } catch (error) {
      report(number, error.message);
      continue;
    }
    const problems = validate(line);
    problems.forEach((problem) => report(number, problem));
    if (problems.length > 0) {
      continue;
    }
    if (line.kind === "end") {
      end = line;
    } else if (line.kind === "rules") {
      counts.rules += 1;
      ids.add(line.id);
    } else {
      counts.cases += 1;
      if (!ids.has(line.rules)) {
        report(number, `no line before says what the rules ${line.rules} are`);
      }
      if (line.state.phase === "playing") {
        counts.plays += 1;
        counts.followed += line.state.trick.length > 0 ? 1 : 0;
        followSuit(line).forEach((problem) => report(number, problem));
      }
    }
  }
  if (end === null) {
    report(number, "the last line is missing");
  } else if (end.rules !== counts.rules || end.cases !== counts.cases) {
    report(number, `${end.rules} rule sets and ${end.cases} cases are announced, but not there`);
  }
  return counts;
}

async function main(directory) {
  const validate = lineValidator(join(directory, "schema"));
  const names = readdirSync(directory).filter((name) => name.endsWith(".jsonl")).sort();
  if (names.length === 0) {
    throw new Error(`${directory} has no .jsonl files`);
  }
  const total = { rules: 0, cases: 0, plays: 0, followed: 0 };
  let problems = 0;
  for (const name of names) {
    const counts = await checkFile(join(directory, name), validate, (number, problem) => {
      problems += 1;
      if (problems <= MOST_REPORTED) {
        console.error(`${name}:${number}: ${problem}`);
      }
    });
    for (const key of Object.keys(total)) {
      total[key] += counts[key];
    }
  }
  if (problems > MOST_REPORTED) {
    console.error(`and ${problems - MOST_REPORTED} more problems`);
  }
  console.log(
    `${names.length} files, ${total.rules} rule sets, ${total.cases} cases; ` +
      `follow suit checked in ${total.plays} plays, ${total.followed} of them to a suit led; ${problems} problems`,
  );
  return problems === 0 ? 0 : 1;
}

if (process.argv.length !== 3) {
  console.error("usage: node check.mjs DIRECTORY");
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await main(process.argv[2]);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}
