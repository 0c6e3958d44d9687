import "./node-version.ts";
import { EXIT } from "../src/api/failure.ts";
import { openSnapshotFile } from "../src/snapshot/open.ts";
import { latestFile } from "../src/snapshot/publish.ts";
import { readHoles, readQuality, summariseCoverage } from "../src/snapshot/summary.ts";
import { defineCommand, option, run } from "./command.ts";
import { printCoverage, printHoles, printQuality } from "./print.ts";

interface VerifyFlags {
  data: string;
  snapshot?: string;
}

export const verifyCommand = defineCommand("verify", "Check a published snapshot and say what it holds.")
  .addOption(option("--data <dir>", "folder of journals and snapshots").default("data"))
  .addOption(option("--snapshot <file>", "check this file instead of the latest"));

await run(verifyCommand, async ({ data, snapshot }: VerifyFlags) => {
  const file = snapshot ?? latestFile(data);
  const db = openSnapshotFile(file);
  try {
    const holes = readHoles(db);
    printCoverage(summariseCoverage(db));
    printQuality(readQuality(db));
    printHoles(holes);
    return holes.length === 0 ? EXIT.done : EXIT.incomplete;
  } finally {
    db.close();
  }
});
