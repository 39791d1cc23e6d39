/** A form from a JSON Schema: it knows the keywords that the schemas of heartsrules use, and nothing of Hearts. */

import { el } from "./dom.js";
import { inOrder, label as optionLabel, pairOf, partSentence, partWords, title, valueWords } from "./vocabulary.js";
import { capital, say } from "./words.js";

/**
 * @typedef {object} Field
 * @property {HTMLElement} node
 * @property {() => any} read the value that is entered
 * @property {(problems: {fields: string[], message: string}[]) => void} mark shows the problems where they are
 */

let made = 0;

/** The option that a place belongs to. */
function optionOf(place) {
  return place.split("/")[1];
}

/** What a schema refers to, with what it says itself; one that refers to nothing is as it is. */
function resolved(root, schema) {
  if (!schema.$ref) return schema;
  return { ...schema.$ref.split("/").slice(1).reduce((node, key) => node[key], root), ...schema, $ref: undefined };
}

/**
 * @param {any} root the whole schema, for its definitions
 * @param {any} schema of the value
 * @param {any} value to begin with; undefined: an empty one
 * @param {string} place a JSON pointer
 * @param {string} label
 * @returns {Field}
 */
export function schemaField(root, schema, value, place, label) {
  if (schema.$ref) return schemaField(root, resolved(root, schema), value, place, label);
  if (schema.anyOf) return choiceField(root, schema, value, place, label);
  if (schema.type === "object") return objectField(root, schema, value ?? {}, place, label);
  if (schema.type === "array") return arrayField(root, schema, value, place, label);
  return simpleField(schema, value, place, label);
}

/** A browser says what is wrong with a field only where it can be seen. */
function reveal(event) {
  event.target.closest("details")?.setAttribute("open", "");
}

/** One control with its label, its explanation and its problem. */
function simpleField(schema, value, place, label) {
  const id = `field-${made++}`;
  const attributes = { id, "data-place": place };
  /** @type {any} */
  let control;
  let read;
  if (schema.enum) {
    const option = optionOf(place);
    const options = inOrder(option, schema.enum).map((each) => el("option", { value: JSON.stringify(each), selected: each === value }, valueWords(option, each)));
    control = el("select", attributes, options);
    read = () => JSON.parse(control.value);
  } else if (schema.type === "boolean") {
    control = el("input", { ...attributes, type: "checkbox", checked: value === true });
    read = () => control.checked;
  } else if (schema.type === "integer") {
    const start = value ?? Math.max(schema.minimum ?? 1, 1);
    control = el("input", { ...attributes, type: "number", step: 1, value: start, required: true, min: schema.minimum, max: schema.maximum, oninvalid: reveal });
    read = () => control.valueAsNumber;
  } else {
    control = el("input", { ...attributes, value: value ?? "", pattern: schema.pattern, maxlength: schema.maxLength, autocomplete: "off", spellcheck: "false" });
    read = () => control.value;
  }
  const hint = schema.description && el("span", { id: `${id}-hint`, class: "hint" }, schema.description);
  const problem = el("span", { id: `${id}-problem`, class: "problem" });
  control.setAttribute("aria-describedby", `${hint ? `${id}-hint ` : ""}${id}-problem`);
  const node = el("div", { class: schema.type === "boolean" ? "field check" : "field" }, el("label", { for: id }, label), control, hint, problem);
  return { node, read, mark: marker(place, problem, control) };
}

/** Shows the problems of a place, and of what is in it unless that is shown there. */
function marker(place, problem, control) {
  return (problems) => {
    const mine = problems.filter((each) => each.fields.includes(place));
    problem.textContent = mine.map((each) => each.message).join("; ");
    control?.toggleAttribute("aria-invalid", mine.length > 0);
    if (mine.length) control?.setAttribute("aria-invalid", "true");
  };
}

/** Whether a value could be one of a schema: enough to tell the alternatives of these schemas apart. */
function fits(root, schema, value) {
  if (schema.$ref) return fits(root, resolved(root, schema), value);
  if (schema.enum) return schema.enum.includes(value);
  const kinds = { null: value === null, integer: Number.isInteger(value), array: Array.isArray(value), string: typeof value === "string" };
  return kinds[schema.type] ?? (typeof value === "object" && value !== null && !Array.isArray(value));
}

