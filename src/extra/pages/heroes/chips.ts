import { leastChoice } from "../facts.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { type Choice, labelOf, type Values } from "../query.ts";

/** The values of a choice as links, so that one tap chooses. */
export const linkedValues = (
  { name, label, options }: Choice,
  values: Values,
  addressWith: (changed: Values) => string,
): Html =>
  html`<nav aria-label="${label}"><ul class="chips">${options.map(
    ({ value, label: text }) =>
      html`<li><a href="${addressWith({ [name]: value })}"${value === values[name] && html` aria-current="true"`}>${text}</a></li>`,
  )}</ul></nav>`;

/** Says how many heroes the least pick rate leaves out; the address shows them too. */
export function leftOut({ facts, values, messages }: PageContext, heroes: number, address: string): Html | undefined {
  if (heroes === 0) return undefined;
  const { draft: words } = messages.pairs;
  const least = labelOf(leastChoice(facts), values);
  return html`<p>${words.leftOut({ count: heroes, least })} <a href="${address}">${words.showThem}</a></p>`;
}
