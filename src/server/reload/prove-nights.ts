import { Failure } from "../../api/failure.ts";
import { listVersions } from "../../snapshot/published/folder.ts";
import type { SignedNights } from "../../snapshot/verify/signed-nights.ts";
import type { ServerLog } from "../operate/log.ts";
import type { ActiveSnapshot } from "./active-snapshot.ts";

export interface ProverOptions {
  data: string;
  signed: SignedNights;
  /** Its problem is told elsewhere. */
  active: ActiveSnapshot;
  log: ServerLog;
  onProved: () => void;
}

/** How long a change that the system does not tell may be served. */
const AGAIN_MS = 3_600_000;

/**
 * Proves all nights of the folder, one after another, each time it is called: one that is not proved is told of once. All are proved
 * again every hour.
 */
export function createProver({ data, signed, active, log, onProved }: ProverOptions): () => Promise<void> {
  const told = new Map<string, string>();
  let proving: Promise<void> | undefined;

  async function proveAll() {
    const unproved = listVersions(data).filter((version) => !signed.isProved(version));
    for (const version of unproved.toReversed()) {
      const proof = await signed.prove(version);
      const problem = proof instanceof Failure ? proof.message : "";
      const isServed = version === active.snapshot.head.version;
      const isTold = isServed || problem === active.problem || problem === told.get(version);
      if (problem !== "" && !isTold) log.error?.("night-not-served", { version, problem });
      told.set(version, problem);
    }
    if (unproved.some(signed.isProved)) onProved();
  }

  /** A folder that cannot be looked at may be there the next time. */
  const tolerate = (work: () => Promise<void>) =>
    work().catch((error: Error) => log.error?.("nights-not-proved", { problem: error.message }));

  const prove = () => {
    proving ??= tolerate(proveAll).finally(() => {
      proving = undefined;
    });
    return proving;
  };
  setInterval(() => void tolerate(signed.proveAgain).then(prove), AGAIN_MS).unref();
  return prove;
}
