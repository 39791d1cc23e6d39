/** Patterns of the message catalogues, filled in: the part of ICU MessageFormat that `heartsrules.messages` uses. */

type Arguments = Record<string, unknown>;
type Part = string | ((args: Arguments, number?: number) => string);
interface Numbers {
  plural: Intl.PluralRules;
  number: Intl.NumberFormat;
}

const parsed = new Map<string, Part[]>();
const numbers = new Map<string, Numbers>();

/** A pattern with its arguments, in the plural forms of a language. */
export function format(pattern: string, args: Arguments, language: string): string {
  const key = `${language} ${pattern}`;
  let parts = parsed.get(key);
  if (!parts) {
    let known = numbers.get(language);
    if (!known) numbers.set(language, (known = { plural: new Intl.PluralRules(language), number: new Intl.NumberFormat(language) }));
    parts = new Reader(pattern, known).parts(false);
    parsed.set(key, parts);
  }
  return filled(parts, args);
}

const filled = (parts: Part[], args: Arguments, number?: number): string => parts.map((part) => (typeof part === "string" ? part : part(args, number))).join("");

class Reader {
  private at = 0;
  constructor(private readonly pattern: string, private readonly numbers: Numbers) {}

  /** Parse parts up to the closing brace; within a plural, `#` is its number. */
  parts(inPlural: boolean): Part[] {
    const parts: Part[] = [];
    while (this.at < this.pattern.length && this.pattern[this.at] !== "}") {
      const letter = this.pattern[this.at];
      if (letter === "{") parts.push(this.argument(inPlural));
      else if (letter === "#" && inPlural) {
        this.at += 1;
        parts.push((_, number) => this.numbers.number.format(number ?? 0));
      } else parts.push(this.text(inPlural));
    }
    return parts;
  }

  private text(inPlural: boolean): string {
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

  private argument(inPlural: boolean): Part {
    this.at += 1;
    const [, name, kind] = this.take(/\s*(\w+)\s*(?:,\s*(\w+)\s*,?\s*)?/y);
    if (kind === "plural" || kind === "select") {
      const offset = Number(this.take(/(?:offset:(-?\d+)\s*)?/y)[1] ?? 0);
      const cases: Record<string, Part[]> = {};
      while (this.pattern[this.at] !== "}") {
        const [, word] = this.take(/\s*([^\s{]+)\s*\{/y);
        cases[word] = this.parts(kind === "plural" || inPlural);
        this.at += 1;
        this.take(/\s*/y);
      }
      this.at += 1;
      if (kind === "select") return (args, number) => filled(cases[String(args[name])] ?? cases.other, args, number);
      return (args) => {
        const number = Number(args[name]) - offset;
        return filled(cases[`=${args[name]}`] ?? cases[this.numbers.plural.select(number)] ?? cases.other, args, number);
      };
    }
    this.at += 1;
    return (args) => (kind === "number" ? this.numbers.number.format(Number(args[name])) : String(args[name]));
  }

  private take(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.pattern) as RegExpExecArray;
    this.at = pattern.lastIndex;
    return found;
  }
}
