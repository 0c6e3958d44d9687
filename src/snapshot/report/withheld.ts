import { describeFault, describePart, type PartDimension } from "../../api/parts.ts";
import type { Select } from "../read/select.ts";
import type { ClosedPartRow, EndpointStateRow } from "../schema/row-types.ts";
import type { Report } from "./report.ts";

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

/** Reads a row for each endpoint: the closed parts first, then single slices, then endpoints that were left out. */
export function readWithheld(
  select: Select,
  closed: readonly ClosedPartRow[],
  states: readonly EndpointStateRow[],
): Withheld[] {
  const rows = select<Found>(WITHHELD);
  const parts = closed.flatMap((part): Withheld[] => {
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
      const since = states.find(({ dataset }) => dataset === row.dataset)?.since ?? null;
      return { why: "left-out", dimension: "endpoint", since, ...facts };
    });
  return [...parts, ...others];
}

const countsOf = ({ dataset, carried, missing, first, last }: Found) => ({
  datasets: [dataset],
  carried,
  missing,
  first,
  last,
});

/** One row for what is closed alike since the same night. */
export function joinAlike(rows: readonly Withheld[]): Withheld[] {
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

/** Tells what could not be had or was left out. `nameOf` says what the answers have in common besides their endpoint. */
export const withheldReport = (rows: readonly Withheld[], nameOf = namePart): Report<Withheld> => ({
  caption: "What could not be had",
  note: "One row for what is closed in the same way since the same night; the table closed_part of the file has more",
  columns: [
    { head: "What", kind: "text", of: (group) => describe(group, nameOf) },
    { head: "Endpoints", kind: "text", of: ({ datasets }) => datasets.join(", ") },
    { head: "Since", kind: "day", of: "since" },
    { head: "Answered with", kind: "text", of: ({ answer }) => answer || null },
    { head: "Carried over", kind: "count", of: "carried" },
    { head: "They are from", kind: "times", of: ({ first, last }) => [first, last] },
    { head: "Missing", kind: "count", of: "missing" },
  ],
  rows: joinAlike(rows),
});

function describe(group: Withheld, nameOf: typeof namePart): string {
  if (group.why === "left-out") return "Left out by the operator of this snapshot";
  if (group.dimension === "single") return "Single answers";
  return nameOf(group) ?? "All of it";
}

const namePart = ({ dimension, value }: Withheld): string | undefined =>
  dimension === "endpoint" || dimension === "single" ? undefined : describePart({ dataset: "", dimension, value });
