import type { Lang } from "../../api/enumerations.ts";
import { type Html, html, type Piece } from "./html.ts";

/** A dash, for a figure that does not exist. */
export const NO_FIGURE = html`<span class="none">–</span>`;

/** A number in words, and itself in the element; a dash for none. */
export const figure = (value: number | null | undefined, write: (value: number) => string): Html =>
  value === null || value === undefined ? NO_FIGURE : html`<data value="${value}">${write(value)}</data>`;

/** Rates have six decimals, which are four of a percentage. */
const MOST_DECIMALS = 4;

/**
 * Decimals of a percentage: nothing says of how many matches a rate is, so that more than one would pretend to know. Below 1 % two
 * digits stand that are not a leading zero. The number itself is in the element, and in CSV and API.
 */
export const percentDigits = (share: number): number => decimalsOf(share, 2);

/** Decimals of a number in percent with so many significant digits; one from 1 % on. */
function decimalsOf(share: number, significant: number): number {
  const exponent = Number(
    Math.abs(100 * share)
      .toExponential(significant - 1)
      .split("e")[1],
  );
  return exponent < 0 ? Math.min(significant - 1 - exponent, MOST_DECIMALS) : 1;
}

/** Decimals of a change in points, which is never written as none. */
export const changeDigits = (difference: number): number => decimalsOf(difference, 1);

/** True if the points of a difference are written as none. */
export const isNoPoint = (difference: number): boolean => Number(Math.abs(100 * difference).toFixed(1)) === 0;

const RTL = new Set<string>(["ar"]);

export const directionOf = (lang: string) => (RTL.has(lang) ? "rtl" : "ltr");

/** Characters of a name and of a longer text from the data, at most. */
export const MOST_CHARS = { name: 120, text: 6000 };

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);

/** A name from the data, alone in its direction: its characters cannot change the line around it. */
export const nameIn = (lang: Lang, name: string): Html => html`<bdi lang="${lang}">${cut(name, MOST_CHARS.name)}</bdi>`;

/** A longer text from the data, with its lines. */
export const textIn = (lang: Lang, text: string): Html =>
  html`<p class="text" lang="${lang}" dir="auto">${cut(text, MOST_CHARS.text)}</p>`;

/** Terms, and what they are here. */
export const factList = (facts: readonly (readonly [term: string, what: Piece])[]): Html =>
  html`<dl class="facts">${facts.map(([term, what]) => html`<dt>${term}</dt><dd>${what}</dd>`)}</dl>`;

/** Links to the same as JSON. */
export const jsonLinks = (label: string, links: readonly { path: string; text: string }[]): Html =>
  html`${
    links.length > 0 &&
    html`<nav aria-label="${label}"><ul class="links">${links.map(
      ({ path, text }) => html`<li><a href="${path}">${text}</a></li>`,
    )}</ul></nav>`
  }`;
