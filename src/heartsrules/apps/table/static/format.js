/** Patterns of the message catalogues, filled in: the part of ICU MessageFormat that `heartsrules.messages` uses. */

/** @typedef {string | ((args: Record<string, any>, number?: number) => string)} Part */

/** @type {Map<string, Part[]>} */
const parsed = new Map();

/**
 * A pattern with its arguments.
 * @param {string} pattern
 * @param {Record<string, any>} args
 * @param {string} language in which numbers have their plural forms
 */
export function format(pattern, args, language) {
  const key = `${language} ${pattern}`;
  let parts = parsed.get(key);
  if (!parts) {
    parts = new Reader(pattern, language).parts(false);
    parsed.set(key, parts);
  }
  return filled(parts, args);
}

/** @param {Part[]} parts */
function filled(parts, args, number) {
  return parts.map((part) => (typeof part === "string" ? part : part(args, number))).join("");
}

class Reader {
  constructor(pattern, language) {
    this.pattern = pattern;
    this.at = 0;
    this.plural = new Intl.PluralRules(language);
    this.number = new Intl.NumberFormat(language);
  }

  /** Parse parts up to the closing brace; within a plural, `#` is its number. */
  parts(inPlural) {
    /** @type {Part[]} */
    const parts = [];
    while (this.at < this.pattern.length && this.pattern[this.at] !== "}") {
      const letter = this.pattern[this.at];
      if (letter === "{") parts.push(this.argument(inPlural));
      else if (letter === "#" && inPlural) {
        this.at += 1;
        parts.push((_, number) => this.number.format(number));
      } else parts.push(this.text(inPlural));
    }
    return parts;
  }

  text(inPlural) {
    let text = "";
    for (; this.at < this.pattern.length; this.at += 1) {
      const letter = this.pattern[this.at];
      const next = this.pattern[this.at + 1];
      if (letter === "'" && next === "'") {
        text += "'";
        this.at += 1;
      } else if (letter === "'" && (next === "{" || next === "}" || (next === "#" && inPlural))) {
        const end = this.pattern.indexOf("'", this.at + 1);
        text += this.pattern.slice(this.at + 1, end);
        this.at = end;
      } else if (letter === "{" || letter === "}" || (letter === "#" && inPlural)) break;
      else text += letter;
    }
    return text;
  }

  /** @returns {Part} */
  argument(inPlural) {
    this.at += 1;
    const [, name, kind] = this.take(/\s*(\w+)\s*(?:,\s*(\w+)\s*,?\s*)?/y);
    if (kind === "plural" || kind === "select") {
      const offset = Number(this.take(/(?:offset:(-?\d+)\s*)?/y)[1] ?? 0);
      /** @type {Record<string, Part[]>} */
      const cases = {};
      while (this.pattern[this.at] !== "}") {
        const [, word] = this.take(/\s*([^\s{]+)\s*\{/y);
        cases[word] = this.parts(kind === "plural" || inPlural);
        this.at += 1;
        this.take(/\s*/y);
      }
      this.at += 1;
      if (kind === "select") return (args, number) => filled(cases[String(args[name])] ?? cases.other, args, number);
      return (args) => {
        const number = args[name] - offset;
        return filled(cases[`=${args[name]}`] ?? cases[this.plural.select(number)] ?? cases.other, args, number);
      };
    }
    this.at += 1;
    return (args) => (kind === "number" ? this.number.format(args[name]) : String(args[name]));
  }

  /** @param {RegExp} pattern */
  take(pattern) {
    pattern.lastIndex = this.at;
    const found = /** @type {RegExpExecArray} */ (pattern.exec(this.pattern));
    this.at = pattern.lastIndex;
    return found;
  }
}
