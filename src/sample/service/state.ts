import { HEROES } from "../roster.ts";
import { ENDPOINT_PATHS } from "./openapi.ts";

/** What the answers depend on. All of it but the seed may change while the sample runs. */
export interface State {
  seed: number;
  day: number;
  heroes: number;
  /** So many of the heroes, the last, are in the list of heroes only. */
  unresolved: number;
  /** Paths of the endpoints that are switched off, as the index has them. */
  withdraw: readonly string[];
  /** Addresses of pictures as they are, or wrapped for the proxy wsrv.nl. */
  pictures: "plain" | "wsrv";
}

export const FIRST_STATE: State = {
  seed: 1,
  day: 0,
  heroes: HEROES.length,
  unresolved: 0,
  withdraw: [],
  pictures: "plain",
};

/** Throws `RangeError` for an impossible state. */
export function checkState(state: State): State {
  const { heroes, day, seed, unresolved, withdraw } = state;
  if (!Number.isInteger(heroes) || heroes < 1 || heroes > HEROES.length) {
    throw new RangeError(`heroes must be an integer from 1 to ${HEROES.length}, not ${heroes}`);
  }
  if (!Number.isInteger(day) || !Number.isInteger(seed)) throw new RangeError("day and seed must be integers");
  if (!Number.isInteger(unresolved) || unresolved < 0 || unresolved >= heroes) {
    throw new RangeError(`unresolved must be an integer from 0, below ${heroes}, the number of heroes`);
  }
  const unknown = withdraw.find((path) => !ENDPOINT_PATHS.includes(path));
  if (unknown !== undefined) throw new RangeError(`withdraw must name paths of the index, not ${unknown}`);
  return state;
}
