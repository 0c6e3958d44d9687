import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { exportSnapshot, type Format } from "../../../src/nights/export/export.ts";
import { DEFAULT_TABLES } from "../../../src/nights/export/tables.ts";

/**
 * Exports, and is killed right before one of its steps on the disk: `step format out partition snapshot`. Without a
 * kill (step -1) it prints the names of all of them.
 */
const [step = "-1", format = "csv", out = "", partition, snapshot = ""] = process.argv.slice(2);

const steps: string[] = [];
for (const name of [
  "openSync",
  "writeSync",
  "writeFileSync",
  "fsyncSync",
  "mkdirSync",
  "renameSync",
  "rmSync",
] as const) {
  const done = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      if (steps.length === Number(step)) process.kill(process.pid, "SIGKILL");
      steps.push(name);
      return done(...args);
    },
  });
}
syncBuiltinESMExports();

exportSnapshot(snapshot, { format: format as Format, out, tables: DEFAULT_TABLES, partition: partition === "true" });
process.stdout.write(`${JSON.stringify(steps)}\n`);
