import { carriedChoices } from "../facts.ts";
import { type Html, html, joinPieces } from "../html.ts";
import type { PageContext } from "../page.ts";
import { type Choice, chosenValue, listOf, type Option, type Values } from "../query.ts";

/**
 * A form whose state is the address, folded to a line that says the state where there is little room; what travels with links
 * and what the `linked` choices have stays in it. A browser that goes back must not fill in what was chosen later: the table
 * beside it is that of the address.
 */
export function choiceForm(context: PageContext, choices: readonly Choice[], linked: readonly Choice[] = []): Html {
  const { path, values, facts, messages } = context;
  const isAsked = (name: string) => choices.some((choice) => choice.name === name);
  const kept = [...carriedChoices(facts), ...linked].filter(({ name }) => !isAsked(name));
  return html`<details class="choosing"><summary>${describeChoices(choices, context)}</summary>
<form class="choices" method="get" action="${path}" autocomplete="off">
${keptFields(kept, values)}
${choices.map((choice) => (choice.most === undefined ? single(choice, values) : several(choice, context)))}
<button type="submit">${messages.frame.show}</button></form></details>`;
}

/** The hidden fields of a form: the values that stand in an address too. */
export const keptFields = (choices: readonly Choice[], values: Values): Html =>
  html`${choices.map((choice) => {
    const value = chosenValue(choice, values);
    return value !== undefined && html`<input type="hidden" name="${choice.name}" value="${value}">`;
  })}`;

/** Lists the chosen values. A choice that is not made is named, to say what there is to choose. */
function describeChoices(choices: readonly Choice[], { values, messages }: PageContext): Html {
  const chosen = choices.map((choice) => {
    const options = listOf(values, choice.name).flatMap(
      (given) => choice.options.find(({ value }) => value === given) ?? [],
    );
    const labels = options.map(({ label, lang }) => (lang ? html`<bdi lang="${lang}">${label}</bdi>` : label));
    return labels.length > 0 ? joinPieces(labels, messages.frame.comma) : choice.label;
  });
  return joinPieces(chosen, " · ");
}

const single = (choice: Choice, values: Values): Html =>
  field(choice.name, choice, choice.options, values[choice.name]);

/** One field for each value that may be given. */
function several(choice: Choice, { values, messages }: PageContext): Html {
  const { name, label, options, most = 1 } = choice;
  const given = listOf(values, name);
  const open = [{ value: "", label: "–" }, ...options];
  return html`${Array.from({ length: most }, (_, index) =>
    field(
      `${name}${index + 1}`,
      { ...choice, label: messages.frame.numbered({ label, number: index + 1 }) },
      open,
      given[index],
    ),
  )}`;
}

/** The fallback is for the script, which leaves it out of the address. Most names are of one language. */
function field(
  id: string,
  { name, label, fallback }: Choice,
  options: readonly Option[],
  chosen: string | undefined,
): Html {
  const named = options.find(({ lang }) => lang)?.lang;
  return html`<span class="choice"><label for="${id}">${label}</label>
<select id="${id}" name="${name}" data-fallback="${fallback}"${named && html` lang="${named}"`}>${options.map(
    ({ value, label: text, lang = named }) =>
      html`<option value="${value}"${lang !== named && html` lang="${lang}"`}${value === chosen && html` selected`}>${text}</option>`,
  )}</select></span>`;
}
