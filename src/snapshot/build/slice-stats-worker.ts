import { Worker } from "node:worker_threads";
import { LOADER } from "../../base/processes.ts";
import { programFile } from "../../base/project.ts";
import type { NumberedSlice } from "../schema/row-source.ts";
import type { ArchiveStats, SliceStats } from "./slice-stats.ts";

/** The bodies of a slice, one for each page; none if it was not captured. */
export interface SliceBodies extends NumberedSlice {
  pages: readonly Uint8Array[];
}

/** A StatsCollector in a thread of its own. Every promise rejects once the thread has failed. */
export interface SliceStatsWorker {
  /** Returns the stats of each slice of the batch. Batches must come in the order of the archive; their bytes are copied. */
  add(batch: readonly SliceBodies[]): Promise<SliceStats[]>;
  /** Returns the stats of all slices that were added. The thread ends with it: the rest of a build has its memory. */
  summary(): Promise<ArchiveStats>;
  stop(): Promise<unknown>;
}

/** A message to the thread, which replies in the same order. */
export type StatsRequest = readonly SliceBodies[] | "summary";

/** Starts the thread. Parsing and hashing take as long as filling the file, and run beside it. */
export function startSliceStatsWorker(): SliceStatsWorker {
  const thread = new Worker(programFile("src/snapshot/build/slice-stats-thread.ts"), {
    execArgv: [...LOADER],
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
  });
  const waiting: PromiseWithResolvers<unknown>[] = [];
  let failure: unknown;
  thread.on("message", (reply) => waiting.shift()?.resolve(reply));
  thread.on("error", (error) => {
    failure = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  });

  function request(message: StatsRequest, transfer: ArrayBuffer[] = []): Promise<unknown> {
    const reply = Promise.withResolvers<unknown>();
    // The caller awaits it later; until then a rejection must not count as unhandled.
    reply.promise.catch(() => {});
    if (failure) reply.reject(failure);
    else waiting.push(reply);
    thread.postMessage(message, transfer);
    return reply.promise;
  }

  return {
    add(batch) {
      // A page is a view on a buffer many times its size, all of which would be copied.
      const copies = batch.map(({ pages, ...of }) => ({ ...of, pages: pages.map((page) => new Uint8Array(page)) }));
      const buffers = copies.flatMap(({ pages }) => pages.map(({ buffer }) => buffer));
      return request(copies, buffers) as Promise<SliceStats[]>;
    },
    async summary() {
      const stats = (await request("summary")) as ArchiveStats;
      await thread.terminate();
      return stats;
    },
    stop: () => thread.terminate(),
  };
}
