/**
 * The snapshot: one SQLite file. `buildAndPublish` makes it from a finished journal: `build/` writes the archive, `derive/` makes the
 * tables from that, `verify/` makes them once more in another process and compares, and `published/` gives the file its name, its
 * manifest and the pointer. `schema/` defines tables and views, `texts/` notes where records show texts of a list, and `read/` is for those
 * who open a published file.
 *
 * The trap: the same journal and base must give the same bytes, and `verify` must be able to make each table again from the file alone. So
 * nothing that depends on the clock, the network or the order of answers may get into the file: it belongs in the manifest
 * (`ManifestReport`).
 */

import { join } from "node:path";
import { EXIT, Failure } from "../api/failure.ts";
import { yieldOrAbort } from "../base/processes.ts";
import { sweep } from "../base/release.ts";
import type { Journal } from "../journal/journal.ts";
import { openJournal } from "../journal/open.ts";
import type { CrawlReport } from "../journal/report.ts";
import { buildSnapshot } from "./build/build.ts";
import { compareShapes } from "./build/drift.ts";
import type { QualityRow } from "./build/quality.ts";
import type { ShapeRow } from "./build/shape.ts";
import type { Misfit } from "./derive/misfits.ts";
import type { Drift } from "./documents/drift-document.ts";
import type { ManifestReport } from "./documents/manifest-document.ts";
import { type CurrentLatest, readCurrentLatest } from "./published/current-latest.ts";
import { snapshotFile, snapshotFolder } from "./published/folder.ts";
import { type Publication, type PublishOptions, publish } from "./published/publish.ts";
import { type Ages, agesAt, readAskedTimes } from "./read/ages.ts";
import { openBase, type SnapshotBase } from "./read/base.ts";
import { openCheckedFile, openSnapshotFile } from "./read/open.ts";
import { createSelect } from "./read/select.ts";
import { readClosedParts, readEndpointStates } from "./read/standing.ts";
import {
  type CoverageSummary,
  readMisfits,
  readQuality,
  readShape,
  readStale,
  type StaleRow,
  summariseCoverage,
} from "./read/summary.ts";
import { readWithheld, type Withheld } from "./report/withheld.ts";
import type { ClosedPartRow, EndpointStateRow } from "./schema/row-types.ts";
import type { Verification } from "./verify/verify.ts";
import { findFault, verifyInProcess } from "./verify/verify-process.ts";

/** The published snapshot, with facts from its manifest. */
export interface BuildResult extends Publication {
  coverage: CoverageSummary[];
  /** The ages of its answers when its crawl began. */
  ages: Ages[];
  rolling: boolean;
  quality: QualityRow[];
  stale: StaleRow[];
  /** The drift against the latest snapshot before it; empty for a subset. */
  drift: Drift[];
  misfits: Misfit[];
  closed: ClosedPartRow[];
  withheld: Withheld[];
  endpoints: EndpointStateRow[];
  crawl: CrawlReport;
  /** The reason why no answers were carried over from the snapshot that the crawl built on. */
  baseless?: string;
}

// A fixed name, so that the next build finds what a killed one left.
const DRAFT = ".next.sqlite";

export interface BuildOptions extends PublishOptions {
  /** Called when the file is built, and when it is verified. */
  onStep?: (name: "build" | "prove") => void;
}

/**
 * Builds the snapshot of a finished journal, verifies it and publishes it. Rejects with a Failure if verification or the gate against loss
 * forbid it (nothing is published then), and with the reason of `stop` when that is aborted.
 */
export async function buildAndPublish(journalFile: string, data: string, options: BuildOptions): Promise<BuildResult> {
  const draft = join(snapshotFolder(data), DRAFT);
  removeDrafts(data);
  const journal = openJournal(journalFile);
  let base: SnapshotBase | undefined;
  let baseless: string | undefined;
  try {
    [base, baseless] = await openBaseOf(journal, data);
    await buildSnapshot(journal, draft, { base, stop: options.stop });
    await yieldOrAbort(options.stop);
    options.onStep?.("build");
    const verification = await verifyBuilt(draft, options.stop);
    options.onStep?.("prove");
    const { started_at, rolling } = verification.head;
    const { shape, withheld, ...summary } = summariseDraft(draft, Date.parse(started_at));
    const before = options.latest ? await readCurrentLatest(data, base?.id) : undefined;
    const drift = options.latest ? compareShapes(readShapeOf(data, before), shape) : [];
    const crawl = journal.report();
    await yieldOrAbort(options.stop);
    const report: ManifestReport = { ...summary, drift, crawl, journal: journal.header().number };
    const published = await publish(draft, data, verification, { ...options, before, report });
    return { ...published, ...summary, withheld, rolling: rolling === 1, drift, crawl, ...(baseless && { baseless }) };
  } finally {
    base?.[Symbol.dispose]();
    journal.close();
    removeDrafts(data);
  }
}

/** Opens the snapshot that a journal carries slices over from, or tells why it cannot: the night is then concluded without it. */
async function openBaseOf(journal: Journal, data: string): Promise<[SnapshotBase | undefined, string | undefined]> {
  const id = journal.getState("base");
  try {
    return [id ? await openBase(data, id) : undefined, undefined];
  } catch (error) {
    if (error instanceof Failure) return [undefined, error.message];
    throw error;
  }
}

/** Removes drafts with SQLite's own files beside them: a stray rollback journal would be played back into the next draft. */
const removeDrafts = (data: string) => sweep(snapshotFolder(data), (name) => name.startsWith(DRAFT));

/** Verifies a draft, so that no file is published that would fail `verify`. */
async function verifyBuilt(draft: string, signal?: AbortSignal): Promise<Verification> {
  const verification = await verifyInProcess(draft, "maker", undefined, { signal });
  const fault = findFault(verification);
  if (fault === undefined) return verification;
  const hint = "build it again with `npm run build`; if it stays, look at the disk, or report it";
  throw new Failure(
    EXIT.incomplete,
    `the snapshot does not hold what was built, ${fault}; nothing was published`,
    hint,
  );
}

/** Summarises a draft, with the ages of its answers when the crawl began: the same for every build of a journal. */
function summariseDraft(draft: string, startedAtMs: number) {
  const db = openCheckedFile(draft);
  try {
    const [closed, endpoints] = [readClosedParts(db), readEndpointStates(db)];
    return {
      coverage: summariseCoverage(db),
      ages: agesAt(readAskedTimes(db), startedAtMs),
      quality: readQuality(db),
      stale: readStale(db),
      shape: readShape(db),
      misfits: readMisfits(db),
      closed,
      endpoints,
      withheld: readWithheld(createSelect(db), closed, endpoints),
    };
  } finally {
    db.close();
  }
}

/** Reads the shape of the latest snapshot; empty before the first one, or if its file cannot be read. */
function readShapeOf(data: string, before: CurrentLatest | undefined): ShapeRow[] {
  const db = before && openLatest(snapshotFile(data, before.pointer.version), before.fault);
  if (!db) return [];
  try {
    return readShape(db);
  } finally {
    db.close();
  }
}

/** Opens the latest snapshot. A file with a fault is read in full first, and not opened if that finds damage. `publish` reports it. */
function openLatest(file: string, fault: string | undefined) {
  try {
    return fault === undefined ? openCheckedFile(file) : openSnapshotFile(file);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
