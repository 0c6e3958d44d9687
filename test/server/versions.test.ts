import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { openLatest } from "../../src/server/reload/reload.ts";
import { createVersions } from "../../src/server/reload/versions.ts";
import { createCache } from "../../src/server/response/cache.ts";
import { copyOfFirst, fewNights } from "../helpers/few-nights.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { temporaryFolder } from "../helpers/run.ts";

describe("published versions", () => {
  const { versions } = fewNights;
  const folder = copyOfFirst(3);
  afterAll(() => folder[Symbol.dispose]());

  test("are checked one after another", async () => {
    let [checking, most] = [0, 0];
    const pinned = createVersions({
      data: folder.path,
      cache: createCache(1024 * 1024),
      verifyFile: async () => {
        checking += 1;
        most = Math.max(most, checking);
        await sleep(20);
        checking -= 1;
      },
    });
    const handles = await Promise.all(versions.map((version) => pinned.open(version)));
    expect(handles.map(({ version }) => version)).toEqual(versions);
    expect(most).toBe(1);
    pinned.close();
  });

  test("with a damaged manifest are left out, and cost nobody else anything", async () => {
    const [damaged = "", ...others] = versions;
    const manifest = join(folder.path, "snapshots", `${damaged}.json`);
    const whole = readFileSync(manifest);
    await using mirror = await startFollowing(folder.path);
    const { headers } = await fetch(`${mirror.url}/snapshots/latest.json`);
    for (const text of ["{", "{}", "", "null", readFileSync(manifest.replace(damaged, others[0] ?? ""), "utf8")]) {
      writeFileSync(manifest, text);
      const list = (await (await fetch(`${mirror.url}/snapshots/`)).json()) as {
        data: { records: { version: string }[] };
      };
      expect(list.data.records.map(({ version }) => version)).toEqual(others.toReversed());
      for (const path of [".json", ".sqlite", "/api/heroes"]) {
        const answer = await fetch(`${mirror.url}/snapshots/${damaged}${path}`);
        expect([path, answer.status]).toEqual([path, 404]);
        await answer.arrayBuffer();
      }
      expect((await fetch(`${mirror.url}/snapshots/latest.json`)).headers.get("etag")).toBe(headers.get("etag"));
    }
    writeFileSync(manifest, whole);
    expect(mirror.faults).toEqual([]);
  });

  test("are not looked for in a pointer that is no file of a pointer's size", () => {
    using other = temporaryFolder();
    mkdirSync(join(other.path, "snapshots"));
    const pointer = join(other.path, "latest.json");
    for (const make of [
      () => symlinkSync("/dev/zero", pointer),
      () => mkdirSync(pointer),
      () => writeFileSync(pointer, " ".repeat(5 * 1024 * 1024)),
    ]) {
      make();
      expect(() => openLatest(other.path)).toThrow(/latest\.json: is not a pointer of metasnap/);
      rmSync(pointer, { recursive: true });
    }
  });
});
