import cluster from "node:cluster";
import { lockFolder } from "../src/journal/lock.ts";
import { type FollowEvent, follow } from "../src/nights/pull/follow.ts";
import { pull } from "../src/nights/pull/pull.ts";
import { readPointer } from "../src/snapshot/publish.ts";

export interface FollowFlags {
  data: string;
  follow?: URL;
  every: number;
  keep: number;
  get?: string;
}

/** Follows another mirror while the server runs; fetches the first snapshot before it starts. Workers leave it to their primary. */
export async function startFollowing({
  data,
  follow: source,
  every,
  keep,
  get,
}: FollowFlags): Promise<AsyncDisposable> {
  if (!source || get !== undefined || !cluster.isPrimary) return { async [Symbol.asyncDispose]() {} };
  if (!readPointer(data)) {
    using _ = lockFolder(data);
    await pull(source, data, { keep });
  }
  const stop = new AbortController();
  const following = follow(source, data, {
    every,
    keep,
    signal: stop.signal,
    lock: () => lockFolder(data),
    onEvent: (event) => process.stderr.write(`${describe(event)}\n`),
  });
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
    },
  };
}

function describe(event: FollowEvent): string {
  if (event.event === "pulled") return `pulled ${event.version}`;
  return `cannot follow: ${event.message}; again in ${Math.ceil(event.again / 1000)} s`;
}
