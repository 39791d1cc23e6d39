/** Fields from a JSON Schema: they know the keywords that the schemas of heartsrules use, and nothing of Hearts. */

import type { VNode } from "preact";
import { el, type Attributes, type Child } from "./dom.ts";
import { say } from "./words.ts";

/** A JSON Schema, with the keywords that occur. Alternatives and parts have titles, and so have the values of an `enum`. */
export interface Schema {
  type?: string;
  title?: string;
  description?: string;
  anyOf?: Schema[];
  enum?: readonly unknown[];
  titles?: readonly string[];
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

interface FieldProps {
  schema: Schema;
  value: unknown;
  /** A JSON pointer. */
  place: string;
  label: string;
  problems: Problems;
  onChange: (value: unknown) => void;
}

const at = (problems: Problems, place: string) => problems.filter(({ fields }) => fields.includes(place));
export const textOf = (problems: Problems): string => problems.map(({ text }) => text).join("; ");

/** What a value is chosen from: single values, and schemas of others. */
export const kindsOf = (schema: Schema): Schema[] =>
  schema.anyOf?.flatMap(kindsOf) ?? schema.enum?.map((each, at) => ({ enum: [each], title: schema.titles?.[at] })) ?? [schema];

/** The value that a new field begins with. */
export function initial(schema: Schema): unknown {
  const [{ enum: values, type, properties, minimum, ...rest }] = kindsOf(schema);
  if (values) return values[0];
  if (type === "object") return Object.fromEntries(Object.entries(properties ?? {}).map(([name, part]) => [name, initial(part)]));
  if (type === "array") return Array.from({ length: fixedLength(rest) ?? rest.minItems ?? 0 }, (_, index) => initial(itemOf(rest, index)));
  if (type === "integer") return Math.max(minimum ?? 1, 1);
  return type === "boolean" ? false : "";
}

const fixedLength = ({ prefixItems, minItems, maxItems }: Schema) => prefixItems?.length ?? (minItems === maxItems ? minItems : undefined);
const itemOf = ({ prefixItems, items }: Schema, index: number) => prefixItems?.[index] ?? (items as Schema);

/** A field for a value. */
export function schemaField(props: FieldProps): VNode {
  const { anyOf, enum: values, type } = props.schema;
  return (anyOf || values ? choiceField : type === "object" || type === "array" ? groupField : inputField)(props);
}

function labelled({ schema: { description, type }, place, label }: FieldProps, problem: string, control: (attributes: Attributes) => Child, kind = ""): VNode {
  const id = `field${place.replaceAll("/", "-")}${kind}`;
  const described = { id, "aria-describedby": `${description ? `${id}-hint ` : ""}${id}-problem`, "aria-invalid": problem ? "true" : null };
  return el("div", { class: type === "boolean" ? "field check" : "field" },
    el("label", { for: id }, label), control(described),
    description && el("span", { id: `${id}-hint`, class: "hint" }, description),
    el("span", { id: `${id}-problem`, class: "problem" }, problem));
}

function inputField(props: FieldProps): VNode {
  const { schema: { type, minimum, maximum, pattern, maxLength }, value, place, problems, onChange } = props;
  const on = (read: (target: HTMLInputElement) => unknown) => (event: Event) => onChange(read(event.currentTarget as HTMLInputElement));
  // What is typed stays as it is, whatever is made of it.
  const own: Attributes = { defaultValue: value };
  if (type === "boolean") Object.assign(own, { type: "checkbox", checked: value === true, onchange: on(({ checked }) => checked) });
  else if (type === "integer") {
    // A browser says what is wrong with a field only where it can be seen.
    const oninvalid = (event: Event) => (event.target as Element).closest("details")?.setAttribute("open", "");
    Object.assign(own, { type: "number", step: 1, required: true, min: minimum, max: maximum, oninvalid, oninput: on(({ valueAsNumber }) => valueAsNumber) });
  } else Object.assign(own, { pattern, maxlength: maxLength, autocomplete: "off", spellcheck: "false", oninput: on((target) => target.value) });
  return labelled(props, textOf(at(problems, place)), (attributes) => el("input", { ...attributes, ...own, "data-place": place }));
}

/** Whether a value could be one of a kind: enough to tell the kinds of these schemas apart. */
function fits({ enum: values, type = "" }: Schema, value: unknown): boolean {
  if (values) return JSON.stringify(values) === JSON.stringify([value]);
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return kind === type || (kind === "number" && type === "integer");
}

/** One of several values, or of several kinds of them: which, and the field for that. */
function choiceField(props: FieldProps): VNode {
  const { schema, value, place, label, problems, onChange } = props;
  const known = kindsOf(schema);
  // A value may have become impossible: an earlier choice was changed.
  const kinds = known.some((each) => fits(each, value)) ? known : [{ enum: [value], title: String(value) }, ...known];
  const chosen = kinds.findIndex((each) => fits(each, value));
  const choose = (event: Event) => onChange(initial(kinds[(event.currentTarget as HTMLSelectElement).selectedIndex]));
  const nameOf = (kind: Schema) => (kind.enum ? JSON.stringify(kind.enum[0]) : kind.type);
  const own = at(problems, place);
  const inner = { ...props, schema: { ...kinds[chosen], description: "" }, label: `${label}: ${say("form.value")}`, problems: problems.filter((each) => !own.includes(each)) };
  return labelled(props, textOf(own), (attributes) => [
    el("select", { ...attributes, onchange: choose, value: nameOf(kinds[chosen]) }, kinds.map((each) => el("option", { value: nameOf(each) }, each.title))),
    !kinds[chosen].enum && el("div", { class: "inner", key: chosen }, schemaField(inner)),
  ], "-kind");
}

/** The parts of an object, or the items of an array: a fixed number of them, or as many as are added. */
function groupField({ schema, value, place, label, problems, onChange }: FieldProps): VNode {
  const items = Array.isArray(value) ? value : null;
  const fixed = !items || fixedLength(schema) !== undefined;
  const set = (key: string | number, changed: unknown) => onChange(items ? items.with(Number(key), changed) : { ...(value as object), [key]: changed });
  const part = (key: string | number, each: unknown, own: Schema) => schemaField({
    schema: own, value: each, place: `${place}/${key}`, problems,
    label: own.title ? `${label}, ${own.title}` : `${label} ${Number(key) + 1}`, onChange: (changed) => set(key, changed),
  });
  const item = (each: unknown, index: number) => {
    const field = part(index, each, itemOf(schema, index));
    if (!items || fixed) return field;
    const remove = { "aria-label": say("form.remove", { label, number: index + 1 }), onclick: () => onChange(items.toSpliced(index, 1)) };
    // Without their key, the fields of later items would keep what was typed into earlier ones.
    return el("div", { class: "item", key: `${items.length} ${index}` }, field, items.length > (schema.minItems ?? 0) && el("button", { type: "button", ...remove }, "×"));
  };
  const add = () => onChange([...(items ?? []), initial(itemOf(schema, items?.length ?? 0))]);
  return el("fieldset", { class: "field" },
    el("legend", {}, label),
    schema.description && el("span", { class: "hint" }, schema.description),
    el("div", { class: "row" }, items?.map(item) ?? Object.entries(schema.properties ?? {}).map(([key, own]) => part(key, (value as Record<string, unknown>)[key], own))),
    !fixed && el("button", { type: "button", onclick: add }, say("form.add", { label })),
    el("span", { class: "problem" }, textOf(at(problems, place))));
}
