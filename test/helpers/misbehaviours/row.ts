import type { Reason } from "../../../src/api/faults.ts";
import type { Act } from "./encounter.ts";

/** A way in which an upstream misbehaves, and how a crawl ends that meets it again and again. */
export interface Misbehaviour {
  /** The misbehaviour in words. */
  does: string;
  act: Act;
  /** Those that a crawl gives for it (src/api/faults.ts), one or the other; none if it bears it. */
  reasons: readonly Reason[];
  code: number;
  /** The one line on stderr; without it there is none. */
  says?: RegExp;
  /** Published is what a well-behaved upstream gives. */
  same?: true;
  /** The requests at which a crawl meets it. */
  at: Place;
  args?: readonly string[];
  /** Takes a second of the processor and more. */
  slow?: true;
  /** Most seconds and mebibytes of a crawl in a process of its own; 8 and 330, unless it says so. */
  seconds?: number;
  megabytes?: number;
}

/** Requests, and what is to be crawled so that they come. */
interface Place {
  path: RegExp;
  endpoints: string;
}

const FEW = "stats,relations";
export const AT_STATS: Place = { path: /\/heroes\/\d+\/stats\?/, endpoints: FEW };
export const AT_LIST: Place = { path: /\/api\/heroes\?/, endpoints: FEW };
export const AT_RELATIONS: Place = { path: /\/relations\?/, endpoints: FEW };
export const AT_ALL: Place = { path: /./, endpoints: FEW };
export const AT_HEROES: Place = { path: /\/heroes\/\d/, endpoints: "trends,counters,compatibility,skill-combos" };
export const AT_RANK: Place = { path: /\/heroes\/rank\?/, endpoints: "rank" };
export const AT_COUNTERS: Place = { path: /\/counters\?/, endpoints: "counters" };
export const AT_EMBLEMS: Place = { path: /\/emblems\?/, endpoints: "emblems" };
export const AT_VERSIONS: Place = { path: /\/meta\/version\?/, endpoints: "versions" };
export const AT_BUILDS: Place = { path: /\/builds\?/, endpoints: "builds" };

type More = Partial<Misbehaviour>;

/** The slices that meet it are missing in the end: too many of a small night. */
export const failing = (reason: Reason, does: string, act: Act, more: More = {}): Misbehaviour => ({
  does,
  act,
  reasons: [reason],
  at: AT_STATS,
  code: 3,
  says: /^(\d+ of \d+ slices are newly missing|an outage of the upstream: )/,
  ...more,
});

/** The one slice that meets it is missing, and the night is published. */
export const lacking = (reason: Reason, does: string, act: Act, more: More = {}): Misbehaviour =>
  taken(does, act, { reasons: [reason], ...more });

/** There is no hero list to begin with. */
export const listless = (code: number, reason: Reason, does: string, act: Act, more: More = {}): Misbehaviour =>
  failing(reason, does, act, { code, says: noList(reason), at: AT_LIST, ...more });

export const noList = (reason: Reason) => new RegExp(`gave no hero list \\(${reason}: `);

/** Published as it came, for these reasons after second looks. */
export const taken = (does: string, act: Act, more: More = {}): Misbehaviour => ({
  does,
  act,
  reasons: [],
  at: AT_STATS,
  code: 0,
  ...more,
});

/** Published is what a well-behaved upstream gives. */
export const borne = (does: string, act: Act): Misbehaviour => taken(does, act, { same: true });

/** Rows that are met at other requests. */
export const meeting = <T extends Record<string, Misbehaviour>>(at: Place, rows: T): T =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, at }])) as T;
