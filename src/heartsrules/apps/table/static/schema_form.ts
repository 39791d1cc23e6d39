/** Fields from a JSON Schema: they know the keywords that the schemas of heartsrules use, and nothing of Hearts. */

import type { VNode } from "preact";
import { el, type Attributes, type Child } from "./dom.ts";
import { inOrder, label as optionLabel, partSentence, partWords, valueWords, wordsOf } from "./options.ts";
import { capital, say } from "./words.ts";

/** A JSON Schema, with the keywords that occur. */
export interface Schema {
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
const at = (problems: Problems, place: string) => problems.filter(({ fields }) => fields.includes(place));
export const textOf = (problems: Problems): string => problems.map(({ text }) => text).join("; ");

/** The value that a new field begins with. */
export function initial({ anyOf, enum: values, type, properties, minimum, ...schema }: Schema, place = ""): unknown {
  const start = (part: Schema) => initial(part, place);
  if (anyOf) return start(anyOf[0]);
  if (values) return inOrder(optionOf(place), values)[0];
  if (type === "object") return Object.fromEntries(Object.entries(properties ?? {}).map(([name, part]) => [name, start(part)]));
  if (type === "array") return Array.from({ length: fixedLength(schema) ?? 0 }, (_, index) => start(itemOf(schema, index)));
  if (type === "integer") return Math.max(minimum ?? 1, 1);
  return type === "null" ? null : type === "boolean" ? false : "";
}

const fixedLength = ({ prefixItems, minItems, maxItems }: Schema) => prefixItems?.length ?? (minItems === maxItems ? minItems : undefined);
const itemOf = ({ prefixItems, items }: Schema, index: number) => prefixItems?.[index] ?? (items as Schema);

/** A field for a value. */
export function schemaField(props: FieldProps): VNode {
  const { anyOf, type } = props.schema;
  return (anyOf ? choiceField : type === "object" ? objectField : type === "array" ? arrayField : simpleField)(props);
}

function labelled({ schema: { description, type }, place, label }: FieldProps, problem: string, control: (attributes: Attributes) => Child, kind = ""): VNode {
  const id = `field${place.replaceAll("/", "-")}${kind}`;
  const described = { id, "aria-describedby": `${description ? `${id}-hint ` : ""}${id}-problem`, "aria-invalid": problem ? "true" : null };
  return el("div", { class: type === "boolean" ? "field check" : "field" },
    el("label", { for: id }, label), control(described),
    description && el("span", { id: `${id}-hint`, class: "hint" }, description),
    el("span", { id: `${id}-problem`, class: "problem" }, problem));
}

function simpleField(props: FieldProps): VNode {
  const { schema, value, place, problems, onChange } = props;
  const option = optionOf(place);
  const on = (read: (target: HTMLInputElement) => unknown) => (event: Event) => onChange(read(event.currentTarget as HTMLInputElement));
  const input = (attributes: Attributes) => {
    // What is typed stays as it is, whatever is made of it.
    const common = { ...attributes, "data-place": place, defaultValue: value };
    switch (schema.type) {
      case "boolean":
        return el("input", { ...attributes, "data-place": place, type: "checkbox", checked: value === true, onchange: on(({ checked }) => checked) });
      case "integer": {
        // A browser says what is wrong with a field only where it can be seen.
        const oninvalid = (event: Event) => (event.target as Element).closest("details")?.setAttribute("open", "");
        const limits = { step: 1, required: true, min: schema.minimum, max: schema.maximum, oninvalid };
        return el("input", { ...common, ...limits, type: "number", oninput: on(({ valueAsNumber }) => valueAsNumber) });
      }
      default: {
        const limits = { pattern: schema.pattern, maxlength: schema.maxLength, autocomplete: "off", spellcheck: "false" };
        return el("input", { ...common, ...limits, oninput: on(({ value }) => value) });
      }
    }
  };
  const select = (values: unknown[]) => (attributes: Attributes) =>
    el("select", { ...attributes, "data-place": place, value: JSON.stringify(value), onchange: on((target) => JSON.parse(target.value)) },
      inOrder(option, values).map((each) => el("option", { value: JSON.stringify(each) }, valueWords(option, each))));
  return labelled(props, textOf(at(problems, place)), schema.enum ? select(schema.enum) : input);
}

/** Whether a value could be one of a schema: enough to tell the alternatives of these schemas apart. */
function fits({ enum: values, type = "" }: Schema, value: unknown): boolean {
  if (values) return values.includes(value);
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return kind === type || (kind === "number" && type === "integer");
}

/** One of several kinds of value: which, and the field for that. */
function choiceField(props: FieldProps): VNode {
  const { schema: { anyOf: kinds = [] }, value, place, label, problems, onChange } = props;
  const chosen = Math.max(0, kinds.findIndex((each) => fits(each, value)));
  const kindOf = ({ type, enum: values }: Schema) => {
    if (type === "object") return optionLabel(optionOf(place));
    return capital(say(type === "null" ? "form.none" : values ? "form.named" : type === "array" ? "form.list" : "form.number"));
  };
  const onchange = (event: Event) => onChange(initial(kinds[(event.currentTarget as HTMLSelectElement).selectedIndex], place));
  const own = at(problems, place);
  const schema = { ...kinds[chosen], description: "" };
  const inner = { ...props, schema, label: `${label}: ${partWords("value")}`, problems: problems.filter((each) => !own.includes(each)) };
  return labelled(props, textOf(own), (attributes) => [
    el("select", { ...attributes, onchange, value: chosen }, kinds.map((each, index) => el("option", { value: index }, kindOf(each)))),
    el("div", { class: "inner", key: chosen }, schema.type !== "null" && schemaField(inner)),
  ], "-kind");
}

function objectField({ schema, value, place, label, problems, onChange }: FieldProps): VNode {
  const values = value as Record<string, unknown>;
  const part = ([name, given]: [string, Schema]) => schemaField({
    schema: { ...given, description: partSentence(name) }, value: values[name], place: `${place}/${name}`,
    label: `${label}, ${partWords(name)}`, problems, onChange: (changed) => onChange({ ...values, [name]: changed }),
  });
  return el("div", { class: "row" }, Object.entries(schema.properties ?? {}).map(part));
}

/** The items of an array: a fixed number of them, or as many as are added. */
function arrayField({ schema, value, place, label, problems, onChange }: FieldProps): VNode {
  const values = value as unknown[];
  const fixed = fixedLength(schema) !== undefined;
  const pair = schema.prefixItems && wordsOf(optionOf(place)).pair;
  const item = (each: unknown, index: number) => {
    const field = schemaField({
      schema: { ...itemOf(schema, index), description: pair ? partSentence(pair[index]) : "" }, value: each, place: `${place}/${index}`,
      label: pair ? `${label}, ${partWords(pair[index])}` : `${label} ${index + 1}`, problems, onChange: (changed) => onChange(values.with(index, changed)),
    });
    if (fixed) return field;
    const remove = { "aria-label": say("form.remove", { label, number: index + 1 }), onclick: () => onChange(values.toSpliced(index, 1)) };
    // Without their key, the fields of later items would keep what was typed into earlier ones.
    return el("div", { class: "item", key: `${values.length} ${index}` }, field, el("button", { type: "button", ...remove }, "×"));
  };
  const add = () => onChange([...values, initial(itemOf(schema, values.length), place)]);
  return el("fieldset", { class: "field" },
    el("legend", {}, label),
    schema.description && el("span", { class: "hint" }, schema.description),
    el("div", { class: "row" }, values.map(item)),
    !fixed && el("button", { type: "button", onclick: add }, say("form.add", { label })),
    el("span", { class: "problem" }, textOf(at(problems, place))));
}
