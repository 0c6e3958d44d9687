import { EXIT, Failure } from "../../api/failure.ts";

/** Heroes that may come from one night to the next without a word: so many, or this part of those in hand. */
const HEROES = 20;
const PART = 0.2;
/** Heroes that are believed where there is no snapshot to compare with. */
const FIRST = 1000;
/** Words that a list may name to be asked for, each in all languages: today they are 12. */
const WORDS = 200;

export interface Growth {
  /** Heroes in the snapshot in hand. */
  knownHeroes?: number | undefined;
  /** Asks for all of them, however many they are. */
  allowGrowth?: boolean;
}

const HINT = "if that is right, run the same command with --allow-growth";

/** Nobody makes us ask a million times: what a roster has grown to is looked at before its heroes are asked for. */
export function refuseGrowth(heroes: number, { knownHeroes, allowGrowth = false }: Growth): Failure | undefined {
  const most = knownHeroes === undefined ? FIRST : knownHeroes + Math.max(HEROES, Math.floor(knownHeroes * PART));
  if (allowGrowth || heroes <= most) return undefined;
  const message =
    knownHeroes === undefined
      ? `the upstream names ${heroes} heroes, and more than ${FIRST} are not believed`
      : `the upstream's roster has grown from ${knownHeroes} to ${heroes} heroes, by more than ${HEROES} and ${PART * 100} %`;
  return new Failure(EXIT.shrunk, `${message}; none of them was asked for`, HINT);
}

/** The same for the words of a list, which its slices are asked by. */
export function refuseWords(dataset: string, words: number, { allowGrowth = false }: Growth): Failure | undefined {
  if (allowGrowth || words <= WORDS) return undefined;
  const message = `the upstream's ${dataset} names ${words} words to ask for, and more than ${WORDS} are not believed`;
  return new Failure(EXIT.shrunk, `${message}; none of them was asked for`, HINT);
}
