/** Fields from a JSON Schema: they know the keywords that the schemas of heartsrules use, and nothing of Hearts. */

import type { VNode } from "preact";
import { el, type Child } from "./dom.ts";
import { inOrder, label as optionLabel, pairOf, partSentence, partWords, valueWords } from "./options.ts";
import { capital, say } from "./words.ts";

/** A JSON Schema, with the keywords that occur. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  description?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
}

/** The problems of an entered value: at which places, and what is said of them. */
export type Problems = readonly { fields: readonly string[]; text: string }[];

export interface FieldProps {
  schema: Schema;
  value: unknown;
  /** A JSON pointer. */
  place: string;
  label: string;
  problems: Problems;
  onChange: (value: unknown) => void;
}

const optionOf = (place: string) => place.split("/")[1];
const idOf = (place: string) => `field${place.replaceAll("/", "-")}`;
const at = (problems: Problems, place: string) => problems.filter(({ fields }) => fields.includes(place));
export const textOf = (problems: Problems): string => problems.map(({ text }) => text).join("; ");

/** What a schema refers to, with what it says itself; one that refers to nothing is as it is. */
function resolved(root: Schema, schema: Schema): Schema {
  if (!schema.$ref) return schema;
  const found = schema.$ref.split("/").slice(1).reduce<any>((node, key) => node[key], root);
  return { ...found, ...schema, $ref: undefined };
}

/** The value that a new field begins with. */
export function initial(root: Schema, given: Schema, place = ""): unknown {
  const schema = resolved(root, given);
  if (schema.anyOf) return initial(root, schema.anyOf[0], place);
  if (schema.enum) return inOrder(optionOf(place), schema.enum)[0];
  if (schema.type === "object") return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, part]) => [name, initial(root, part, place)]));
  if (schema.type === "array") return Array.from({ length: fixedLength(schema) ?? 0 }, (_, index) => initial(root, itemOf(schema, index), place));
  if (schema.type === "integer") return Math.max(schema.minimum ?? 1, 1);
  return schema.type === "null" ? null : schema.type === "boolean" ? false : "";
}

const fixedLength = ({ prefixItems, minItems, maxItems }: Schema) => prefixItems?.length ?? (minItems === maxItems ? minItems : undefined);
const itemOf = ({ prefixItems, items }: Schema, index: number) => prefixItems?.[index] ?? (items as Schema);

/** A field for a value; `root` is the whole schema, for its definitions. */
export function schemaField(root: Schema, { schema: given, ...props }: FieldProps): VNode {
  const schema = resolved(root, given);
  if (schema.anyOf) return choiceField(root, { schema, ...props });
  if (schema.type === "object") return objectField(root, { schema, ...props });
  if (schema.type === "array") return arrayField(root, { schema, ...props });
  return simpleField({ schema, ...props });
}

/** A browser says what is wrong with a field only where it can be seen. */
function reveal(event: Event): void {
  (event.target as Element).closest("details")?.setAttribute("open", "");
}

/** A label, a control, its explanation and its problem. */
function labelled(kind: string, id: string, label: string, description: string | undefined, problem: string, control: (attributes: object) => Child): VNode {
  const described = { id, "aria-describedby": `${description ? `${id}-hint ` : ""}${id}-problem`, "aria-invalid": problem ? "true" : null };
  return el("div", { class: kind },
    el("label", { for: id }, label), control(described),
    description && el("span", { id: `${id}-hint`, class: "hint" }, description),
    el("span", { id: `${id}-problem`, class: "problem" }, problem));
}

/** One control with its label, its explanation and its problem. */
function simpleField({ schema, value, place, label, problems, onChange }: FieldProps): VNode {
  const option = optionOf(place);
  const target = (event: Event) => event.currentTarget as HTMLInputElement;
  const control = (attributes: object) => {
    const given = { ...attributes, "data-place": place };
    if (schema.enum) {
      return el("select", { ...given, value: JSON.stringify(value), onchange: (event: Event) => onChange(JSON.parse(target(event).value)) },
        inOrder(option, schema.enum).map((each) => el("option", { value: JSON.stringify(each) }, valueWords(option, each))));
    }
    if (schema.type === "boolean") return el("input", { ...given, type: "checkbox", checked: value === true, onchange: (event: Event) => onChange(target(event).checked) });
    // What is typed stays as it is, whatever is made of it.
    if (schema.type === "integer") {
      return el("input", { ...given, type: "number", step: 1, defaultValue: value, required: true, min: schema.minimum, max: schema.maximum, oninvalid: reveal, oninput: (event: Event) => onChange(target(event).valueAsNumber) });
    }
    return el("input", { ...given, defaultValue: value, pattern: schema.pattern, maxlength: schema.maxLength, autocomplete: "off", spellcheck: "false", oninput: (event: Event) => onChange(target(event).value) });
  };
  return labelled(schema.type === "boolean" ? "field check" : "field", idOf(place), label, schema.description, textOf(at(problems, place)), control);
}

