import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "../journal/journal.ts";
import type { CrawlReport } from "../journal/report.ts";
import { buildSnapshot } from "./build.ts";
import { openSnapshotFile } from "./open.ts";
import { type Publication, publish, readPointer, snapshotFile, snapshotFolder } from "./publish.ts";
import type { QualityRow } from "./quality.ts";
import { compareShapes, type Drift, refuseBreaking, type ShapeRow } from "./shape.ts";
import { type CoverageSummary, readQuality, readShape, summariseCoverage } from "./summary.ts";

export interface Night extends Publication {
  coverage: CoverageSummary[];
  quality: QualityRow[];
  drift: Drift[];
  crawl: CrawlReport;
}

/** Everything between a finished journal and the pointer. */
export async function buildAndPublish(
  journalFile: string,
  data: string,
  { latest }: { latest: boolean },
): Promise<Night> {
  // One fixed name: what a killed build left behind is overwritten by the next one.
  const draft = join(snapshotFolder(data), ".next.sqlite");
  rmSync(draft, { force: true });
  const journal = openJournal(journalFile);
  try {
    buildSnapshot(journal, draft);
    const { coverage, quality, shape } = readDraft(draft);
    const drift = latest ? compareShapes(readLatestShape(data), shape) : [];
    refuseBreaking(drift);
    const crawl = journal.report();
    const published = await publish(draft, data, { latest, report: { coverage, quality, drift, crawl } });
    return { ...published, coverage, quality, drift, crawl };
  } finally {
    journal.close();
    rmSync(draft, { force: true });
  }
}

function readDraft(draft: string) {
  const db = openSnapshotFile(draft);
  try {
    return { coverage: summariseCoverage(db), quality: readQuality(db), shape: readShape(db) };
  } finally {
    db.close();
  }
}

/** The shape of the last snapshot; nothing to compare with before the first one. */
function readLatestShape(data: string): ShapeRow[] {
  const pointer = readPointer(data);
  if (!pointer || !existsSync(snapshotFile(data, pointer.version))) return [];
  const db = openSnapshotFile(snapshotFile(data, pointer.version));
  try {
    return readShape(db);
  } finally {
    db.close();
  }
}
