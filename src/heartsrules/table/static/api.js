/** Requests to the server. */

import { el } from "./dom.js";
import { capital, known, language, say } from "./words.js";

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ok: boolean, body: any}>}
 */
export async function post(path, body) {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, request).catch(() => null);
  if (!response) return failure("unreachable");
  // A server that has failed, or one in front of it, may answer with a page for people.
  const told = await response.json().catch(() => null);
  return told ? { ok: response.ok, body: told } : failure("unreadable");
}

/** An answer that the server did not give. */
function failure(code) {
  return { ok: false, body: { code, message: say(`refused.${code}`), problems: [] } };
}

/** Why something was refused, in the words of the page; the server says it in English, and at times says more. */
export function refusalText({ code, message }) {
  return language !== "en" && known(`refused.${code}`) ? say(`refused.${code}`) : message;
}

/**
 * Why the server refused a request.
 * @param {{code: string, message: string, problems: {fields: string[], message: string}[]}} refusal
 */
export function problemList(refusal) {
  const text = refusalText(refusal);
  return el(
    "div",
    { class: "problems" },
    el("p", {}, `${capital(text)}.`),
    refusal.problems.length > 0 && el("ul", {}, refusal.problems.map((problem) => el("li", {}, problem.message))),
  );
}
