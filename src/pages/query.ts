import { type Html, html } from "./html.ts";

export interface Option {
  value: string;
  label: string;
}

/** A parameter of a page's query: one of a few values. */
export interface Choice {
  name: string;
  label: string;
  options: readonly Option[];
  fallback: string;
}

/** One valid value of each parameter. */
export type Values = Readonly<Record<string, string>>;

export interface PageQuery {
  values: Values;
  /** Names of parameters whose values were none of theirs; the fallback holds. */
  ignored: readonly string[];
}

/** An empty value is the fallback too: forms send them. */
export function readQuery(choices: readonly Choice[], query: URLSearchParams): PageQuery {
  const ignored: string[] = [];
  const values = choices.map(({ name, options, fallback }): [string, string] => {
    const given = query.get(name);
    if (options.some(({ value }) => value === given)) return [name, given as string];
    if (given !== null && given !== "") ignored.push(name);
    return [name, fallback];
  });
  return { values: Object.fromEntries(values), ignored };
}

/** The address of a page in a state: without what has its fallback. */
export function addressOf(path: string, choices: readonly Choice[], values: Values): string {
  const query = new URLSearchParams();
  for (const { name, fallback } of choices) {
    const value = values[name] ?? fallback;
    if (value !== fallback) query.set(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** A form whose state is the address; `kept` are parameters that it does not ask for. */
export function choiceForm(path: string, choices: readonly Choice[], values: Values, kept: readonly Choice[]): Html {
  const held = kept.filter(({ name, fallback }) => values[name] !== fallback);
  return html`<form class="choices" method="get" action="${path}">
${held.map(({ name }) => html`<input type="hidden" name="${name}" value="${values[name]}">`)}
${choices.map(
  (choice) => html`<span class="choice"><label for="${choice.name}">${choice.label}</label>
<select dir="ltr" id="${choice.name}" name="${choice.name}">${choice.options.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === values[choice.name] && html` selected`}>${label}</option>`,
  )}</select></span>`,
)}
<button type="submit">Show</button></form>`;
}
