import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { EXIT, Failure } from "../../../api/failure.ts";
import { makeFolder } from "../../../base/files.ts";
import { writeAnalystsFile } from "../../../snapshot/build/analysts-file.ts";
import { analystsFileOf, isVersion, snapshotFile } from "../../../snapshot/published/folder.ts";
import { openSnapshotFile } from "../../../snapshot/read/open.ts";
import type { SnapshotTable } from "../../../snapshot/schema/row-types.ts";

export interface AnalystsExport {
  version: string;
  file: string;
  bytes: number;
}

/** Writes the analysts' file of a snapshot into a folder. Throws a `Failure` for a file that is no snapshot of ours. */
export function exportAnalystsFile(snapshot: string, out: string): AnalystsExport {
  const version = readVersion(snapshot);
  if (!isVersion(version)) {
    const message = `${snapshot}: says that it is version ${version}, which no snapshot is`;
    throw new Failure(EXIT.usage, message, "look at it with `npm run verify`");
  }
  const file = join(out, basename(analystsFileOf(snapshotFile(out, version))));
  makeFolder(out);
  writeAnalystsFile(snapshot, file);
  return { version, file, bytes: statSync(file).size };
}

/** Reads the file whole. */
function readVersion(snapshot: string): string {
  const db = openSnapshotFile(snapshot);
  try {
    const head = db.prepare("SELECT version FROM snapshot").get() as Pick<SnapshotTable, "version">;
    return head.version;
  } finally {
    db.close();
  }
}
