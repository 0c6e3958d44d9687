/** What `/data` says of the snapshot, of published files and of the crawl, against manifests and files. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hashFile } from "../../src/base/files.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { makeAnalystsFile } from "../../src/snapshot/build/analysts-file.ts";
import { compressedPath, compressFile } from "../../src/snapshot/published/companions.ts";
import { analystsFileOf } from "../../src/snapshot/published/folder.ts";
import { copyOf, fileOf, manifestFileOf, manifestOf, pointerOf } from "../helpers/data-folder.ts";
import { attributeOf, type Element, elementsOf, faultsOfDocument, numberIn, rowsOf, tableOf } from "../helpers/html.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { openPage } from "../helpers/people.ts";
import { runCommand } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const nights = world.nights;
const pages = createPages({ pictures: false });

const linkIn = (cell: Element | undefined) => attributeOf(cell && elementsOf(cell, "a")[0], "href");

test("the page of the proof has the coverage of the file, and size and hash of the manifest", async () => {
  await using mirror = await startFollowing(world.data, { pages });
  const document = await openPage(mirror, "/data");
  const covered = queryFile<Record<string, number | string>>(
    world.snapshot,
    `SELECT dataset, count(*) AS slices, sum(status = 'captured') AS captured, sum(status = 'empty') AS empty,
            sum(status = 'failed') AS failed, sum(records) AS records, count(DISTINCT lang) AS langs
     FROM coverage GROUP BY dataset ORDER BY dataset`,
  );
  const rows = rowsOf(tableOf(document, "By endpoint"));
  expect(rows.map(([head, ...cells]) => [head?.text, ...cells.map(numberIn)])).toEqual(
    covered.map((row) => Object.values(row)),
  );
  const pointer = (await (await fetch(`${mirror.url}/snapshots/latest.json`)).json()) as Record<string, unknown>;
  const [sqlite] = rowsOf(tableOf(document, "This snapshot"));
  expect(numberIn(sqlite?.[2])).toBe(pointer.size);
  expect(sqlite?.[3]?.text).toBe(pointer.sha256);
  const flaws = queryFile<{ lang: string; texts: number; missing: number }>(
    world.snapshot,
    "SELECT lang, sum(texts) AS texts, sum(missing) AS missing FROM text_quality GROUP BY lang",
  );
  for (const [lang, texts, missing] of rowsOf(tableOf(document, "By language, over all"))) {
    const row = flaws.find((one) => one.lang === lang?.text);
    expect([numberIn(texts), numberIn(missing)]).toEqual([row?.texts ?? 0, row?.missing ?? 0]);
  }
  expect(document.text).toContain("Complete: all 29,150 answers are here");
});

describe("the downloads", () => {
  test("are all files of the snapshot with their sizes and hashes, and all other snapshots", async () => {
    using copy = copyOf(nights.data);
    const { version } = pointerOf(copy.path);
    const file = fileOf(copy.path);
    const compressed = await compressFile(file, compressedPath(file));
    const analysts = await makeAnalystsFile(file, analystsFileOf(file));
    writeFileSync(manifestFileOf(copy.path), JSON.stringify({ ...manifestOf(copy.path), compressed, analysts }));
    await using mirror = await startFollowing(copy.path, { pages });
    const document = await openPage(mirror, "/data");
    expect(faultsOfDocument(document)).toEqual([]);
    const rows = rowsOf(tableOf(document, "This snapshot"));
    const base = `/snapshots/${version}`;
    const paths = [
      `${base}.sqlite`,
      `${base}.sqlite.zst`,
      `${base}.analysts.sqlite`,
      `${base}/changes.json`,
      `${base}.json`,
    ];
    expect(rows.map(([cell]) => linkIn(cell))).toEqual(paths);
    for (const [cell, , size, sha256] of rows) {
      const path = linkIn(cell) ?? "";
      const body = Buffer.from(await (await fetch(mirror.url + path)).arrayBuffer());
      expect(numberIn(size), path).toBe(body.length);
      const local = join(copy.path, path.replace("/changes.json", ".changes.json"));
      expect([statSync(local).size, await hashFile(local)], path).toEqual([body.length, sha256?.text]);
    }
    const others = rowsOf(tableOf(document, "The last published first"));
    expect(others.map(([cell]) => linkIn(cell))).toEqual(
      nights.versions.toReversed().map((one) => `/snapshots/${one}.sqlite`),
    );
    expect(others.map((cells) => cells[3]?.text)).toEqual(
      nights.versions.toReversed().map((one) => manifestOf(copy.path, one).sha256),
    );
    expect(others.map((cells) => cells[5]?.text)).toEqual(["served", "–", "–"]);
    expect((await runCommand("rollback", ["--data", copy.path])).code).toBe(0);
    const states = async () =>
      rowsOf(tableOf(await openPage(mirror, "/data"), "The last published first")).map((cells) => cells[5]?.text);
    await expect.poll(states).toEqual(["withdrawn", "served", "–"]);
  });
});

describe("the crawl report", () => {
  test("is that of the manifest", async () => {
    using copy = copyOf(nights.data);
    const manifest = manifestOf(copy.path);
    const hostile = `<script>alert(1)</script>"\u202e${"x".repeat(500)}`;
    const crawl = { ...manifest.crawl, failed_attempts: 7, faults: { "server-error": 3, [hostile]: 4 } };
    const drift = [{ dataset: "hero", path: hostile, before: "text", now: "number", count: 2, needed: false }];
    writeFileSync(manifestFileOf(copy.path), JSON.stringify({ ...manifest, crawl, drift }));
    await using mirror = await startFollowing(copy.path, { pages });
    const document = await openPage(mirror, "/data");
    expect(faultsOfDocument(document)).toEqual([]);
    const reasons = rowsOf(tableOf(document, "Failed attempts by reason"));
    expect(reasons.map(([, found]) => numberIn(found))).toEqual([3, 4]);
    expect(reasons[0]?.[0]?.text).toBe("server-error");
    const hosts = rowsOf(tableOf(document, "Answers by host"));
    expect(hosts.map(([host, found]) => [host?.text, numberIn(found)])).toEqual(Object.entries(manifest.crawl.hosts));
    const [drifted] = rowsOf(tableOf(document, "Fields of other types"));
    expect(drifted?.map(({ text }) => text).filter((_, place) => place !== 1)).toEqual(["hero", "text", "number", "2"]);
    expect(document.text).toContain("The crawl");
    expect(mirror.faults).toEqual([]);
  });

  test.for([
    ["nothing", (manifest: object) => ({ ...manifest, crawl: undefined })],
    ["something else", (manifest: object) => ({ ...manifest, crawl: "soon", drift: 1, stale: {} })],
  ] as const)("is left out where the manifest says %s", async ([, edit]) => {
    using copy = copyOf(nights.data);
    writeFileSync(manifestFileOf(copy.path), JSON.stringify(edit(manifestOf(copy.path))));
    await using mirror = await startFollowing(copy.path, { pages });
    const document = await openPage(mirror, "/data");
    expect(document.text).not.toContain("The crawl");
    expect(document.text).toContain("Downloads");
    expect(mirror.faults).toEqual([]);
  });
});
