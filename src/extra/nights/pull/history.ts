import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { openStage, type Stage } from "../../../base/release.ts";
import { companionOf, DEFAULT_KEEP, snapshotFile, snapshotFolder } from "../../../snapshot/published/folder.ts";
import type { SignedNights } from "../../../snapshot/verify/signed-nights.ts";
import { historyFile } from "../history/open.ts";
import { checkReceived } from "../history/published.ts";
import type { Client } from "./client.ts";
import { isSourceRefused } from "./errors.ts";
import { decompress, downloadIfFound, draftIn, removeDrafts } from "./fetch.ts";
import type { DownloadLimits } from "./limits.ts";
import { fetchPast, type RemoteNight } from "./past.ts";
import { MAX_SNAPSHOT_BYTES, urlOf } from "./remote.ts";

/**
 * The most times that a history may grow: one that becomes larger, and larger than a snapshot may be, is a bomb. Real ones grow four times.
 */
const MAX_GROWTH = 20;

export interface PullHistory {
  /** Called with the file, and the night that it was published beside. */
  onFetched: (file: string, version: string) => void;
  /** Called if the source has none, or one that is refused; the nights are taken anyway. */
  onRefused: (reason: string) => void;
}

interface HistoryFetching {
  signed?: SignedNights | undefined;
  onProgress?: ((step: { step: "download"; version: string; bytes: number; total: number }) => void) | undefined;
}

/**
 * Puts the newest history of a source into a data folder that has none, and is locked for it. Rejects as `download` does; a history that
 * cannot be taken is told of.
 */
export async function pullHistory(
  client: Client,
  readLatest: () => Promise<RemoteNight>,
  data: string,
  limits: DownloadLimits,
  { onFetched, onRefused }: PullHistory,
  { signed, onProgress = () => {} }: HistoryFetching,
): Promise<void> {
  const file = historyFile(data);
  // Opening it clears what a killed run has left.
  using stage = openStage(data, basename(file));
  try {
    if (!existsSync(file)) {
      const latest = await readLatest();
      const version = await fetchHistory(client, latest, data, stage, limits, signed, (version, bytes, total) =>
        onProgress({ step: "download", version, bytes, total }),
      );
      if (version === undefined) onRefused("the source publishes no history");
      else onFetched(file, version);
    }
  } catch (error) {
    if (!isSourceRefused(error)) throw error;
    onRefused(error.message);
  }
  removeDrafts(data);
}

/**
 * Fetches the newest history that a source has, and puts it into a data folder that has none, and is locked for it. Resolves to the night
 * that it lay beside; undefined if the source has none. Rejects as `download` does, and with a Failure for usage if it is refused.
 */
async function fetchHistory(
  client: Client,
  latest: RemoteNight,
  data: string,
  stage: Stage,
  limits: DownloadLimits,
  signed: SignedNights | undefined,
  onBytes: (version: string, bytes: number, total: number) => void,
): Promise<string | undefined> {
  const file = historyFile(data);
  for await (const { remote, documents } of backFrom(client, latest, signed)) {
    const { version } = remote.pointer;
    const { history } = documents.manifest;
    if (!history) continue;
    const name = basename(companionOf(snapshotFile(data, version), "history"));
    const part = join(snapshotFolder(data), `${basename(draftIn(data, version))}.history.part`);
    const listed = {
      ...history,
      url: urlOf(remote.folder, name),
      onBytes: (bytes: number) => onBytes(version, bytes, history.size),
    };
    // Only the newest stays, and a mirror need not have what its source had.
    if (!(await downloadIfFound(client, listed, part, limits))) continue;
    const draft = stage.draft(basename(file));
    await decompress(part, draft, Math.max(history.size * MAX_GROWTH, MAX_SNAPSHOT_BYTES), name);
    checkReceived(draft, data);
    stage.release([[{ file, draft }]]);
    return version;
  }
  return undefined;
}

/** Yields the latest night of a source, and those before it, as many as it keeps by default. */
async function* backFrom(client: Client, latest: RemoteNight, signed: SignedNights | undefined) {
  let night: RemoteNight | undefined = latest;
  for (let count = 0; night && count < DEFAULT_KEEP; count++) {
    yield night;
    const { follows }: RemoteNight["documents"]["manifest"] = night.documents.manifest;
    night = follows ? await fetchPast(client, latest, follows, signed) : undefined;
  }
}
