import { type FollowEvent, followSource } from "../../src/extra/nights/pull/follow.ts";
import { createPullProgress } from "../../src/extra/nights/pull/progress.ts";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import type { SourceState } from "../../src/network/source-state.ts";
import type { ServerLog } from "../../src/server/operate/log.ts";
import type { SignedNights } from "../../src/snapshot/verify/signed-nights.ts";
import { lockToPublish } from "./folder.ts";
import { io } from "./io.ts";
import { NOT_KEPT, type PublicKeys } from "./options/keys.ts";

export interface FollowFlags {
  data: string;
  follow?: URL;
  key?: PublicKeys;
  contact?: string;
  every: number;
  pullTime: number;
  frozenAfter: number;
  keep: number;
  allowOlder: boolean;
  maxLoss: number;
  get?: string;
}

/** A source that is followed. */
export interface Followed extends AsyncDisposable {
  /** Ends the wait for the next poll. */
  hurry(): void;
  /** Calls the listener with the state of the source, now and whenever it changes. */
  watch(listener: (state: SourceState) => void): void;
}

/** Follows another mirror while the server runs. Snapshots that are pulled are served like those that are published here. */
export async function startFollowing(
  source: URL,
  flags: FollowFlags,
  log: ServerLog,
  signed: SignedNights | undefined,
  /** True to fetch one before anything is served, unless `signal` ends that. */
  { isFirst, signal }: { isFirst: boolean; signal: AbortSignal },
): Promise<Followed> {
  const { data, every, frozenAfter } = flags;
  const { contact, keep, allowOlder, maxLoss } = flags;
  const progress = createPullProgress(io().stdout);
  const limits = { totalMs: flags.pullTime };
  const pulling = { signed, contact, keep, allowOlder, maxLoss, limits, onProgress: progress.tell };
  if (isFirst) {
    using _ = lockToPublish(data);
    using _ended = progress;
    await pull(source, data, { ...pulling, signal });
  }
  const stop = new AbortController();
  const state = createState();
  let waking = new AbortController();
  const following = followSource(source, data, {
    ...pulling,
    intervalMs: every,
    frozenAfterMs: frozenAfter,
    signal: stop.signal,
    hurry: () => waking.signal,
    lock: () => lockToPublish(data),
    onEvent(event) {
      progress.end();
      tell(event, log);
    },
    onState: state.set,
  });
  return {
    watch: state.watch,
    hurry() {
      waking.abort();
      waking = new AbortController();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
    },
  };
}

/** Makes the state, which is kept as the first poll may be over before anybody listens. */
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

function tellPulled({ version, unsigned, corrupt }: Extract<FollowEvent, { event: "pulled" }>, log: ServerLog) {
  log.info?.("pulled", { version });
  if (corrupt) log.error?.("snapshot-replaced", { version: corrupt.version, problem: corrupt.reason });
  if (unsigned) log.error?.("signature-not-kept", { version, problem: NOT_KEPT });
}

function tell(event: FollowEvent, log: ServerLog) {
  if (event.event === "pulled") tellPulled(event, log);
  else if (event.event === "older") log.error?.("source-older", { version: event.version, in_hand: event.inHand });
  else if (event.event === "frozen") log.error?.("source-frozen", { version: event.version, since: event.since });
  else log.error?.("cannot-follow", { problem: event.message, again: Math.ceil(event.retryMs / 1000) });
}
