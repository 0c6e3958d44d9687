import { Worker } from "node:worker_threads";
import type { Slice } from "../../api/endpoint.ts";
import type { Finding, Summary } from "./slice-stats.ts";

/** The bodies of a slice, by page; none when it was not captured. */
export interface Bodies {
  slice: Slice;
  pages: readonly Uint8Array[];
}

export type Finder = ReturnType<typeof startFinder>;

/**
 * Makes findings in a thread of its own, while the caller fills the file: parsing and hashing take as long as the inserts.
 * Answers come in the order of the questions.
 */
export function startFinder() {
  const thread = new Worker(new URL("./slice-stats-thread.ts", import.meta.url), {
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
  });
  const waiting: PromiseWithResolvers<unknown>[] = [];
  let failure: unknown;
  thread.on("message", (answer) => waiting.shift()?.resolve(answer));
  thread.on("error", (error) => {
    failure = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  });

  function ask(question: readonly Bodies[] | "summary", handedOver: ArrayBuffer[] = []): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    // Whoever asked may be busy when it fails, and looks at it later.
    answer.promise.catch(() => {});
    if (failure) answer.reject(failure);
    else waiting.push(answer);
    thread.postMessage(question, handedOver);
    return answer.promise;
  }

  function find(batch: readonly Bodies[]): Promise<Finding[]> {
    // A page is a view on a buffer many times its size, all of which would be copied.
    const own = batch.map(({ slice, pages }) => ({ slice, pages: pages.map((page) => new Uint8Array(page)) }));
    const buffers = own.flatMap(({ pages }) => pages.map(({ buffer }) => buffer));
    return ask(own, buffers) as Promise<Finding[]>;
  }

  return {
    find,
    summarise: () => ask("summary") as Promise<Summary>,
    stop: () => thread.terminate(),
  };
}
