import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../api/failure.ts";
import { openJournal } from "../journal/journal.ts";
import { listen } from "../journal/listen.ts";
import type { CrawlReport } from "../journal/report.ts";
import { buildSnapshot } from "./build/build.ts";
import { compareShapes, type Drift } from "./build/drift.ts";
import type { QualityRow } from "./build/quality.ts";
import type { ShapeRow } from "./build/shape.ts";
import type { Misfit } from "./derive/misfits.ts";
import { snapshotFile, snapshotFolder } from "./published/folder.ts";
import { readPointer } from "./published/pointer.ts";
import { type Publication, type PublishOptions, publish } from "./published/publish.ts";
import { openSnapshotFile } from "./read/open.ts";
import {
  type CoverageSummary,
  readMisfits,
  readQuality,
  readShape,
  readStale,
  type StaleRow,
  summariseCoverage,
} from "./read/summary.ts";
import type { Proof } from "./verify/verify.ts";
import { findFault, proveAside } from "./verify/verify-process.ts";

export interface Night extends Publication {
  coverage: CoverageSummary[];
  quality: QualityRow[];
  stale: StaleRow[];
  drift: Drift[];
  misfits: Misfit[];
  crawl: CrawlReport;
}

// One fixed name: what a killed build left behind is found by the next one.
const DRAFT = ".next.sqlite";

export interface NightOptions extends PublishOptions {
  /** Heard until the file gets its name: from then on it takes a moment, and is done whole. */
  stop?: AbortSignal;
}

/** Everything between a finished journal and the pointer. */
export async function buildAndPublish(journalFile: string, data: string, options: NightOptions): Promise<Night> {
  const draft = join(snapshotFolder(data), DRAFT);
  removeDrafts(data);
  const journal = openJournal(journalFile);
  const onStep = (name: string) => {
    if (name === "sync file") options.stop?.throwIfAborted();
    options.onStep?.(name);
  };
  try {
    await buildSnapshot(journal, draft, options.stop);
    await listen(options.stop);
    options.onStep?.("build");
    const proof = await proveBuilt(draft, options.stop);
    options.onStep?.("prove");
    const { shape, ...told } = readDraft(draft);
    const drift = options.latest ? compareShapes(readLatestShape(data), shape) : [];
    const crawl = journal.report();
    await listen(options.stop);
    const published = await publish(draft, data, proof, { ...options, onStep, report: { ...told, drift, crawl } });
    return { ...published, ...told, drift, crawl };
  } finally {
    journal.close();
    removeDrafts(data);
  }
}

/** SQLite's own files beside a draft go with it: a stray rollback journal would be played back into the next one. */
function removeDrafts(data: string) {
  const folder = snapshotFolder(data);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.startsWith(DRAFT)) rmSync(join(folder, name), { force: true });
}

/** No file is published that would fail its own `verify`. */
async function proveBuilt(draft: string, signal?: AbortSignal): Promise<Proof> {
  const proof = await proveAside(draft, undefined, { signal });
  const fault = findFault(proof);
  if (fault === undefined) return proof;
  const hint = "build it again with `npm run build`; if it stays, look at the disk, or report it";
  throw new Failure(
    EXIT.incomplete,
    `the snapshot does not hold what was built, ${fault}; nothing was published`,
    hint,
  );
}

function readDraft(draft: string) {
  const db = openSnapshotFile(draft);
  try {
    return {
      coverage: summariseCoverage(db),
      quality: readQuality(db),
      stale: readStale(db),
      shape: readShape(db),
      misfits: readMisfits(db),
    };
  } finally {
    db.close();
  }
}

/** The shape of the last snapshot; nothing to compare with before the first one, or where its file is not what it was. */
function readLatestShape(data: string): ShapeRow[] {
  const pointer = readPointer(data);
  const db = pointer && openSound(snapshotFile(data, pointer.version));
  if (!db) return [];
  try {
    return readShape(db);
  } finally {
    db.close();
  }
}

/** Publication tells why it is not. */
function openSound(file: string) {
  try {
    return openSnapshotFile(file);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
