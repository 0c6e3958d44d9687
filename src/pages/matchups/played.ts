import { writePoints } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { Choice } from "../query.ts";

/** What the upstream counts apart: how a hero does against the other one, and with it in its team. */
export const PLAYED: Choice = {
  name: "played",
  label: "The other hero is",
  options: [
    { value: "against", label: "An opponent" },
    { value: "with", label: "A team mate" },
  ],
  fallback: "against",
};

/** The number of it in the tables. */
export const matchTypeOf = (played: string | undefined): number => (played === "with" ? 1 : 0);

/** Says of whom the points are: nobody needs to know which way round a sign is meant. They do not say who wins. */
export const describePairing = (played: "against" | "with", hero: Html, other: Html, by: number): Html =>
  html`<span lang="en" dir="ltr">${hero} does ${compare(by)} ${played} ${other}</span>`;

/** As far as the written points go. */
const compare = (by: number): string => {
  if (writePoints(by).startsWith("±")) return "as expected";
  return by < 0 ? "worse than expected" : "better than expected";
};

/** What points are, on every page that has them. */
export const POINTS = html`Points are percentage points of win rate: how much better (+) or worse (−) a hero does against, or with, another hero than expected. They do not say who wins: a hero with a low win rate may still lose most matches against a hero that it does better against. The upstream states neither what it expects nor the number of matches.`;
