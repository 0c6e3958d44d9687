import { DIMENSIONS, describeRefusal, EXCUSED, REFUSED } from "../api/refusals.ts";
import type { Snapshot } from "../snapshot/read/snapshot.ts";
import type { CountedGroup } from "../snapshot/read/standing.ts";

/** What a snapshot has from an earlier night or lacks, because the upstream refuses it or an endpoint was left out. */
export interface Withheld {
  why: "refused" | "left-out";
  /** What the answers have in common; `single`: nothing, each was refused alone. */
  dimension: CountedGroup["dimension"] | "single";
  value: string;
  datasets: readonly string[];
  /** ISO 8601, as all times; null: nobody knows. */
  since: string | null;
  /** How the upstream says no; empty if nobody asked. */
  answer: string;
  carried: number;
  missing: number;
  /** When the answers that were carried over were asked: the first and the last of them. */
  first: string | null;
  last: string | null;
}

interface Found {
  left_out: number;
  dimension: CountedGroup["dimension"] | null;
  value: string | null;
  dataset: string;
  carried: number;
  missing: number;
  first: string | null;
  last: string | null;
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");

const WITHHELD = `
  SELECT reason = 'left-out' AS left_out, refusal.dimension, refusal.value, coverage.dataset,
         sum(coverage.status <> 'failed') AS carried, sum(coverage.status = 'failed') AS missing,
         min(asked_at) AS first, max(asked_at) AS last
  FROM coverage LEFT JOIN refusal ON refusal.dataset = coverage.dataset AND reason IN (${quoted(REFUSED)})
    AND refusal.value = CASE refusal.dimension WHEN 'endpoint' THEN coverage.dataset WHEN 'lang' THEN coverage.lang
      WHEN 'rank' THEN coverage.rank WHEN 'days' THEN format('%d', coverage.days) WHEN 'lane' THEN coverage.lane
      ELSE format('%d', coverage.hero_id) END
  WHERE reason IN (${quoted(EXCUSED)}) GROUP BY 1, 2, 3, 4 ORDER BY 1, 4, 2, 3`;

const NO_TIMES = { first: null, last: null };

/** The groups first, the widest before others, then what was refused alone, then endpoints that were left out. */
export function readWithheld(snapshot: Snapshot): Withheld[] {
  const rows = snapshot.select<Found>(WITHHELD);
  const groups = snapshot
    .refusals()
    .toSorted((a, b) => DIMENSIONS.indexOf(a.dimension) - DIMENSIONS.indexOf(b.dimension))
    .map((group): Withheld => {
      const { dimension, value, dataset, since, slices_carried, slices_missing } = group;
      const { first, last } =
        rows.find((row) => row.dataset === dataset && row.dimension === dimension && row.value === value) ?? NO_TIMES;
      const [carried, missing] = [slices_carried, slices_missing];
      const answer = describeRefusal(group);
      return { why: "refused", dimension, value, datasets: [dataset], since, answer, carried, missing, first, last };
    });
  const others = rows
    .filter(({ dimension }) => dimension === null)
    .map(({ left_out, dataset, carried, missing, first, last }): Withheld => {
      const facts = { value: dataset, datasets: [dataset], answer: "", carried, missing, first, last };
      if (left_out === 0) return { why: "refused", dimension: "single", since: null, ...facts };
      const since = snapshot.endpointStates().get(dataset)?.since ?? null;
      return { why: "left-out", dimension: "endpoint", since, ...facts };
    });
  return joinAlike([...groups, ...others]);
}

/** One row for what is refused alike since the same night. */
function joinAlike(rows: readonly Withheld[]): Withheld[] {
  const alike = Map.groupBy(rows, ({ why, dimension, value, since, answer }) =>
    JSON.stringify([why, dimension, dimension === "endpoint" || dimension === "single" || value, since, answer]),
  );
  return [...alike.values()].map((same) => {
    const times = same.flatMap(({ first, last }) => [first, last]).filter((time) => time !== null);
    times.sort();
    return {
      ...(same[0] as Withheld),
      datasets: same.flatMap(({ datasets }) => datasets),
      carried: same.reduce((sum, { carried }) => sum + carried, 0),
      missing: same.reduce((sum, { missing }) => sum + missing, 0),
      first: times[0] ?? null,
      last: times.at(-1) ?? null,
    };
  });
}
