import { HEROES } from "../roster.ts";
import { checkTrouble, type Trouble } from "../troubles/troubles.ts";

/** All that the answers depend on. It may change while the sample runs, but for the seed. */
export interface State {
  seed: number;
  day: number;
  heroes: number;
  /** The number of heroes, the last ones, that are in the list of heroes only. */
  unresolved: number;
  troubles: readonly Trouble[];
}

export const FIRST_STATE: State = {
  seed: 1,
  day: 0,
  heroes: HEROES.length,
  unresolved: 0,
  troubles: [],
};

/** Throws `RangeError` for an impossible state. */
export function checkState(state: State): State {
  const { heroes, day, seed, unresolved, troubles } = state;
  if (!Number.isInteger(heroes) || heroes < 1 || heroes > HEROES.length) {
    throw new RangeError(`heroes must be an integer from 1 to ${HEROES.length}, not ${heroes}`);
  }
  if (!Number.isInteger(day) || !Number.isInteger(seed)) throw new RangeError("day and seed must be integers");
  if (!Number.isInteger(unresolved) || unresolved < 0 || unresolved >= heroes) {
    throw new RangeError(`unresolved must be an integer from 0, below ${heroes}, the number of heroes`);
  }
  troubles.forEach(checkTrouble);
  return state;
}
