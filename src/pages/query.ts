import { type Html, html } from "./html.ts";

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

/**
 * A form whose state is the address, folded to a line that says the state where there is little room; `kept` are parameters that stay in it, even if it does not ask for them. A browser that
 * goes back must not fill in what was chosen later: the table beside it is that of the address.
 */
export function choiceForm(path: string, choices: readonly Choice[], values: Values, kept: readonly Choice[]): Html {
  const isAsked = (name: string) => choices.some((choice) => choice.name === name);
  const held = kept.filter(({ name, fallback }) => values[name] !== fallback && !isAsked(name));
  return html`<details class="choosing"><summary>${describeChoices(choices, values)}</summary>
<form class="choices" method="get" action="${path}" autocomplete="off">
${held.map(({ name }) => html`<input type="hidden" name="${name}" value="${values[name]}">`)}
${choices.map((choice) => (choice.most === undefined ? single(choice, values) : several(choice, values)))}
<button type="submit">Show</button></form></details>`;
}

/** What is chosen: of a choice that is not made only the name is told, to say what there is to choose. */
function describeChoices(choices: readonly Choice[], values: Values): string {
  const chosen = choices.map((choice) => {
    const labels = listOf(values, choice.name).flatMap(
      (given) => choice.options.find(({ value }) => value === given)?.label ?? [],
    );
    return labels.length > 0 ? labels.join(", ") : choice.label;
  });
  return chosen.join(" · ");
}

const single = (choice: Choice, values: Values): Html =>
  field(choice.name, choice, choice.options, values[choice.name]);

/** One field for each value that may be given. */
function several(choice: Choice, values: Values): Html {
  const { name, label, options, most = 1 } = choice;
  const given = listOf(values, name);
  const open = [{ value: "", label: "–" }, ...options];
  return html`${Array.from({ length: most }, (_, index) =>
    field(`${name}${index + 1}`, { ...choice, label: `${label} ${index + 1}` }, open, given[index]),
  )}`;
}

/** The fallback is for the script, which leaves it out of the address. */
const field = (
  id: string,
  { name, label, fallback }: Choice,
  options: readonly Option[],
  chosen: string | undefined,
): Html =>
  html`<span class="choice"><label for="${id}">${label}</label>
<select dir="ltr" id="${id}" name="${name}" data-fallback="${fallback}">${options.map(
    ({ value, label: text }) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )}</select></span>`;
