import { EXIT } from "../src/api/failure.ts";
import { isFault } from "../src/api/faults.ts";
import { readDrift } from "../src/snapshot/build/drift.ts";
import { manifestOf } from "../src/snapshot/published/folder.ts";
import { latestFile } from "../src/snapshot/published/pointer.ts";
import { agesAt, findTooOld, readAskedTimes } from "../src/snapshot/read/ages.ts";
import { openCheckedFile } from "../src/snapshot/read/open.ts";
import { openSnapshot } from "../src/snapshot/read/snapshot.ts";
import { readClosedParts } from "../src/snapshot/read/standing.ts";
import { readHoles, readMisfits, readQuality, readStale, summariseCoverage } from "../src/snapshot/read/summary.ts";
import { checkMaxAges, exitOf, hasManifest } from "../src/snapshot/verify/checks.ts";
import { checkSignature } from "../src/snapshot/verify/signature.ts";
import { verifyInProcess } from "../src/snapshot/verify/verify-process.ts";
import { createMain, dataFolder, defineCommand, number, option, runMain, upstreams } from "./cli/command.ts";
import { type PublicKeys, publicKeys } from "./cli/options/keys.ts";
import { type MaxAges, maxAgeOf } from "./cli/options/max-age-of.ts";
import { contact } from "./cli/options/pull.ts";
import {
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
}

const defineVerify = () =>
  defineCommand("verify")
    .addOption(dataFolder())
    .addOption(option("--snapshot <file>", "check this file instead of the latest"))
    .addOption(publicKeys("public key, or its file: fail if it has not signed the manifest"))
    .addOption(upstreams("compare with this live upstream"))
    .addOption(number("--samples <n>", "random queries to compare", [1, 1_000_000]).default(200))
    .addOption(number("--rate <n>", "of them a second at most", [0.01, 100_000], false).default(4))
    .addOption(contact())
    .addOption(
      maxAgeOf("fail if answers are older, by dataset: counters=7d,hero=30d, or a file with one entry per line"),
    );

export const main = createMain(defineVerify, async (flags: VerifyFlags) => {
  const { data, snapshot, upstream, maxAgeOf, key } = flags;
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
    printCoverage(summariseCoverage(db));
    if (verification.head.rolling === 1 || maxAgeOf) printAges(agesAt(times, now));
    printQuality(readQuality(db));
    printMisfits(readMisfits(db));
    printClosed(readClosedParts(db));
    // Of what is closed or was never asked there may be thousands: the tables of ages and of closed parts count them.
    printHoles(readHoles(db).filter(({ reason, part_id }) => part_id === null && isFault(reason)));
    printStale(readStale(db));
    printDrift(readDrift(file));
    printChecks(checks);
    const [live] = upstream ?? [];
    const wrong = live === undefined ? 0 : await compare(file, live, flags);
    if (!hasManifest(checks)) printMissingManifest(manifestOf(file), verification);
    return exitOf(checks) || (wrong > 0 ? EXIT.incomplete : EXIT.done);
  } finally {
    db.close();
  }
});

/** Prints how the snapshot's answers compare with the live ones; returns how many are wrong. */
async function compare(file: string, upstream: string, { samples, rate, contact }: VerifyFlags): Promise<number> {
  // It asks a live upstream, which few verifications do.
  const { checkParity } = await import("../src/parity/parity.ts");
  const snapshot = openSnapshot(file, { open: openCheckedFile });
  try {
    const seed = Date.now() % 2 ** 31;
    const pace = { samples, requestsPerSecond: rate, timeoutMs: 15_000 };
    const rows = await checkParity({ snapshot, upstream, seed, contact, ...pace });
    printParity(rows);
    return rows.reduce((sum, row) => sum + row.wrong, 0);
  } finally {
    snapshot.close();
  }
}

if (import.meta.main) await runMain(main);
