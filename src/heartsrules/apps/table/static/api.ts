/** Requests to the server. */

import type { VNode } from "preact";
import type { Socket } from "./connection.ts";
import { el } from "./dom.ts";
import { byId, outdated } from "./page.ts";
import { told } from "./position.ts";
import type { ProblemShown, Refusal } from "./types.ts";
import { capital, known, say } from "./words.ts";

/** The server, if it is in the page itself. */
export let local: typeof import("./local.ts") | null = null;

/** Load the server that is in the page itself, if there is one, and say so until it is there. */
export async function prepare(): Promise<void> {
  if (!document.querySelector("meta[name=hearts-server][content=page]")) return;
  local = await import("./local.ts");
  const loading = byId("loading");
  loading.textContent = say("local.loading");
  const told = { ready: "", failed: "refused.no-python", "other-tab": "local.other-tab" };
  local.follow((news) => {
    if (news === "update") outdated();
    else loading.textContent = told[news] && capital(say(told[news]));
  });
}

export function socketAt(table: string): Socket {
  if (local) return new local.LocalSocket(table);
  return new WebSocket(`${location.origin.replace("http", "ws")}/api/tables/${table}/socket`);
}

/** An answer; the status is 0 if there was none. */
export type Answer<T> = { ok: true; status: number; body: T } | { ok: false; status: number; body: Refusal };

export async function get<T>(path: string, options?: RequestInit): Promise<Answer<T>> {
  const response: Response | null = await (local ? local.request : fetch)(path, options).catch(() => null);
  // A server that has failed, or one in front of it, may answer with a page for people.
  const body = await response?.json().catch(() => null);
  if (response && body) return { ok: response.ok, status: response.status, body };
  const code = response ? "unreadable" : "unreachable";
  return { ok: false, status: response?.status ?? 0, body: { code, message: say(`refused.${code}`), problems: [] } };
}

export function post<T>(path: string, body: object): Promise<Answer<T>> {
  return get(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** The reason of a refusal in the page's words; the server's message is for programs. */
export function refusalText({ code, message }: Pick<Refusal, "code" | "message">): string {
  return known(`refused.${code}`) ? say(`refused.${code}`) : message;
}

/** The reason of a refusal, with a list of its problems. */
export function problemList(
  refusal: Refusal | null,
  said: (problem: ProblemShown) => string = ({ sentence }) => told(sentence),
): VNode | null {
  return refusal && el("div", { class: "problems" },
    el("p", {}, `${capital(refusalText(refusal))}.`),
    refusal.problems?.length > 0 && el("ul", {}, refusal.problems.map((problem) => el("li", {}, said(problem)))));
}
