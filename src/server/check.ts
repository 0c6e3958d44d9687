import { type ChildProcess, fork } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../api/failure.ts";
import type { Promised } from "../snapshot/check.ts";

export interface Task {
  file: string;
  promised: Promised;
}

export type Check = (file: string, promised: Promised) => Promise<void>;

const HINT = "serve another snapshot, or build it again with `npm run build`";
const PROGRAM = join(import.meta.dirname, "check-process.ts");

/** Files that have passed; as long as they lie there unchanged, they need not be read again. */
const passed = new Set<string>();

/** Checks a published file without holding up requests. Rejects with the reason why it must not be served. */
export const checkAside: Check = async (file, promised) => {
  const key = `${file} ${identify(file)} ${promised.sha256}`;
  if (passed.has(key)) return;
  const problem = await ask({ file, promised: pick(promised) });
  if (problem !== null) throw new Failure(EXIT.usage, problem, HINT);
  passed.add(key);
};

/** Tells one file under a name from the next. */
export function identify(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.ino}:${found.size}:${found.mtimeNs}` : "none";
}

const pick = ({ version, content_hash, sha256, size }: Promised): Promised => ({ version, content_hash, sha256, size });

const children = new Set<ChildProcess>();
// A server that stops does not wait for them.
process.once("exit", () => {
  for (const child of children) child.kill();
});

function ask(task: Task): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = fork(PROGRAM, [JSON.stringify(task)], {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    child.once("message", (answer) => resolve((answer as { problem: string | null }).problem));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${task.file}: cannot be checked, the check ended with ${code}`)));
    children.add(child);
    child.once("exit", () => children.delete(child));
    child.unref();
    child.channel?.unref();
  });
}
