import type { SourceState } from "../../nights/pull/source-state.ts";
import { snapshotFile } from "../../snapshot/published/folder.ts";
import { type Proofs, type ProvedNights, provedElsewhere } from "../../snapshot/verify/signed-nights.ts";
import { type ActiveSnapshot, openForServing } from "./active-snapshot.ts";
import { SERVED_PROOF_ENV, SERVED_VERSION_ENV, type SnapshotUpdates } from "./reload.ts";

/** The message from a primary to its workers: what to serve, and what is wrong with anything newer. */
export interface WorkerState {
  version: string;
  /** When the pointer was moved to it, in milliseconds since 1970. */
  publishedAtMs: number | undefined;
  verified: boolean;
  problem: string | undefined;
  withheld: boolean;
  /** When the primary began to serve it: then its file was another one than before, perhaps of the same name. */
  loadedAtMs: number;
  /** What the primary has proved, if clients get nothing else. */
  proofs: Proofs | undefined;
  source: SourceState | undefined;
}

/** What the primary of this process has proved. */
export interface ToldProofs extends ProvedNights {
  set(proofs: Proofs): void;
}

/** Knows at first only what the primary tells a new worker. */
export function createToldProofs(data: string): ToldProofs {
  let told: Proofs = { [process.env[SERVED_VERSION_ENV] ?? ""]: process.env[SERVED_PROOF_ENV] ?? "" };
  return {
    ...provedElsewhere(data, () => told),
    set(proofs) {
      told = proofs;
    },
  };
}

/** Applies what the primary sends; it has verified the file. Until then a file that has to be proved is withheld if it is not. */
export function followPrimary(data: string, active: ActiveSnapshot, proved?: ToldProofs): SnapshotUpdates {
  let loadedAtMs = 0;
  active.setProblem(undefined, proved?.isProved(active.snapshot.head.version) === false);
  const onMessage = (state: WorkerState) => {
    try {
      if (state.proofs) proved?.set(state.proofs);
      applyState(data, active, state, state.loadedAtMs !== loadedAtMs);
      loadedAtMs = state.loadedAtMs;
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

function applyState(data: string, active: ActiveSnapshot, state: WorkerState, isOther: boolean) {
  const { version, publishedAtMs, verified, problem, withheld, source } = state;
  if (source) active.setSource(source);
  if (isOther) {
    const snapshot = openForServing(snapshotFile(data, version), active.cache);
    active.swap(snapshot, publishedAtMs === undefined ? undefined : new Date(publishedAtMs));
  }
  if (verified) active.markVerified();
  active.setProblem(problem, withheld);
}
