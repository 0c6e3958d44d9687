import pLimit from "p-limit";
import type { Purpose } from "../journal/schema.ts";
import { captureSlice } from "./capture.ts";
import type { Progress } from "./progress.ts";
import type { Run } from "./run.ts";

/** Asks for everything in the plan that is not in the journal yet. */
export async function collect(run: Run, purpose: Purpose, concurrency: number, progress: Progress): Promise<void> {
  const slices = run.journal.slices(purpose);
  const missing = slices.filter(({ state }) => state !== "captured");
  if (missing.length === 0) return;
  run.memory.set(run.journal.remembered());
  progress.begin(slices.length, slices.length - missing.length);
  const limit = pLimit(concurrency);
  const tasks = missing.map((stored) =>
    limit(async () => {
      if (run.patience.exhausted()) return;
      progress.advance(!(await captureSlice(stored, run)));
    }),
  );
  // A stop rejects the waiting tasks; those in flight end by themselves and are kept.
  await Promise.allSettled(tasks);
  progress.end();
  run.stop.throwIfAborted();
  await Promise.all(tasks);
}
