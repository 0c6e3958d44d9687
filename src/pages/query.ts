export interface Option {
  value: string;
  label: string;
}

/** A parameter of a page's query: one of a few values, or several of them. */
export interface Choice {
  name: string;
  label: string;
  options: readonly Option[];
  fallback: string;
  /** So many may be given, by commas or by repetition; none is the fallback. */
  most?: number;
}

/** One valid value of each parameter; several are joined by commas. */
export type Values = Readonly<Record<string, string>>;

export interface PageQuery {
  values: Values;
  /** Names of parameters with invalid values, which were left out. */
  ignored: readonly string[];
}

/** An empty value is the fallback too: forms send them. */
export function readQuery(choices: readonly Choice[], query: URLSearchParams): PageQuery {
  const ignored: string[] = [];
  const values = choices.map(({ name, options, fallback, most = 1 }): [string, string] => {
    const given = query.getAll(name).flatMap((text) => (most > 1 ? text.split(",") : text));
    const wanted = [...new Set(given)].filter((value) => value !== "");
    const valid = wanted.filter((given) => options.some(({ value }) => value === given)).slice(0, most);
    if (valid.length < wanted.length) ignored.push(name);
    return [name, valid.length > 0 ? valid.join(",") : fallback];
  });
  return { values: Object.fromEntries(values), ignored };
}

/** The values of a parameter that may have several. */
export const listOf = (values: Values, name: string): string[] => (values[name] ? values[name].split(",") : []);

/** What a choice shows of its value. */
export const labelOf = ({ name, options }: Choice, values: Values): string =>
  options.find(({ value }) => value === values[name])?.label ?? "none";

/** The address of a page in a state: without what has its fallback there, or is no value there. */
export function addressOf(path: string, choices: readonly Choice[], values: Values): string {
  const query = new URLSearchParams();
  for (const { name, fallback, options } of choices) {
    const valid = listOf(values, name).filter((given) => options.some(({ value }) => value === given));
    const value = valid.join(",");
    if (value !== "" && value !== fallback) query.set(name, value);
  }
  // A comma may stand in a query as it is (RFC 3986, 3.4), and people read addresses.
  return query.size > 0 ? `${path}?${query.toString().replaceAll("%2C", ",")}` : path;
}
