import { existsSync } from "node:fs";
import { parseBody } from "../../api/body/body.ts";
import { type Chunk, joinChunks, wrap } from "../../api/body/wrapping.ts";
import { type Slice, sliceId, sliceIdOf } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { Lang } from "../../api/enumerations.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { createListLookup, type ListLookup } from "../../api/localise.ts";
import type { ClosedPart, EndpointState } from "../../api/parts.ts";
import { hashFile } from "../../base/files.ts";
import { snapshotFile } from "../published/folder.ts";
import type { Coverage, LanguageCheck, NamedDoubt, SnapshotTable } from "../schema/row-types.ts";
import { createListedTexts, createLocaliser } from "../texts/localiser.ts";
import { openCheckedFile, TAKE_ANOTHER } from "./open.ts";
import { readClosedParts, readDoubts, readEndpointStates, readLanguageChecks } from "./standing.ts";

/** The version of a snapshot, and the sha256 of its file. */
export interface BaseId {
  version: string;
  sha256: string;
}

/** The columns that a carried slice keeps in the next snapshot. */
export type BaseSlice = Pick<
  Coverage,
  | "slice_id"
  | "status"
  | "sha256"
  | "batch"
  | "data_date"
  | "stale"
  | "asked_at"
  | "tried_at"
  | "suspect"
  | "reason"
  | "part_id"
>;

/** The snapshot that a crawl builds on: slices that it does not ask for are carried over from there. */
export interface SnapshotBase extends Disposable {
  id: BaseId;
  /** Start of its crawl. */
  startedAt: string;
  /** Ids of its heroes. */
  heroes: readonly number[];
  closed: readonly ClosedPart[];
  endpoints: readonly EndpointState[];
  /** Its coverage, by `sliceId`. */
  rows: ReadonlyMap<string, BaseSlice>;
  proof: readonly LanguageCheck[];
  doubts: ReadonlyMap<string, NamedDoubt>;
  /** Returns the records of a slice in the body of one answer, with the digits that they came with. */
  body(slice: Slice): Buffer;
  /** Returns a slice of the base language as its own mirror serves it in another one; undefined if that has no answer there. */
  bodyIn(slice: Slice, lang: Lang): Buffer | undefined;
  records(slice: Slice): unknown[];
  /** Looks up entries of the lists of this snapshot. */
  lists: ListLookup;
}

/**
 * Opens a published snapshot to carry slices over from it. Rejects with a Failure for usage if it is not there, or is not as it was
 * published: its records would become those of the next one.
 */
export async function openBase(data: string, id: BaseId): Promise<SnapshotBase> {
  const file = snapshotFile(data, id.version);
  if (!existsSync(file)) throw refusal(file, "is gone");
  const db = openCheckedFile(file);
  try {
    if ((await hashFile(file)) !== id.sha256) throw refusal(file, "is not the file that was published");
    const head = db.prepare<[], SnapshotTable>("SELECT * FROM snapshot").get() as SnapshotTable;
    // 6 MB of its pages are enough; slices are read in the order in which they lie there.
    db.pragma("cache_size = -6000");
    const rows = new Map<string, BaseSlice>();
    for (const row of db.prepare<[], Coverage>("SELECT * FROM coverage").iterate())
      rows.set(sliceIdOf(row), toHeld(row));
    const select = db
      .prepare<[number | undefined], Buffer>(
        "SELECT CAST(json AS BLOB) FROM record WHERE slice_id = ? ORDER BY position",
      )
      .pluck();
    const recordsOf = (slice: Slice) => select.all(rows.get(sliceId(slice))?.slice_id);
    const records = (slice: Slice) => recordsOf(slice).map(parseBody);
    const lists = createListLookup((dataset, lang) =>
      answeredIn({ rows }, { dataset, lang }) ? records({ dataset, lang }) : undefined,
    );
    const localise = createLocaliser(
      createListedTexts([], () => undefined),
      lists,
    );
    const body = (slice: Slice) =>
      toBody(
        slice,
        recordsOf(slice).map((json) => [json]),
      );
    return {
      id,
      startedAt: head.started_at,
      heroes: db.prepare<[], number>("SELECT hero_id FROM hero ORDER BY hero_id").pluck().all(),
      closed: readClosedParts(db),
      endpoints: readEndpointStates(db),
      rows,
      proof: readLanguageChecks(db),
      doubts: readDoubts(db),
      body,
      bodyIn(slice, lang) {
        const own = { ...slice, lang };
        if (answeredIn({ rows }, own)) return body(own);
        const { text } = endpointOf(slice.dataset);
        if (typeof text === "string") return undefined;
        const localised = recordsOf(slice).map((json) => localise({ json: json.toString(), texts: null }, text, lang));
        return localised.every((record) => record !== undefined) ? toBody(slice, localised) : undefined;
      },
      records,
      lists,
      [Symbol.dispose]: () => void db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

const toBody = ({ dataset }: Slice, records: Chunk[][]) =>
  joinChunks(wrap(endpointOf(dataset).wrapping ?? "pages", records, records.length));

const refusal = (file: string, what: string) =>
  new Failure(EXIT.usage, `${file}: ${what}, and nothing can be carried over from it`, TAKE_ANOTHER);

const toHeld = ({
  slice_id,
  status,
  sha256,
  batch,
  data_date,
  stale,
  asked_at,
  tried_at,
  suspect,
  reason,
  part_id,
}: Coverage): BaseSlice => ({
  slice_id,
  status,
  sha256,
  batch,
  data_date,
  stale,
  asked_at,
  tried_at,
  suspect,
  reason,
  part_id,
});

/** Returns the row of a slice; undefined if the base does not hold an answer. */
export const answeredIn = (base: Pick<SnapshotBase, "rows"> | undefined, slice: Slice): BaseSlice | undefined => {
  const row = base?.rows.get(sliceId(slice));
  return row?.status === "failed" ? undefined : row;
};
