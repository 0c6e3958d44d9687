import { statSync } from "node:fs";
import { EXIT, Failure } from "../api/failure.ts";
import { hashFile } from "./durable.ts";
import { hashContent } from "./hash.ts";
import { openSnapshotFile } from "./open.ts";
import { sortBySlice } from "./order.ts";
import type { Pointer } from "./publish.ts";
import { selectHead } from "./queries.ts";
import { prepare } from "./statement.ts";
import type { Coverage, SnapshotTable } from "./tables.ts";

/** What is known of a file before it is opened: from the pointer, or from its manifest. */
export type Promised = Pick<Pointer, "version" | "content_hash" | "sha256" | "size">;

/** Reads every byte of a published file and refuses one that is not what it is said to be. Takes seconds. */
export async function checkPublished(file: string, promised: Promised): Promise<void> {
  const refuse = (what: string) =>
    new Failure(
      EXIT.usage,
      `${file}: ${what}`,
      "publish it again with `npm run build`, or go back with `npm run rollback`",
    );
  const db = openSnapshotFile(file);
  try {
    const { size } = statSync(file);
    if (size !== promised.size) throw refuse(`has ${size} bytes, its manifest says ${promised.size}`);
    if ((await hashFile(file)) !== promised.sha256) throw refuse("does not have the sha256 of its manifest");
    const { version, content_hash } = prepare(db, selectHead).get({}) as SnapshotTable;
    if (version !== promised.version) throw refuse(`calls itself ${version}`);
    const rows = db.prepare<[], Coverage>("SELECT * FROM coverage").all();
    const sorted = sortBySlice(rows, ({ hero_id, ...parts }) => ({ ...parts, hero: hero_id }));
    if (content_hash !== promised.content_hash || content_hash !== hashContent(sorted))
      throw refuse("does not have the content hash of its manifest");
  } finally {
    db.close();
  }
}
