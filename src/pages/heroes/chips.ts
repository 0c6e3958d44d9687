import { type Html, html } from "../html.ts";
import type { Choice, Values } from "../query.ts";

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
