/** The passes of the pass cycle, in words and as pictures. */

import { passPicture } from "./picture.ts";
import type { Schema } from "./schema_form.ts";
import { say } from "./words.ts";

/** The receiver of a transfer: the number of seats to the left, or 0 for the middle. */
type Offset = number | "across";
/** The transfers of a pass: the receiver of each, and the number of cards. */
type Pass = readonly (readonly [Offset, number])[];

/** The schema of the pass cycle; a receiver is somebody who sits there. */
export function passSchema(players: number): Schema {
  const seatsTo = (offset: Offset) => (offset === "across" ? players / 2 : offset);
  const left = Array.from({ length: Math.floor((players - 1) / 2) }, (_, at) => at + 1);
  const receivers: Offset[] = [...left, ...(players % 2 ? [] : (["across"] as const)), ...left.toReversed().map((seats) => -seats), 0];
  const everybody = receivers.slice(0, -1).map((offset) => [offset, 1]);
  const to: Schema = { title: say("pass.recipient"), enum: receivers, titles: receivers.map(receiver) };
  const transfer: Schema = { type: "array", prefixItems: [to, { type: "integer", title: say("pass.cards"), minimum: 0, maximum: 51 }] };
  const anyOf = [{ enum: [[], everybody], titles: [say("pass.none"), say("pass.all")] }, { type: "array", title: say("pass.list"), items: transfer, minItems: 1 }];
  const draw = (pass: Pass) => passPicture(players, pass.map(([offset]) => seatsTo(offset)));
  return { type: "array", items: { anyOf, draw } };
}

/** A receiver, with an arrow. */
function receiver(offset: Offset): string {
  const way = offset === "across" ? offset : !offset ? "middle" : offset > 0 ? "left" : "right";
  const arrow = { middle: "○", across: "↑", left: "←", right: "→" }[way];
  return `${arrow} ${say("pass.whom", { way, seats: Math.abs(Number(offset)) })}`;
}