/** Whether a value could be one of a schema: enough to tell the alternatives of these schemas apart. */
function fits(root: Schema, given: Schema, value: unknown): boolean {
  const schema = resolved(root, given);
  if (schema.enum) return schema.enum.includes(value);
  const kinds: Record<string, boolean> = { null: value === null, integer: typeof value === "number", array: Array.isArray(value), string: typeof value === "string" };
  return kinds[schema.type ?? ""] ?? (typeof value === "object" && value !== null && !Array.isArray(value));
}

/** One of several kinds of value: which, and the field for that. */
function choiceField(root: Schema, { schema, value, place, label, problems, onChange }: FieldProps): VNode {
  const kinds = schema.anyOf ?? [];
  const chosen = Math.max(0, kinds.findIndex((each) => fits(root, each, value)));
  const kindOf = (each: Schema) => {
    const { type, enum: values } = resolved(root, each);
    if (type === "object") return optionLabel(optionOf(place));
    return capital(say(type === "null" ? "form.none" : values ? "form.named" : type === "array" ? "form.list" : "form.number"));
  };
  const change = (event: Event) => onChange(initial(root, kinds[(event.currentTarget as HTMLSelectElement).selectedIndex], place));
  const own = at(problems, place);
  const inner = { schema: { ...kinds[chosen], description: "" }, value, place, label: `${label}: ${partWords("value")}`, problems: problems.filter((each) => !own.includes(each)), onChange };
  return labelled("field", `${idOf(place)}-kind`, label, schema.description, textOf(own), (attributes) => [
    el("select", { ...attributes, onchange: change, value: chosen }, kinds.map((each, index) => el("option", { value: index }, kindOf(each)))),
    el("div", { class: "inner", key: chosen }, resolved(root, kinds[chosen]).type !== "null" && schemaField(root, inner)),
  ]);
}

/** The properties of an object, one field each. */
function objectField(root: Schema, { schema, value, place, label, problems, onChange }: FieldProps): VNode {
  const values = value as Record<string, unknown>;
  return el("div", { class: "row" }, Object.entries(schema.properties ?? {}).map(([name, part]) =>
    schemaField(root, { schema: { ...part, description: partSentence(name) }, value: values[name], place: `${place}/${name}`, label: `${label}, ${partWords(name)}`, problems, onChange: (changed) => onChange({ ...values, [name]: changed }) })));
}

/** The items of an array: a fixed number of them, or as many as are added. */
function arrayField(root: Schema, { schema, value, place, label, problems, onChange }: FieldProps): VNode {
  const values = value as unknown[];
  const fixed = fixedLength(schema) !== undefined;
  const pair = schema.prefixItems && pairOf(optionOf(place));
  const field = (each: unknown, index: number) =>
    schemaField(root, {
      schema: { ...itemOf(schema, index), description: pair ? partSentence(pair[index]) : "" }, value: each, place: `${place}/${index}`,
      label: pair ? `${label}, ${partWords(pair[index])}` : `${label} ${index + 1}`, problems, onChange: (changed) => onChange(values.with(index, changed)),
    });
  // Without their key, the fields of later items would keep what was typed into earlier ones.
  const key = (index: number) => `${values.length} ${index}`;
  const remove = (index: number) => el("button", { type: "button", "aria-label": say("form.remove", { label, number: index + 1 }), onclick: () => onChange(values.toSpliced(index, 1)) }, "×");
  return el("fieldset", { class: "field" },
    el("legend", {}, label),
    schema.description && el("span", { class: "hint" }, schema.description),
    el("div", { class: "row" }, values.map((each, index) => (fixed ? field(each, index) : el("div", { class: "item", key: key(index) }, field(each, index), remove(index))))),
    !fixed && el("button", { type: "button", onclick: () => onChange([...values, initial(root, itemOf(schema, values.length), place)]) }, say("form.add", { label })),
    el("span", { class: "problem" }, textOf(at(problems, place))));
}
