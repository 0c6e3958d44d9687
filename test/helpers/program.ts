import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

/** How each reads a program from its arguments. */
const ARGUMENTS = { sh: ["-c"], python3: ["-c"], node: ["--input-type=module-typescript", "-e"] } as const;

/** Runs the text as a program and tells what it prints; rejects where that fails. */
export async function runProgram(program: keyof typeof ARGUMENTS, text: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...ARGUMENTS[program], text]);
  return stdout;
}

export const isInstalled = (name: string): boolean =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));

/** A Python that has these modules; on a machine with several that of Debian may be the one. */
export const findPython = (...modules: string[]): string | undefined =>
  ["python3", "/usr/bin/python3"].find(
    (program) => spawnSync(program, ["-c", `import ${modules.join()}`]).status === 0,
  );