/** One of several kinds of value: which, and the field for that. */
function choiceField(root, schema, value, place, label) {
  const id = `field-${made++}`;
  let chosen = Math.max(0, schema.anyOf.findIndex((each) => value !== undefined && fits(root, each, value)));
  /** @type {Field} */
  let field;
  const inner = el("div", { class: "inner" });
  const kindOf = (each) => {
    const { type, enum: values } = resolved(root, each);
    if (type === "object") return optionLabel(optionOf(place));
    return capital(say(type === "null" ? "form.none" : values ? "form.named" : type === "array" ? "form.list" : "form.number"));
  };
  const kind = /** @type {HTMLSelectElement} */ (
    el("select", { id, onchange: () => show(kind.selectedIndex, undefined) }, schema.anyOf.map((each, index) => el("option", { selected: index === chosen }, kindOf(each))))
  );
  const show = (index, start) => {
    chosen = index;
    field = schema.anyOf[index].type === "null" ? { node: el("span"), read: () => null, mark: () => {} } : schemaField(root, { ...schema.anyOf[index], description: "" }, start, place, `${label}: ${partWords("value")}`);
    inner.replaceChildren(field.node);
  };
  show(chosen, value);
  const hint = schema.description && el("span", { id: `${id}-hint`, class: "hint" }, schema.description);
  const problem = el("span", { id: `${id}-problem`, class: "problem" });
  kind.setAttribute("aria-describedby", `${hint ? `${id}-hint ` : ""}${id}-problem`);
  const mark = marker(place, problem, kind);
  return {
    node: el("div", { class: "field" }, el("label", { for: id }, label), kind, inner, hint, problem),
    read: () => field.read(),
    mark: (problems) => {
      mark(problems);
      field.mark(problems.filter((each) => !each.fields.includes(place)));
    },
  };
}

/** The properties of an object, one field each. */
function objectField(root, schema, value, place, label) {
  const fields = Object.entries(schema.properties)
    .filter(([name]) => place !== "" || !["heartsrules", "kind"].includes(name))
    .map(([name, part]) => /** @type {[string, Field]} */ ([name, schemaField(root, place ? { ...part, description: partSentence(name) } : part, value[name], `${place}/${name}`, place ? `${label}, ${partWords(name)}` : title(name))]));
  return {
    node: el("div", { class: place ? "row" : "grid" }, fields.map(([, field]) => field.node)),
    read: () => Object.fromEntries(fields.map(([name, field]) => [name, field.read()])),
    mark: (problems) => fields.forEach(([, field]) => field.mark(problems)),
  };
}

/** The items of an array: a fixed number of them, or as many as are added. */
function arrayField(root, schema, value, place, label) {
  const fixed = schema.prefixItems?.length ?? (schema.minItems === schema.maxItems ? schema.minItems : undefined);
  const start = value ?? Array.from({ length: fixed ?? 0 });
  const problem = el("span", { class: "problem" });
  const items = el("div", { class: "row" });
  /** @type {Field[]} */
  let fields = [];
  const part = (index) => schema.prefixItems?.[index] ?? schema.items;
  const show = () => {
    items.replaceChildren(
      ...fields.map((field, index) =>
        fixed === undefined
          ? el("div", { class: "item" }, field.node, el("button", { type: "button", "aria-label": say("form.remove", { label, number: index + 1 }), onclick: () => build(read().toSpliced(index, 1)) }, "×"))
          : field.node,
      ),
    );
  };
  const build = (values) => {
    const pair = schema.prefixItems && pairOf(optionOf(place));
    fields = values.map((each, index) =>
      schemaField(root, { ...part(index), description: pair ? partSentence(pair[index]) : "" }, each, `${place}/${index}`, pair ? `${label}, ${partWords(pair[index])}` : `${label} ${index + 1}`));
    show();
  };
  const read = () => fields.map((field) => field.read());
  build(start);
  const add = fixed === undefined && el("button", { type: "button", onclick: () => build([...read(), undefined]) }, say("form.add", { label }));
  const mark = marker(place, problem, null);
  return {
    node: el("fieldset", { class: "field" }, el("legend", {}, label), schema.description && el("span", { class: "hint" }, schema.description), items, add, problem),
    read,
    mark: (problems) => {
      mark(problems);
      fields.forEach((field) => field.mark(problems));
    },
  };
}
