/** Patterns of words, filled in. `support.bundle` parses them as `heartsrules.messages` does. */

/** A text, or parts: texts, 0 for the number of a plural, and arguments; the cases of a plural have an offset. */
export type Pattern = string | readonly (string | 0 | readonly [string, Record<string, Pattern>?, number?])[];

const plurals: Record<string, Intl.PluralRules> = {};

/** A pattern with its arguments, in the plural forms of a language. */
export function format(pattern: Pattern, args: Record<string, unknown>, language: string, count = 0): string {
  if (typeof pattern === "string") return pattern;
  const parts = pattern.map((part) => {
    if (typeof part === "string") return part;
    if (!part) return count.toLocaleString(language);
    const [name, cases, offset] = part;
    const value = String(args[name]);
    if (!cases) return value;
    if (offset === undefined) return format(cases[value] ?? cases.other, args, language, count);
    const rest = Number(value) - offset;
    const form = () => cases[(plurals[language] ??= new Intl.PluralRules(language)).select(rest)] ?? cases.other;
    return format(cases[`=${value}`] ?? form(), args, language, rest);
  });
  return parts.join("");
}
