import { rmSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "../journal/journal.ts";
import { buildSnapshot } from "./build.ts";
import { type Publication, publish, snapshotFolder } from "./publish.ts";

/** Everything between a finished journal and the pointer. */
export async function buildAndPublish(
  journalFile: string,
  data: string,
  { latest }: { latest: boolean },
): Promise<Publication> {
  // One fixed name: what a killed build left behind is overwritten by the next one.
  const draft = join(snapshotFolder(data), ".next.sqlite");
  rmSync(draft, { force: true });
  const journal = openJournal(journalFile);
  try {
    buildSnapshot(journal, draft);
    return await publish(draft, data, { latest, report: journal.report() });
  } finally {
    journal.close();
    rmSync(draft, { force: true });
  }
}
