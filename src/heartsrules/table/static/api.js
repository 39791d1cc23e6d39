/** Requests to the server. */

import { el } from "./dom.js";

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ok: boolean, body: any}>}
 */
export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { ok: response.ok, body: await response.json() };
  } catch {
    return { ok: false, body: { code: "unreachable", message: "the server cannot be reached", problems: [] } };
  }
}

/**
 * Why the server refused a request.
 * @param {{message: string, problems: {fields: string[], message: string}[]}} refusal
 */
export function problemList(refusal) {
  return el(
    "div",
    { class: "problems" },
    el("p", {}, `${refusal.message[0].toUpperCase()}${refusal.message.slice(1)}.`),
    refusal.problems.length > 0 && el("ul", {}, refusal.problems.map((problem) => el("li", {}, problem.message))),
  );
}
