/** Requests to the server. */

import { el } from "./dom.js";
import { capital, known, language, say } from "./words.js";

/** The server, if it is in the page itself. */
export const local = document.querySelector("meta[name=hearts-server][content=page]") ? await import("./local.js") : null;

if (local) {
  const loading = el("p", { id: "loading", role: "status" }, say("local.loading"));
  document.getElementById("connection").after(loading);
  local.loaded.then(() => loading.remove(), () => (loading.textContent = capital(say("refused.no-python"))));
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<{ok: boolean, status: number, body: any}>} with the status 0 if there was no answer
 */
async function answer(path, options) {
  const response = await (local ? local.request(path, options) : fetch(path, options)).catch(() => null);
  if (!response) return failure("unreachable", 0);
  // A server that has failed, or one in front of it, may answer with a page for people.
  const body = await response.json().catch(() => null);
  return body ? { ok: response.ok, status: response.status, body } : failure("unreadable", response.status);
}

/** A failure that the server has not told. */
function failure(code, status) {
  return { ok: false, status, body: { code, message: say(`refused.${code}`), problems: [] } };
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

/** The reason of a refusal in the language of the page. In English that of the server, which may be more precise. */
export function refusalText({ code, message }) {
  return language !== "en" && known(`refused.${code}`) ? say(`refused.${code}`) : message;
}

/**
 * The reason of a refusal, with a list of its problems.
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
