import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { loadCommand } from "../../../scripts/cli/call.ts";

/**
 * Runs `export` with the words after the first, and is killed right before one of its steps on the disk, which the first word
 * says. Without a kill (step -1) it prints the names of all of them.
 */
const [step = "-1", ...words] = process.argv.slice(2);

const steps: string[] = [];
for (const name of [
  "openSync",
  "writeSync",
  "writeFileSync",
  "fsyncSync",
  "mkdirSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
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

const { call } = await loadCommand("export");
process.exitCode = (await call(words)).code;
process.stdout.write(`${JSON.stringify(steps)}\n`);
