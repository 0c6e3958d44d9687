import { describeFault, type PartDimension } from "../../api/parts.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";

/** Data that a snapshot has from an earlier night or lacks, because it could not be had or an endpoint was left out. */
export interface Withheld {
  why: "closed" | "left-out";
  /** The value that the answers have in common; `single`: none, each could not be had alone. */
  dimension: PartDimension | "endpoint" | "single";
  value: string;
  datasets: readonly string[];
  /** ISO 8601, as all times; null: nobody knows. */
  since: string | null;
  /** How the upstream has answered; empty if nobody asked. */
  answer: string;
  carried: number;
  missing: number;
  /** The times when the carried answers were asked: the first and the last of them. */
  first: string | null;
  last: string | null;
}

interface Found {
  part_id: number | null;
  left_out: number;
  dataset: string;
  carried: number;
  missing: number;
  first: string | null;
  last: string | null;
}

const WITHHELD = `
  SELECT part_id, reason = 'left-out' AS left_out, dataset, sum(status <> 'failed') AS carried, sum(status = 'failed') AS missing,
         min(asked_at) AS first, max(asked_at) AS last
  FROM coverage WHERE reason NOT IN ('not-asked', 'unsettled') GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

const NOTHING = { carried: 0, missing: 0, first: null, last: null };

/** The closed parts first, then what could not be had alone, then endpoints that were left out. */
export function readWithheld(snapshot: Snapshot): Withheld[] {
  const rows = snapshot.select<Found>(WITHHELD);
  const parts = snapshot.closedParts().flatMap((part): Withheld[] => {
    const { dataset, dimension, value, since } = part;
    const found = rows.filter(({ part_id }) => part_id === part.part_id);
    const facts = { why: "closed", since, answer: describeFault(part) } as const;
    const named = { dimension: dimension || ("endpoint" as const), value: value || dataset };
    if (found.length === 0) return [{ ...facts, ...named, datasets: [dataset], ...NOTHING }];
    return found.map((row) => ({ ...facts, ...named, ...countsOf(row) }));
  });
  const others = rows
    .filter(({ part_id }) => part_id === null)
    .map((row): Withheld => {
      const facts = { value: row.dataset, answer: "", ...countsOf(row) };
      if (row.left_out === 0) return { why: "closed", dimension: "single", since: null, ...facts };
      const since = snapshot.endpointStates().get(row.dataset)?.since ?? null;
      return { why: "left-out", dimension: "endpoint", since, ...facts };
    });
  return joinAlike([...parts, ...others]);
}

const countsOf = ({ dataset, carried, missing, first, last }: Found) => ({
  datasets: [dataset],
  carried,
  missing,
  first,
  last,
});

/** One row for what is closed alike since the same night. */
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
