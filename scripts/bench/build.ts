import { copyFileSync, createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import SQLite from "better-sqlite3";
import { medianOf } from "../../src/extra/nights/diff/statistics/noise.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openJournal } from "../../src/journal/open.ts";
import { lastFinished } from "../../src/journal/runs.ts";
import { buildSnapshot } from "../../src/snapshot/build/build.ts";
import { analystsFileOf } from "../../src/snapshot/published/folder.ts";
import { latestFile } from "../../src/snapshot/published/pointer.ts";
import type { Budget } from "./budget.ts";

const MB = 1_000_000;

export const BUILD_BUDGETS: readonly Budget[] = [
  {
    name: "build, in times of copying the bodies to a table",
    how: "the same journal, in turns",
    cost: "Archive, tables, shape, texts.",
    bound: "≤",
    limit: 7,
    unit: "",
    measure: async ({ data, rounds }) => ({ value: await benchBuild(lastFinished(data), rounds) }),
  },
  {
    name: "whole snapshot",
    how: "133 heroes in 17 languages",
    bound: "≤",
    limit: 210,
    unit: " MB",
    measure: async ({ data }) => ({ value: statSync(latestFile(data)).size / MB }),
  },
  {
    name: "whole snapshot as zstd -9",
    how: "the same, compressed",
    bound: "≤",
    limit: 22,
    unit: " MB",
    measure: async ({ data }) => ({ value: (await compressedSize(latestFile(data))) / MB }),
  },
  {
    name: "analysts' file",
    how: "the same without the archive",
    bound: "≤",
    limit: 60,
    unit: " MB",
    measure: async ({ data }) => ({ value: statSync(analystsFileOf(latestFile(data))).size / MB }),
  },
];

/** Measures a build against reading the same bodies from the journal and inserting them into one table. */
async function benchBuild(journalFile: string, rounds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "metasnap-bench-"));
  const file = join(folder, "made");
  copyFileSync(journalFile, join(folder, "journal"));
  const journal = openJournal(join(folder, "journal"));
  try {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const plain = await time(file, () => insertBodies(journal, file));
      const build = await time(file, () => buildSnapshot(journal, file));
      ratios.push(build / plain);
    }
    return medianOf(ratios);
  } finally {
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function time(file: string, make: () => unknown): Promise<number> {
  rmSync(file, { force: true });
  const started = performance.now();
  await make();
  return performance.now() - started;
}

function insertBodies(journal: Journal, file: string) {
  const db = new SQLite(file);
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.exec("CREATE TABLE body (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT");
  const insert = db.prepare("INSERT INTO body (body) VALUES (?)");
  db.transaction(() => {
    for (const { id } of journal.slices()) for (const page of journal.pages(id)) insert.run(page);
  })();
  db.close();
}

async function compressedSize(file: string): Promise<number> {
  let size = 0;
  const level9 = zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_compressionLevel]: 9 } });
  await pipeline(createReadStream(file), level9, async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) size += chunk.length;
  });
  return size;
}
