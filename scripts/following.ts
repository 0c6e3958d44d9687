import cluster from "node:cluster";
import { lockFolder } from "../src/journal/lock.ts";
import { type FollowEvent, follow } from "../src/nights/pull/follow.ts";
import { pull } from "../src/nights/pull/pull.ts";
import type { Log } from "../src/server/log.ts";
import { readPointer } from "../src/snapshot/pointer.ts";

export interface FollowFlags {
  data: string;
  follow?: URL;
  every: number;
  keep: number;
  get?: string;
}

/**
 * Follows another mirror while the server runs; fetches the first snapshot before it starts. What is pulled is served as
 * whatever is published here is. Workers leave it to their primary.
 */
export async function startFollowing(flags: FollowFlags, log: Log): Promise<AsyncDisposable> {
  const { data, follow: source, every, keep } = flags;
  if (!source || !cluster.isPrimary) return { async [Symbol.asyncDispose]() {} };
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
    onEvent: (event) => tell(event, log),
  });
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
    },
  };
}

function tell(event: FollowEvent, log: Log) {
  if (event.event === "pulled") log.info?.("pulled", { version: event.version });
  else log.error?.("cannot-follow", { problem: event.message, again: Math.ceil(event.again / 1000) });
}
