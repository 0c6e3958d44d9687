import * as z from "zod";
import { isListEndpoint } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { openCheckedFile } from "../read/open.ts";

/** A snapshot in numbers, as its manifest has them. */
export const countsSchema = z.object({ heroes: z.int(), languages: z.int(), records: z.int() });

export type Counts = z.infer<typeof countsSchema>;

/** Records of an endpoint, in slices that two nights have planned and the first has an answer for. */
interface EndpointRecords {
  dataset: string;
  slices: number;
  before: number;
  after: number;
}

/** The data that two nights have in common, and what is left of it in the second. */
export interface NightComparison {
  endpoints: readonly EndpointRecords[];
  heroes: { before: number; left: number };
  languages: { before: number; left: number };
  /** Slices with an answer in the first night and none in the second, and the first of them. */
  holes: number;
  firstHole: string | null;
}

const COMMON = `was.coverage AS old JOIN main.coverage AS new USING (dataset, slice) WHERE old.status <> 'failed'`;

/**
 * Compares two files. Data that only one of them has planned is no loss: another language of an endpoint, the slices of a hero who left.
 */
export function compareNights(before: string, after: string): NightComparison {
  const db = openCheckedFile(after);
  try {
    db.prepare("ATTACH ? AS was").run(before);
    const endpoints = db
      .prepare<[], EndpointRecords>(
        `SELECT dataset, count(*) AS slices, sum(old.records) AS before, sum(new.records) AS after FROM ${COMMON} GROUP BY dataset`,
      )
      .all();
    const languages = db
      .prepare<[], NightComparison["languages"]>(
        `SELECT count(*) AS before, coalesce(sum(given = 0), 0) AS left FROM (
           SELECT max(new.status = 'captured') AS given FROM ${COMMON} AND old.status = 'captured' GROUP BY old.lang)`,
      )
      .get();
    const heroes = db
      .prepare<[], NightComparison["heroes"]>(
        `SELECT count(*) AS before, coalesce(sum(hero_id NOT IN (SELECT hero_id FROM main.hero)), 0) AS left FROM was.hero`,
      )
      .get();
    const holes = db
      .prepare<[], Pick<NightComparison, "holes" | "firstHole">>(
        `SELECT count(*) AS holes, min(dataset || ' ' || slice) AS firstHole FROM ${COMMON} AND new.status = 'failed'`,
      )
      .get();
    return { endpoints, ...{ heroes, languages, ...holes } } as NightComparison;
  } finally {
    db.close();
  }
}

/** Compares the counts in the manifests, for a file that cannot be read. */
export const compareCounts = (before: Counts, after: Counts): NightComparison => ({
  endpoints: [{ dataset: "all endpoints", slices: 0, before: before.records, after: after.records }],
  heroes: { before: before.heroes, left: Math.max(0, before.heroes - after.heroes) },
  languages: { before: before.languages, left: Math.max(0, before.languages - after.languages) },
  holes: 0,
  firstHole: null,
});

/** The number of heroes that may leave, and of entries that a list may lose: the game takes some out now and then. */
const FEW = 3;

const LISTS = new Set(ENDPOINTS.filter(isListEndpoint).map(({ dataset }) => dataset));

/** The most names in a message. */
const MAX_NAMED = 5;
const MAX_NAME_CHARS = 40;

/** Describes the loss, with the percentage that would let it pass; undefined if it is not more than `maxLoss` percent. */
export function findLoss(
  { endpoints, heroes, languages }: NightComparison,
  maxLoss: number,
): { says: string; needed: number } | undefined {
  const parts = [
    { name: "heroes", ...heroes, few: FEW },
    { name: "languages", ...languages, few: 0 },
    ...endpoints.map(({ dataset, slices, before, after }) => ({
      name: `records of ${dataset.slice(0, MAX_NAME_CHARS)}`,
      before,
      left: Math.max(0, before - after),
      few: LISTS.has(dataset) ? FEW * slices : 0,
    })),
  ];
  // Whole numbers on both sides: a loss of exactly the limit passes. A list without any record is never a few entries less.
  const lost = parts.filter(
    ({ before, left, few }) => 100 * left > maxLoss * before && (left > few || (left === before && before > 0)),
  );
  if (lost.length === 0) return undefined;
  const named = lost.slice(0, MAX_NAMED).map(({ name, before, left }) => `${name} from ${before} to ${before - left}`);
  const more = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : "";
  return {
    says: named.join(", ") + more,
    needed: Math.max(...lost.map(({ before, left }) => Math.ceil((100 * left) / before))),
  };
}

/** Throws a Failure (`shrunk`) if more than `maxLoss` percent of anything is lost. `command`: the one that can publish it anyway. */
export function refuseLoss(comparison: NightComparison, maxLoss: number, command: string): void {
  const loss = findLoss(comparison, maxLoss);
  if (!loss) return;
  throw new Failure(
    EXIT.shrunk,
    `more than ${maxLoss} % would be lost: ${loss.says}; nothing was published`,
    `if that is right, publish it with \`${command} --max-loss ${loss.needed}\``,
  );
}
