import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import SQLite from "better-sqlite3";
import { loadCommand } from "../../../scripts/cli/call.ts";

type Line = readonly [command: string, ...words: string[]];

interface Task {
  line: Line;
  /** The step before which it is killed. */
  kill?: number;
  /** The folder that is copied before each step, and where to. */
  copy?: { from: string; to: string };
  /** Each statement that SQLite prepares is a step too. */
  statements?: boolean;
}

/** The calls that change a disk; SQLite has its own. A kill between two of them leaves the same as one right before the second. */
const CHANGES = ["writeSync", "writeFileSync", "mkdirSync", "renameSync", "rmSync", "rmdirSync"] as const;

/**
 * Runs a command in a process of its own, and copies a folder before each of its steps on the disk: a kill at that moment would leave
 * just this. Tells where the copies lie.
 */
export async function copyAtSteps(line: Line, copy: { from: string; to: string }) {
  const { steps } = await start({ line, copy });
  return steps.map((_, step) => join(copy.to, String(step))).filter((folder) => fs.existsSync(folder));
}

/** Runs a command in a process of its own that is killed right before a step. Without one it ends, and tells the steps that it took. */
export const killBefore = (step: number | undefined, line: Line, statements = false) =>
  start({ line, statements, ...(step !== undefined && { kill: step }) });

async function start(task: Task) {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { steps: JSON.parse(said || "[]") as string[], signal: child.signalCode };
}

/** The other side: the process that is started. */
async function run({ line: [command, ...words], kill, copy, statements }: Task) {
  const { call } = await loadCommand(command);
  const steps: string[] = [];
  let isCopying = false;
  const reach = (name: string) => {
    if (isCopying) return;
    if (steps.length === kill) process.kill(process.pid, "SIGKILL");
    isCopying = true;
    if (copy && fs.existsSync(copy.from))
      fs.cpSync(copy.from, join(copy.to, String(steps.length)), { recursive: true });
    isCopying = false;
    steps.push(name);
  };
  const before = (name: string, done: (...args: unknown[]) => unknown) =>
    function (this: unknown, ...args: unknown[]) {
      reach(name);
      return done.apply(this, args);
    };
  for (const name of CHANGES) Object.assign(fs, { [name]: before(name, fs[name] as never) });
  Object.assign(fs.promises, { copyFile: before("copyFile", fs.promises.copyFile as never) });
  syncBuiltinESMExports();
  const { prepare } = SQLite.prototype;
  if (statements) Object.assign(SQLite.prototype, { prepare: before("prepare", prepare as never) });
  process.exitCode = (await call(words)).code;
  process.stdout.write(JSON.stringify(steps));
}

if (import.meta.main) await run(JSON.parse(process.argv[2] ?? ""));
