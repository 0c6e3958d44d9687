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

/** Says who does better and who worse, by how much: nobody needs to know which way round a sign is meant. */
export const describePairing = (played: string | undefined, hero: Html, other: Html, by: number): Html =>
  html`<span lang="en" dir="ltr">${played === "with" ? beside(hero, other, by) : against(hero, other, by)}</span>`;

const against = (hero: Html, other: Html, by: number): Html =>
  by < 0
    ? html`${other} beats ${hero}: ${writePoints(by)} points for ${hero}`
    : html`${hero} beats ${other} by ${writePoints(by)} points`;

const beside = (hero: Html, other: Html, by: number): Html =>
  html`${hero} wins ${by < 0 ? "less" : "more"} with ${other}: ${writePoints(by)} points`;
