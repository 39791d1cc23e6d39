/** Requests to the server. */

import { el } from "./dom.js";
import { capital, known, language, say } from "./words.js";

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<{ok: boolean, status: number, body: any}>} with the status 0 if there was no answer
 */
async function answer(path, options) {
  try {
    const response = await fetch(path, options);
    return { ok: response.ok, status: response.status, body: await response.json() };
  } catch {
    return { ok: false, status: 0, body: { code: "unreachable", message: "the server cannot be reached", problems: [] } };
  }
}

/** @param {string} path */
export function get(path) {
  return answer(path);
}

/**
 * @param {string} path
 * @param {object} body
 */
export function post(path, body) {
  return answer(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
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
