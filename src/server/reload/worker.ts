import type { SourceState } from "../../nights/pull/source-state.ts";
import { snapshotFile } from "../../snapshot/published/folder.ts";
import { openServed, type Shelf } from "./active-snapshot.ts";
import type { Following } from "./reload.ts";

/** What a primary tells its workers: what to serve, and what is wrong with anything newer. */
export interface Order {
  version: string;
  /** When the pointer was moved to it, in milliseconds since 1970. */
  publishedAt: number | undefined;
  verified: boolean;
  problem: string | undefined;
  source: SourceState | undefined;
}

/** How a worker comes to serve the next snapshot: its primary has checked the file and says so. */
export function followPrimary(data: string, shelf: Shelf): Following {
  const onMessage = (order: Order) => {
    try {
      carryOut(data, shelf, order);
    } catch (error) {
      shelf.report((error as Error).message);
    }
    process.send?.("done");
  };
  process.on("message", onMessage);
  return {
    unfit: new Promise(() => {}),
    stop: async () => void process.off("message", onMessage),
  };
}

function carryOut(data: string, shelf: Shelf, { version, publishedAt, verified, problem, source }: Order) {
  if (source) shelf.heed(source);
  if (version !== shelf.snapshot.head.version) {
    const snapshot = openServed(snapshotFile(data, version), shelf.cache);
    shelf.swap(snapshot, publishedAt === undefined ? undefined : new Date(publishedAt));
  }
  if (verified) shelf.confirm();
  shelf.report(problem);
}
