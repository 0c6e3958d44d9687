import "./node-version.ts";
import { copyFileSync, createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import SQLite from "better-sqlite3";
import { type Journal, openJournal } from "../src/journal/journal.ts";
import { buildSnapshot } from "../src/snapshot/build.ts";

export interface Figure {
  name: string;
  figure: number;
  /** What it may be at most. */
  budget: number;
  pass: boolean;
}

const ROUNDS = 5;
const MB = 1_000_000;

/** How long a build of this journal takes, against the least that anything could do with it, and how large it is. */
export async function benchBuild(journalFile: string): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "metasnap-bench-"));
  const [copy, table, snapshot] = ["journal", "table", "snapshot"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  copyFileSync(journalFile, copy);
  const journal = openJournal(copy);
  try {
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const plain = await time(table, () => insertBodies(journal, table));
      const build = await time(snapshot, () => buildSnapshot(journal, snapshot));
      ratios.push(build / plain);
    }
    return [
      figure("build: times of reading the same bodies from the journal into one table", median(ratios), 4),
      figure("snapshot: MB", statSync(snapshot).size / MB, 200),
      figure("snapshot as zstd -9: MB", (await compressedSize(snapshot)) / MB, 25),
    ];
  } finally {
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const figure = (name: string, value: number, budget: number): Figure => ({
  name,
  figure: Math.round(value * 100) / 100,
  budget,
  pass: value <= budget,
});

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

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

if (import.meta.main) {
  for (const { name, figure: value, budget, pass } of await benchBuild(process.argv[2] ?? "")) {
    process.stdout.write(`${pass ? "ok    " : "FAILED"} ${name}: ${value} (at most ${budget})\n`);
  }
}
