/** What a mirror with `--key` serves of a folder in which somebody else writes. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { loadPublicKey } from "../../src/snapshot/signature/key-files.ts";
import { createSignedNights } from "../../src/snapshot/verify/signed-nights.ts";
import { copyOf, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { forgeRecord, makeTampered, repack, sha256, vouchAfter } from "../helpers/tampering.ts";
import { startSource } from "../helpers/upstream/source.ts";

const tampered = await makeTampered();
const { path: signed, first, second, pub, judge, tamperWith } = tampered;
afterAll(() => tampered[Symbol.dispose]());

describe("with a key", () => {
  test.for(tampered.tamperings)("proves nothing that was tampered with: %s", async ([, left, tamper]) => {
    using folder = copyOf(signed);
    const nights = createSignedNights(folder.path, [loadPublicKey(pub)]);
    const proved = async () => {
      const versions = [first, second, tampered.strange];
      for (const version of versions) await nights.prove(version);
      return versions.filter((version) => nights.isProved(version));
    };
    expect(await proved()).toEqual([first, second]);
    await tamper(folder.path);
    expect(await proved()).toEqual(left.map((name) => tampered[name]));
  });

  test("what is in hand and was not signed so is fetched again, and not said to be unchanged", async () => {
    using forged = copyOf(signed);
    using mine = temporaryFolder();
    await vouchAfter(forged.path, repack);
    await using source = await startSource(forged.path);
    const pulled = (...more: string[]) => runCommand("pull", [source.url, "--data", mine.path, ...more]);
    expect((await pulled()).code).toBe(0);
    expect(sha256(readFileSync(fileOf(mine.path)))).not.toBe(pointerOf(signed).sha256);
    source.data = signed;
    const healed = await pulled("--key", pub);
    expect([healed.code, healed.stdout]).toEqual([
      0,
      expect.stringMatching(/ was not what had been published, and is replaced: \S+: has no sig/),
    ]);
    expect(sha256(readFileSync(fileOf(mine.path)))).toBe(pointerOf(signed).sha256);
    expect((await pulled("--key", pub)).code).toBe(2);
    expect((await runCommand("verify", ["--data", mine.path, "--key", pub])).code).toBe(0);
  });

  test("is out of service while it is not what was signed, and its source has nothing better", async () => {
    using mine = copyOf(signed);
    await using source = await startSource(signed);
    const args = ["--data", mine.path, "--key", pub];
    await using mirror = await startServe(["--follow", source.url, "--every", "1s", ...args]);
    await expect.poll(async () => (await judge(mirror.url)).versions.length).toBe(2);
    source.fault = ({ res }) => Boolean(res.writeHead(500).end());
    await tamperWith(mine.path, forgeRecord, "written");
    await expect.poll(() => mirror.log()).toContain('"event":"snapshot-withheld"');
    expect(await judge(mirror.url)).toEqual({ statuses: [503, 503, 503], versions: [] });
    expect((await fetch(`${mirror.url}/ready`)).status).toBe(503);
    // Nothing of the file is on a page either: menu and names come from it.
    for (const [path, status] of [
      ["/tiers", 503],
      ["/heroes/miya", 503],
      ["/nothing", 404],
    ] as const) {
      const page = await fetch(mirror.url + path, { headers: { accept: "text/html" } });
      const text = await page.text();
      expect([path, page.status, page.headers.get("vary")]).toEqual([path, status, "Accept"]);
      expect(text).toMatch(/^<!doctype html>(?!.*(?:<nav|<footer))/s);
    }
    const health = (await (await fetch(`${mirror.url}/health`)).json()) as { data: object };
    expect(health.data).toMatchObject({
      status: "withheld",
      problem: expect.stringMatching(/ is not what was signed$/),
    });
    expect((await fetch(`${mirror.url}/snapshots/${first}/api/heroes`)).status).toBe(200);
    const start = () => runCommand("serve", ["--follow", source.url, "--port", "0", ...args]);
    let refused = await start();
    // The mirror asks its source each second, and nobody else may work in the folder meanwhile.
    while (refused.stderr.includes("working in this folder")) refused = await start();
    const lines = refused.stderr.trimEnd().split("\n");
    expect([refused.code, lines]).toEqual([
      4,
      [expect.stringMatching(/ is not what was signed; \S+ is not served$/), expect.stringContaining("answers 500")],
    ]);
    const alone = await runCommand("serve", ["--get", "/api/heroes", "--data", mine.path, "--key", pub]);
    expect([alone.code, alone.stdout]).toEqual([64, ""]);
    source.fault = () => false;
    await expect.poll(async () => (await judge(mirror.url)).statuses).toEqual([200, 200, 200]);
    expect(mirror.log().match(/"event":"(?!snapshot-replaced)[^\n]*is not what was signed/g)).toHaveLength(1);
  });
});
