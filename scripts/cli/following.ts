import cluster from "node:cluster";
import { lockFolder } from "../../src/journal/lock.ts";
import { type FollowEvent, follow } from "../../src/nights/pull/follow.ts";
import { PATIENCE, pull } from "../../src/nights/pull/pull.ts";
import type { SourceState } from "../../src/nights/pull/watch.ts";
import type { Log } from "../../src/server/operate/log.ts";
import { readPointer } from "../../src/snapshot/published/pointer.ts";

export interface FollowFlags {
  data: string;
  follow?: URL;
  every: number;
  pullTime: number;
  frozenAfter: number;
  keep: number;
  allowOlder: boolean;
  maxLoss: number;
  allowPartial: boolean;
  get?: string;
}

/** A source that is followed. */
export interface Followed extends AsyncDisposable {
  /** Tells how it stands, now and whenever that changes. */
  watch(listener: (state: SourceState) => void): void;
}

/**
 * Follows another mirror while the server runs; fetches the first snapshot before it starts. What is pulled is served as
 * whatever is published here is. Workers leave it to their primary.
 */
export async function startFollowing(flags: FollowFlags, log: Log): Promise<Followed | undefined> {
  const { data, follow: source, every, frozenAfter, keep, allowOlder, maxLoss, allowPartial } = flags;
  if (!source || !cluster.isPrimary) return undefined;
  const pulling = { keep, allowOlder, maxLoss, allowPartial, patience: { ...PATIENCE, total: flags.pullTime } };
  if (!readPointer(data)) {
    using _ = lockFolder(data);
    await pull(source, data, pulling);
  }
  const stop = new AbortController();
  const state = createState();
  const following = follow(source, data, {
    ...pulling,
    every,
    frozenAfter,
    signal: stop.signal,
    lock: () => lockFolder(data),
    onEvent: (event) => tell(event, log),
    onState: state.set,
  });
  return {
    watch: state.watch,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
    },
  };
}

/** The first look may be over before anybody listens. */
function createState() {
  let last: SourceState | undefined;
  let listen = (_: SourceState) => {};
  return {
    set(state: SourceState) {
      last = state;
      listen(state);
    },
    watch(listener: (state: SourceState) => void) {
      listen = listener;
      if (last) listener(last);
    },
  };
}

function tell(told: FollowEvent, log: Log) {
  if (told.event === "pulled") log.info?.("pulled", { version: told.version });
  else if (told.event === "older") log.error?.("source-older", { version: told.version, in_hand: told.inHand });
  else if (told.event === "frozen") log.error?.("source-frozen", { version: told.version, since: told.since });
  else log.error?.("cannot-follow", { problem: told.message, again: Math.ceil(told.again / 1000) });
}
