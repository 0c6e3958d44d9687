import { readWords } from "../../api/body/record-fields.ts";
import type { Slice } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { type Rejected, reject } from "./validate.ts";

/** Heroes that may come from one night to the next without a word: so many, or this part of those in hand. */
const MAX_NEW_HEROES = 20;
const MAX_NEW_SHARE = 0.2;
/** The most heroes that are plausible if there is no snapshot to compare with. */
const MAX_FIRST_HEROES = 1000;
/** Words that a list may name, each to be asked for in all languages: today they are 12. */
const MAX_WORDS = 200;

/** The words in paths, by the list that names them. */
const NAMED_BY = new Map(
  ENDPOINTS.flatMap(({ identifier }) => (identifier?.kind === "word" ? [[identifier.list, identifier] as const] : [])),
);

export interface Growth {
  /** Heroes in the snapshot in hand. */
  knownHeroes?: number | undefined;
  /** Asks for all of them, however many they are. */
  allowGrowth?: boolean;
}

/**
 * Returns the Failure for a roster that has grown too much. It is checked before its heroes are asked for, so that nobody makes us ask a
 * million times.
 */
export function refuseGrowth(heroes: number, { knownHeroes, allowGrowth = false }: Growth): Failure | undefined {
  const most =
    knownHeroes === undefined
      ? MAX_FIRST_HEROES
      : knownHeroes + Math.max(MAX_NEW_HEROES, Math.floor(knownHeroes * MAX_NEW_SHARE));
  if (allowGrowth || heroes <= most) return undefined;
  const message =
    knownHeroes === undefined
      ? `the upstream names ${heroes} heroes, and more than ${MAX_FIRST_HEROES} are not plausible`
      : `the upstream's roster has grown from ${knownHeroes} to ${heroes} heroes, by more than ${MAX_NEW_HEROES} and ${MAX_NEW_SHARE * 100} %`;
  return new Failure(
    EXIT.incomplete,
    `${message}; none of them was asked for`,
    "if that is right, run the same command with --allow-growth",
  );
}

/** Returns the fault of a list that names more words than are plausible. It cannot be had, as if it were too long in any other way. */
export function refuseWords(
  { dataset, lang }: Slice,
  records: readonly unknown[],
  { allowGrowth = false }: Growth,
): Rejected | undefined {
  const parameter = lang === BASE_LANG ? NAMED_BY.get(dataset) : undefined;
  if (allowGrowth || !parameter) return undefined;
  const words = new Set(records.flatMap((record) => readWords(parameter, record))).size;
  return words > MAX_WORDS ? reject("oversized", `${words} words to ask for, allowed are ${MAX_WORDS}`) : undefined;
}
