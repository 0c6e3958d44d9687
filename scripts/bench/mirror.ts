import { commandLine } from "../cli/command-line.cjs";
import type { Bench, Figure } from "./budget.ts";
import { askAll } from "./load/answers.ts";
import { openQueries } from "./load/queries.ts";
import { residentMegabytes, startProgram } from "./process.ts";

export const startMirror = ({ data }: Bench, options: string[] = []) =>
  startProgram([...commandLine("serve"), "--data", data, "--port", "0", ...options], /serving \S+ on (\S+),/);

/** Megabytes of a mirror that was asked for every slice. */
export async function measureMemory(bench: Bench): Promise<Figure> {
  const mirror = await startMirror(bench);
  try {
    await askAll(mirror.found, openQueries(bench.data).everySlice(), () => {});
    return { value: residentMegabytes(mirror.child.pid ?? 0) };
  } finally {
    await mirror.stop();
  }
}
