import { hashSlice } from "../../../src/api/body/canonical.ts";
import { parseSliceId, sliceId } from "../../../src/api/endpoint.ts";
import type { Selection } from "../../../src/api/selection.ts";
import { planSlices } from "../../../src/crawl/plan.ts";
import { refreshKindOf } from "../../../src/crawl/refresh/kinds.ts";
import { sliceGroup } from "../../../src/journal/stale.ts";
import type { Coverage } from "../../../src/snapshot/schema/row-types.ts";
import { queryFile } from "../sqlite.ts";
import type { Days } from "./upstream.ts";

type Held = Pick<
  Coverage,
  "dataset" | "slice" | "status" | "reason" | "sha256" | "batch" | "stale" | "asked_at" | "suspect"
>;

export const dayOf = (at: string) => at.slice(0, 10);

/** Keeps what each night held, and says what the next one says otherwise. */
export function createBooks(days: Days, selection: Selection) {
  let held = new Map<string, Held>();

  const readHeld = (file: string) =>
    new Map(queryFile<Held>(file, "SELECT * FROM coverage").map((row) => [`${row.dataset}?${row.slice}`, row]));

  /** All that a file of these heroes has. */
  function planned(heroes: number, file: string): Set<string> {
    const subjects = queryFile<{ subject: string }>(
      file,
      "SELECT DISTINCT subject FROM coverage WHERE subject IS NOT NULL",
    );
    const targets = {
      heroes: Array.from({ length: heroes }, (_, at) => at + 1),
      subjects: new Map([["rating", subjects.map(({ subject }) => subject)]]),
    };
    return new Set(planSlices(selection, targets).map(sliceId));
  }

  /** A row that is new, or of another moment than the night before had it: it is what the upstream said then. */
  async function judgeAsked(id: string, { sha256, asked_at, status }: Held): Promise<string[]> {
    const slice = parseSliceId(id);
    const records = await days.recordsOf(slice, dayOf(asked_at ?? ""));
    return [
      ...(hashSlice(records) === sha256 ? [] : [`${id} of ${asked_at}: is not what was said then`]),
      ...((status === "empty") === (records.length === 0) ? [] : [`${id}: is ${status}`]),
    ];
  }

  function judgeCarried(id: string, row: Held, before: Held | undefined): string[] {
    if (row.asked_at === null)
      return [
        ...(before?.asked_at ? [`${id}: was held, and is no more`] : []),
        // Nobody has asked for it, or its group did not become whole.
        ...(row.status === "failed" && row.reason !== null ? [] : [`${id}: ${row.status}, ${row.reason}`]),
      ];
    const same = before && row.sha256 === before.sha256 && row.status === before.status && row.batch === before.batch;
    return same ? [] : [`${id}: is said to be carried over, and is another`];
  }

  /** Each slice group is of one batch. */
  function judgeTables(rows: ReadonlyMap<string, Held>): string[] {
    const batches = new Map<string, Set<string>>();
    for (const [id, { status, batch, stale }] of rows) {
      const slice = parseSliceId(id);
      if (status !== "captured" || batch === null || refreshKindOf(slice) !== "turn") continue;
      if (stale) return [`${id} is stale`];
      const group = sliceGroup({ slice });
      batches.set(group, (batches.get(group) ?? new Set()).add(batch));
    }
    return [...batches].flatMap(([group, stamps]) => (stamps.size > 1 ? [`${group}: ${[...stamps]}`] : []));
  }

  return {
    /** Everything that is wrong with the file that a night published. */
    async judge(file: string, heroes: number): Promise<string[]> {
      const rows = readHeld(file);
      const plan = planned(heroes, file);
      const faults = [
        ...[...plan].filter((id) => !rows.has(id)).map((id) => `${id} is missing`),
        ...[...rows.keys()].filter((id) => !plan.has(id)).map((id) => `${id} is too much`),
        ...judgeTables(rows),
      ];
      for (const [id, row] of rows) {
        const before = held.get(id);
        const isCarried = row.asked_at === null || row.asked_at === before?.asked_at;
        faults.push(...(isCarried ? judgeCarried(id, row, before) : await judgeAsked(id, row)));
      }
      held = rows;
      return faults;
    },

    /** By `sliceId`, as of the last night that was judged. */
    rows: (): ReadonlyMap<string, Held> => held,
  };
}

export type Books = ReturnType<typeof createBooks>;
