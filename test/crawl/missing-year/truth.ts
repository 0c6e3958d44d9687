import { hashSlice } from "../../../src/api/body/canonical.ts";
import { parseSliceId } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { PAGE_SIZE } from "../../../src/crawl/ask/page-size.ts";
import { slicePath } from "../../../src/crawl/plan.ts";
import type { Sample } from "../../../src/extra/sample/service/server.ts";
import type { ClosedPartRow, Coverage, EndpointStateRow } from "../../../src/snapshot/schema/row-types.ts";
import { queryFile } from "../../helpers/sqlite.ts";
import { type Before, isLacking } from "./oracle.ts";

type Row = Pick<Coverage, "status" | "reason" | "part_id" | "asked_at" | "sha256">;

/** What a file says, read by SQL alone. */
export interface Said extends Before {
  rows: ReadonlyMap<string, Row>;
  heroes: number;
}

export function readFile(file: string): Said {
  const rows = queryFile<Row & { id: string }>(file, "SELECT *, dataset || '?' || slice AS id FROM coverage");
  const parts = queryFile<ClosedPartRow>(file, "SELECT * FROM closed_part ORDER BY part_id");
  const states = queryFile<EndpointStateRow>(file, "SELECT * FROM endpoint_state WHERE state = 'open'");
  const [count] = queryFile<{ heroes: number }>(file, "SELECT count(*) AS heroes FROM hero");
  return {
    rows: new Map(rows.map(({ id, ...row }) => [id, row])),
    parts: parts.map(({ dataset, dimension, value }) => {
      if (dimension === "") return dataset;
      return dataset === "" ? `${dimension} ${value}` : `${dimension} ${value} in ${dataset}`;
    }),
    open: states.map(({ dataset }) => dataset),
    heroes: count?.heroes ?? 0,
  };
}

export interface Told {
  sample: Sample;
  /** The day on which a crawl began that said this time. */
  dayOf: (startedAt: string) => number | undefined;
  /** Whether a slice had no records on a day. */
  wasEmpty: (id: string, day: number) => boolean;
  day: number;
  /** Slices that an unfinished night before this one had answers of. */
  inHand: ReadonlySet<string>;
  /** Whether all of it was to be asked. */
  isWhole: boolean;
}

/** The rows of a file that the upstream did not say so, or that are carried over without a word. */
export function findLies(said: Said, before: Said | undefined, told: Told): string[] {
  return [...said.rows].flatMap(([id, row]) => {
    const wrong = judgeRow(id, row, before?.rows.get(id), told);
    return wrong ? [`${id} (${row.status}, ${row.reason}, of ${row.asked_at}): ${wrong}`] : [];
  });
}

function judgeRow(id: string, row: Row, held: Row | undefined, told: Told): string | undefined {
  const { status, reason, asked_at } = row;
  const isFault = isLacking(row);
  if (status === "failed") {
    if (reason === null) return "it is missing without a reason";
    return held && held.status !== "failed" ? "what the base has is lost" : undefined;
  }
  if (reason !== null && held?.sha256 !== row.sha256) return "it is not what the base has";
  if (asked_at === null) return "an answer without a date";
  const day = told.dayOf(asked_at);
  // A date that cannot be told since a clock was wrong: it is compared with the base alone.
  if (day === undefined) return held?.sha256 === row.sha256 ? undefined : "it is of no crawl";
  if (isFault && day >= told.day) return "it is said to be missing, and is of tonight";
  if (reason === null && told.isWhole && day !== told.day && !told.inHand.has(id))
    return "it is older, and not said to be";
  if (status === "empty" && told.wasEmpty(id, day)) return undefined;
  const slice = parseSliceId(id);
  const answer = told.sample.lastAnswer(slicePath(endpointOf(slice.dataset), slice, 1, PAGE_SIZE), day);
  if (answer?.day !== day) return `the upstream has not answered it on day ${day}`;
  return hashSlice(answer.records) === row.sha256 ? undefined : "the upstream has said something else";
}
