import type SQLite from "better-sqlite3";
import { EXIT } from "../src/api/failure.ts";
import { isFault } from "../src/api/faults.ts";
import { toSanitizedJson } from "../src/api/sanitize.ts";
import type { ParityRow } from "../src/extra/parity/parity.ts";
import { readDrift } from "../src/snapshot/documents/drift-document.ts";
import { manifestOf } from "../src/snapshot/published/folder.ts";
import { latestFile } from "../src/snapshot/published/pointer.ts";
import { type Ages, agesAt, findTooOld, readAskedTimes } from "../src/snapshot/read/ages.ts";
import { openCheckedFile } from "../src/snapshot/read/open.ts";
import { openSnapshot } from "../src/snapshot/read/snapshot.ts";
import { readClosedParts } from "../src/snapshot/read/standing.ts";
import { readHoles, readMisfits, readQuality, readStale, summariseCoverage } from "../src/snapshot/read/summary.ts";
import { type Check, checkMaxAges, exitOf, hasManifest } from "../src/snapshot/verify/checks.ts";
import { checkSignature } from "../src/snapshot/verify/signature.ts";
import { verifyInProcess } from "../src/snapshot/verify/verify-process.ts";
import { createMain, dataFolder, defineCommand, number, runMain, upstreams } from "./cli/command.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { type PublicKeys, publicKeys } from "./cli/options/keys.ts";
import { type MaxAges, maxAgeOf } from "./cli/options/max-age-of.ts";
import { insteadOfLatest } from "./cli/options/publish.ts";
import { contact } from "./cli/options/pull.ts";
import {
  print,
  printAges,
  printChecks,
  printClosed,
  printCoverage,
  printDrift,
  printHoles,
  printMisfits,
  printMissingManifest,
  printParity,
  printQuality,
  printStale,
} from "./cli/print.ts";

interface VerifyFlags {
  data: string;
  snapshot?: string;
  upstream?: string[];
  samples: number;
  rate: number;
  contact?: string;
  maxAgeOf?: MaxAges;
  key?: PublicKeys;
  json: boolean;
}

const defineVerify = () =>
  defineCommand("verify", {
    Snapshot: [dataFolder(), insteadOfLatest(), publicKeys(), maxAgeOf("it fails beyond it")],
    "Comparison with a live upstream": [
      upstreams("base URL of the upstream, without /api"),
      number("--samples <n>", "number of random queries to compare", [1, 1_000_000]).default(200),
      number("--rate <n>", "maximum queries per second", [0.01, 100_000], false).default(4),
      contact("upstream"),
    ],
    Output: [jsonFlag()],
  });

export const main = createMain(defineVerify, async (flags: VerifyFlags) => {
  const { data, snapshot, upstream, maxAgeOf, key, json } = flags;
  const file = snapshot ?? latestFile(data);
  const verification = await verifyInProcess(file, "maker");
  const db = openCheckedFile(file);
  try {
    const [times, now] = [readAskedTimes(db), Date.now()];
    const checks = [
      ...verification.checks,
      ...(key ? [checkSignature(file, key.keys)] : []),
      ...(maxAgeOf ? [checkMaxAges(findTooOld(times, maxAgeOf, now))] : []),
    ];
    const held = readHeld(db, file, agesAt(times, now));
    if (!json) printHeld(held, { checks, withAges: verification.head.rolling === 1 || maxAgeOf !== undefined });
    const [live] = upstream ?? [];
    const parity = live === undefined ? [] : await compare(file, live, flags);
    const { head, sha256, size } = verification;
    if (json) print(toSanitizedJson({ version: head.version, file, sha256, size, checks, ...held, parity }));
    else {
      if (live !== undefined) printParity(parity);
      if (!hasManifest(checks)) printMissingManifest(manifestOf(file), verification);
    }
    return exitOf(checks) || (parity.some(({ wrong }) => wrong > 0) ? EXIT.incomplete : EXIT.done);
  } finally {
    db.close();
  }
});

/** The reports of a file, as `--json` has them. */
const readHeld = (db: SQLite.Database, file: string, ages: Ages[]) => ({
  coverage: summariseCoverage(db),
  ages,
  quality: readQuality(db),
  misfits: readMisfits(db),
  closed: readClosedParts(db),
  // There may be thousands of closed slices, and of those never asked: the tables of ages and of closed parts count them.
  holes: readHoles(db).filter(({ reason, part_id }) => part_id === null && isFault(reason)),
  stale: readStale(db),
  drift: readDrift(file),
});

function printHeld(held: ReturnType<typeof readHeld>, { checks, withAges }: { checks: Check[]; withAges: boolean }) {
  printCoverage(held.coverage);
  if (withAges) printAges(held.ages);
  printQuality(held.quality);
  printMisfits(held.misfits);
  printClosed(held.closed);
  printHoles(held.holes);
  printStale(held.stale);
  printDrift(held.drift);
  printChecks(checks);
}

/** Compares the snapshot's answers with the live ones. */
async function compare(file: string, upstream: string, { samples, rate, contact }: VerifyFlags): Promise<ParityRow[]> {
  // It asks a live upstream, which few verifications do.
  const { checkParity } = await import("../src/extra/parity/parity.ts");
  const snapshot = openSnapshot(file, { open: openCheckedFile });
  try {
    const seed = Date.now() % 2 ** 31;
    const pace = { samples, requestsPerSecond: rate, timeoutMs: 15_000 };
    return await checkParity({ snapshot, upstream, seed, contact, ...pace });
  } finally {
    snapshot.close();
  }
}

if (import.meta.main) await runMain(main);
