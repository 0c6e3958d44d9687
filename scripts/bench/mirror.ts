import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "undici";
import { medianOf } from "../../src/extra/nights/diff/statistics/noise.ts";
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

/** Half an hour of a busy mirror, twenty requests a second. */
const HALF_AN_HOUR = 36_000;

/** Megabytes of a mirror that half an hour of requests adds, after a sixth of them has filled what is kept. */
export async function measureGrowth(bench: Bench): Promise<Figure> {
  const mirror = await startMirror(bench);
  try {
    const queries = openQueries(bench.data);
    const paths = [...queries.heroes(2000), ...queries.lists(1000)];
    const ask = (count: number) =>
      askAll(
        mirror.found,
        Array.from({ length: count }, (_, index) => paths[index % paths.length] ?? ""),
        () => {},
      );
    await ask(HALF_AN_HOUR / 6);
    const before = residentMegabytes(mirror.child.pid ?? 0);
    await ask(HALF_AN_HOUR);
    return { value: residentMegabytes(mirror.child.pid ?? 0) - before };
  } finally {
    await mirror.stop();
  }
}

/** The time from start to first answer, in those of a Node that does nothing. */
export async function measureStart(bench: Bench): Promise<Figure> {
  const [path = ""] = openQueries(bench.data).heroes(1);
  const starts: number[] = [];
  const nothings: number[] = [];
  for (let round = 0; round < 4 * bench.rounds; round += 1) {
    const begun = performance.now();
    const mirror = await startMirror(bench);
    const { body } = await request(mirror.found + path);
    await body.text();
    starts.push(performance.now() - begun);
    await mirror.stop();
    const before = performance.now();
    await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
    nothings.push(performance.now() - before);
  }
  return { value: medianOf(starts) / medianOf(nothings) };
}
