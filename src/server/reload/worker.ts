import type { SourceState } from "../../nights/pull/source-state.ts";
import { snapshotFile } from "../../snapshot/published/folder.ts";
import { type ActiveSnapshot, openForServing } from "./active-snapshot.ts";
import type { SnapshotUpdates } from "./reload.ts";

/** The message from a primary to its workers: what to serve, and what is wrong with anything newer. */
export interface WorkerState {
  version: string;
  /** When the pointer was moved to it, in milliseconds since 1970. */
  publishedAtMs: number | undefined;
  verified: boolean;
  problem: string | undefined;
  source: SourceState | undefined;
}

/** Applies what the primary sends; it has verified the file. */
export function followPrimary(data: string, active: ActiveSnapshot): SnapshotUpdates {
  const onMessage = (state: WorkerState) => {
    try {
      applyState(data, active, state);
    } catch (error) {
      active.setProblem((error as Error).message);
    }
    process.send?.("done");
  };
  process.on("message", onMessage);
  return {
    corrupt: new Promise(() => {}),
    stop: async () => void process.off("message", onMessage),
  };
}

function applyState(data: string, active: ActiveSnapshot, state: WorkerState) {
  const { version, publishedAtMs, verified, problem, source } = state;
  if (source) active.setSource(source);
  if (version !== active.snapshot.head.version) {
    const snapshot = openForServing(snapshotFile(data, version), active.cache);
    active.swap(snapshot, publishedAtMs === undefined ? undefined : new Date(publishedAtMs));
  }
  if (verified) active.markVerified();
  active.setProblem(problem);
}
