import { type Html, html } from "./html.ts";
import type { IgnoredValues } from "./query.ts";
import type { Messages } from "./words/messages.ts";

const MOST_TOLD = 3;
const MOST_WORD_CHARS = 40;
/** Nobody reads the names of all heroes to find a mistake. */
const MOST_LISTED = 20;

/** Describes the values that were left out; equal for all queries with the same ones. */
export const describeIgnored = (
  ignored: readonly IgnoredValues[],
  { ignored: words, comma }: Messages["frame"],
): Html[] =>
  ignored.map(({ choice, unknown, taken, beyond }) => {
    const { options, most = 1 } = choice;
    const name = html`<b>${choice.name}</b>`;
    const told = [
      ...toldOf(unknown).map((word) => words.unknown({ word: html`<bdi>${word}</bdi>`, name })),
      ...taken.map(({ word, other }) =>
        words.taken({ word: html`<bdi>${shorten(word)}</bdi>`, name, other: html`<b>${other}</b>` }),
      ),
    ];
    const values = options.map(({ value }) => value).join(comma);
    const all = unknown.length > 0 && options.length <= MOST_LISTED && words.values({ values });
    return html`${told.map((sentence) => html`${sentence} `)}${all}${beyond && html` ${words.tooMany({ most, name })}`}`;
  });

/** An address with the words that were left out, so that the page there tells them. They are shortened: proxies refuse a long header. */
export function withIgnored(address: string, ignored: readonly IgnoredValues[]): string {
  const words = ignored.flatMap(({ choice: { name }, unknown }) =>
    toldOf(unknown).map((word): [string, string] => [name, word]),
  );
  if (words.length === 0) return address;
  return `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(words)}`;
}

const toldOf = (unknown: readonly string[]): string[] => unknown.slice(0, MOST_TOLD).map(shorten);

const shorten = (word: string): string => {
  const chars = [...word];
  return chars.length > MOST_WORD_CHARS ? `${chars.slice(0, MOST_WORD_CHARS).join("")}…` : word;
};
