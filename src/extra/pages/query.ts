import type { Lang } from "../../api/enumerations.ts";

export interface Option {
  value: string;
  label: string;
  /** The language of a label that is a name from the data. */
  lang?: Lang;
}

/** A parameter of a page's query: one of a few values, or several of them. */
export interface Choice {
  name: string;
  label: string;
  options: readonly Option[];
  fallback: string;
  /** The most values that a query may give, with commas or by repetition. Such a choice has no value by default. */
  most?: number;
  /** The names of choices before this one. A value that one of them has is left out here. */
  apartFrom?: readonly string[];
  /** The value that another word means, such as the name of a hero. */
  find?: (word: string) => string | undefined;
  /** The value is any text, of at most so many characters. */
  mostChars?: number;
}

/** One valid value of each parameter; several are joined by commas. */
export type Values = Readonly<Record<string, string>>;

/** The values of a parameter that were left out: words that it does not know, what another one has, or values beyond as many as it takes. */
export interface IgnoredValues {
  choice: Choice;
  unknown: readonly string[];
  /** Words, each with the name of the parameter that has its value. */
  taken: readonly { word: string; other: string }[];
  /** There are more values than it takes. */
  beyond: boolean;
}

export interface PageQuery {
  values: Values;
  ignored: readonly IgnoredValues[];
}

/** A client could send thousands. */
const MOST_READ = 50;

/** An empty value is the fallback too: forms send them. */
export function readQuery(choices: readonly Choice[], query: URLSearchParams): PageQuery {
  const ignored: IgnoredValues[] = [];
  const values: Record<string, string> = {};
  for (const choice of choices) {
    const { name, fallback, most = 1, apartFrom = [], mostChars } = choice;
    if (mostChars !== undefined) {
      values[name] = readText(query.get(name) ?? "", mostChars);
      continue;
    }
    const given = query.getAll(name).flatMap((text) => (most > 1 ? text.split(",") : text));
    const wanted = [...new Set(given)].filter((value) => value !== "").slice(0, MOST_READ);
    const found = wanted.map((word) => ({ word, value: findValue(choice, word) }));
    const unknown = found.filter(({ value }) => value === undefined).map(({ word }) => word);
    const valid = new Set(found.flatMap(({ value }) => value ?? []));
    const taken = found.flatMap(({ word, value = "" }) => {
      const other = apartFrom.find((one) => listOf(values, one).includes(value));
      return other !== undefined && valid.delete(value) ? [{ word, other }] : [];
    });
    const beyond = valid.size > most;
    if (unknown.length > 0 || taken.length > 0 || beyond) ignored.push({ choice, unknown, taken, beyond });
    values[name] = [...valid].slice(0, most).join(",") || fallback;
  }
  return { values, ignored };
}

const findValue = ({ options, find }: Choice, word: string): string | undefined =>
  options.find(({ value }) => value === word)?.value ?? find?.(word);

const readText = (text: string, most: number): string =>
  [
    ...text
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
  ]
    .slice(0, most)
    .join("");

/** The values of a parameter that may have several. */
export const listOf = (values: Values, name: string): string[] => (values[name] ? values[name].split(",") : []);

/** Returns the label that a choice shows for its value. */
export const labelOf = ({ name, options }: Choice, values: Values): string =>
  options.find(({ value }) => value === values[name])?.label ?? "";

/** Returns the value that stands in an address or is kept by a form: undefined for the fallback, and for an invalid value. */
export function chosenValue({ name, fallback, options, mostChars }: Choice, values: Values): string | undefined {
  const valid = listOf(values, name).filter((given) => options.some(({ value }) => value === given));
  const value = mostChars === undefined ? valid.join(",") : (values[name] ?? "");
  return value === "" || value === fallback ? undefined : value;
}

/** Returns the choices that were made, and are not their fallback. */
export const madeChoices = (choices: readonly Choice[], values: Values): Choice[] =>
  choices.filter((choice) => chosenValue(choice, values) !== undefined);

/** The address of a page in a state: without what has its fallback there, or is no value there. */
export function addressOf(path: string, choices: readonly Choice[], values: Values): string {
  const query = new URLSearchParams();
  for (const choice of choices) {
    const value = chosenValue(choice, values);
    if (value !== undefined) query.set(choice.name, value);
  }
  // A comma may stand in a query as it is (RFC 3986, 3.4), and people read addresses.
  return query.size > 0 ? `${path}?${query.toString().replaceAll("%2C", ",")}` : path;
}
