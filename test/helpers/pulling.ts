import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { type PullOptions, pull } from "../../src/extra/nights/pull/pull.ts";
import { fileOf, published } from "./data-folder.ts";
import type { Fault, FileSource } from "./upstream/source.ts";

/** Two attempts, each of which may take its time on a busy machine. */
export const QUICK: PullOptions = {
  limits: { timeoutMs: 20_000, minBytesPerSecond: 2000, maxAttempts: 2 },
};

export const pullFrom = (source: FileSource, data: string, options: PullOptions = {}) =>
  pull(new URL(source.url), data, { ...QUICK, ...options });

/** A fault of the plain file. The source then seems to have no compressed copy. */
export const plainFile =
  (fault: Fault): Fault =>
  (exchange) => {
    if (exchange.path.endsWith(".zst")) return Boolean(exchange.res.writeHead(404).end());
    return exchange.path.endsWith(".sqlite") && fault(exchange);
  };

/** Breaks the connection off once so many bytes have reached the disk of the puller. */
export function breakOff(res: ServerResponse, folder: string, size: number) {
  const arrived = () =>
    published(folder).some((name) => name.endsWith(".part") && statSync(join(folder, "snapshots", name)).size >= size);
  const timer = setInterval(() => {
    if (!arrived()) return;
    clearInterval(timer);
    res.destroy();
  }, 5);
}

/** Lets what is in hand say that it has a hundred heroes, most of which the source has lost. Returns how to make it good again. */
export function pretendLoss(data: string): () => void {
  const pointer = join(data, "latest.json");
  const before = readFileSync(pointer, "utf8");
  const { counts, ...rest } = JSON.parse(before);
  writeFileSync(pointer, JSON.stringify({ ...rest, counts: { ...counts, heroes: 100 } }));
  // What a file holds is believed rather than its pointer.
  const file = fileOf(data);
  renameSync(file, `${file}.away`);
  return () => {
    renameSync(`${file}.away`, file);
    writeFileSync(pointer, before);
  };
}
