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
import { createSelect } from "../src/snapshot/read/select.ts";
import { openSnapshot } from "../src/snapshot/read/snapshot.ts";
import { readClosedParts, readEndpointStates } from "../src/snapshot/read/standing.ts";
import { readHoles, readMisfits, readQuality, readStale, summariseCoverage } from "../src/snapshot/read/summary.ts";
import { heldReports } from "../src/snapshot/report/held.ts";
import type { Report } from "../src/snapshot/report/report.ts";
import { readWithheld } from "../src/snapshot/report/withheld.ts";
import { type Check, checkMaxAges, exitOf, hasManifest } from "../src/snapshot/verify/checks.ts";
import { checkSignature } from "../src/snapshot/verify/signature.ts";
import type { Verification } from "../src/snapshot/verify/verify.ts";
import { verifyInProcess } from "../src/snapshot/verify/verify-process.ts";
import { createMain, dataFolder, defineCommand, number, runMain, upstreams } from "./cli/command.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { type PublicKeys, publicKeys } from "./cli/options/keys.ts";
import { type MaxAges, maxAgeOf } from "./cli/options/max-age-of.ts";
import { insteadOfLatest } from "./cli/options/publish.ts";
import { contact } from "./cli/options/pull.ts";
import { print, printReports } from "./cli/print.ts";
import { say } from "./cli/say.ts";

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
    const withheld = readWithheld(createSelect(db), held.closed, readEndpointStates(db));
    const withAges = verification.head.rolling === 1 || maxAgeOf !== undefined;
    if (!json) printReports(...heldReports({ ...held, withheld }, withAges), checksReport(checks));
    const [live] = upstream ?? [];
    const parity = live === undefined ? [] : await compare(file, live, flags);
    const { head, sha256, size } = verification;
    if (json) print(toSanitizedJson({ version: head.version, file, sha256, size, checks, ...held, parity }));
    else {
      if (live !== undefined) print("");
      printReports(parityReport(parity));
      if (!hasManifest(checks)) sayMissingManifest(manifestOf(file), verification);
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

const checksReport = (rows: readonly Check[]): Report<Check> => ({
  caption: "Checks",
  columns: [
    { head: "Check", kind: "text", of: "name" },
    { head: "Result", kind: "text", of: "state" },
    { head: "Figure", kind: "text", of: "figure" },
  ],
  rows,
});

/** How each endpoint compares with the live upstream: newer numbers are no fault, all other differences are. */
const parityReport = (rows: readonly ParityRow[]): Report<ParityRow> => ({
  caption: "Compared with the upstream",
  columns: [
    { head: "Endpoint", kind: "text", of: "dataset" },
    { head: "Asked", kind: "count", of: "asked" },
    { head: "Equal", kind: "count", of: "equal" },
    { head: "Newer", kind: "count", of: "newer" },
    { head: "Wrong", kind: "count", of: "wrong" },
    { head: "Failed", kind: "count", of: "failed" },
    { head: "Score", kind: "share", of: ({ asked, equal, newer }) => (equal + newer) / asked },
    { head: "Example", kind: "text", of: "example" },
  ],
  rows: rows.filter(({ asked }) => asked > 0),
});

/** Says what only a manifest can prove, with the figures that it would have. */
function sayMissingManifest(manifest: string, { head, sha256, size }: Verification) {
  say(
    `NOT PROVED: that this is the file that was published. There is no ${manifest}.`,
    "Whoever changes records can make the tables and hashes in a file again. The manifest would have proved",
    `  version       ${head.version}`,
    `  content hash  ${head.content_hash}`,
    `  sha256        ${sha256}`,
    `  size          ${size} bytes`,
    `Compare them with /snapshots/${head.version}.json of a mirror that you trust, or put that beside the file and verify again.`,
  );
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
