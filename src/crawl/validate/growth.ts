import { EXIT, Failure } from "../../api/failure.ts";

/** Heroes that may come from one night to the next without a word: so many, or this part of those in hand. */
const MAX_NEW_HEROES = 20;
const MAX_NEW_SHARE = 0.2;
/** The most heroes that are plausible if there is no snapshot to compare with. */
const MAX_FIRST_HEROES = 1000;
/** Words that a list may name to be asked for, each in all languages: today they are 12. */
const MAX_SUBJECTS = 200;

export interface Growth {
  /** Heroes in the snapshot in hand. */
  knownHeroes?: number | undefined;
  /** Asks for all of them, however many they are. */
  allowGrowth?: boolean;
}

const HINT = "if that is right, run the same command with --allow-growth";

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
  return new Failure(EXIT.incomplete, `${message}; none of them was asked for`, HINT);
}

/** Returns the Failure for a list with more words than are plausible, as its slices are asked by them. */
export function refuseSubjects(dataset: string, words: number, { allowGrowth = false }: Growth): Failure | undefined {
  if (allowGrowth || words <= MAX_SUBJECTS) return undefined;
  const message = `the upstream's ${dataset} names ${words} words to ask for, and more than ${MAX_SUBJECTS} are not plausible`;
  return new Failure(EXIT.incomplete, `${message}; none of them was asked for`, HINT);
}
