import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { copyOf, pointerOf } from "../helpers/data-folder.ts";
import { createRandom } from "../helpers/random.ts";
import { runCommand } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { signatureFileOf } from "../helpers/signed.ts";
import { besideOf, type Listed, makeTampered } from "../helpers/tampering.ts";
import { startSource } from "../helpers/upstream/source.ts";

const tampered = await makeTampered();
const { path: signed, first, second, pub, judge, tamperWith } = tampered;
afterAll(() => tampered[Symbol.dispose]());

const startOf = (text: string, line: number) => text.split("\n").slice(0, line).join("\n").length + 1;

describe("a mirror with a key", () => {
  test.for(tampered.tamperings)("serves nothing of a folder that was tampered with: %s", async ([, , tamper]) => {
    using mine = copyOf(signed);
    using later = copyOf(signed);
    await tamper(mine.path);
    await using source = await startSource(signed);
    const more = ["--key", pub, "--every", "1s"];
    const follow = (data: string) => startServe(["--follow", source.url, "--data", data, ...more]);
    // Before it starts.
    await using mirror = await follow(mine.path);
    expect((await judge(mirror.url)).statuses).toEqual([200, 200, 200]);
    // While it serves; a look may come before the next poll has seen it.
    await using other = await follow(later.path);
    await expect.poll(async () => (await judge(other.url)).versions.length).toBe(2);
    await tamperWith(later.path, tamper, "replaced");
    await expect.poll(async () => (await judge(other.url)).statuses).toEqual([200, 200, 200]);
    await expect.poll(async () => (await judge(other.url)).versions).toContain(second);
  });

  test("serves nothing of a source that tampers with signatures", async () => {
    const random = createRandom("tampered source");
    using theirs = copyOf(signed);
    using mine = copyOf(signed);
    expect((await runCommand("rollback", ["--data", mine.path])).code).toBe(0);
    for (const ending of ["sqlite", "sqlite.zst", "changes.json", "json", "json.minisig"])
      rmSync(besideOf(mine.path, ending).replace(first, second));
    await using source = await startSource(theirs.path);
    const signature = signatureFileOf(theirs.path);
    const right = readFileSync(signature, "utf8");
    writeFileSync(signature, right.replace(/expires_at:\d{4}/, "expires_at:9998"));
    const args = ["--follow", source.url, "--key", pub, "--every", "1s", "--data", mine.path];
    await using mirror = await startServe(args);
    const refusals = () =>
      mirror.log().match(/"event":"cannot-follow"[^\n]*(?:was signed by|has no signature)/g)?.length ?? 0;
    for (let turn = 0; turn < 20; turn += 1) {
      const before = refusals();
      await expect.poll(refusals).toBeGreaterThan(before + 1);
      expect(pointerOf(mine.path).version).toBe(first);
      const list = (await (await fetch(`${mirror.url}/snapshots/`)).json()) as { data: { records: Listed[] } };
      expect(list.data.records.map(({ version }) => version)).toEqual([first]);
      // Its first line is a comment that nobody signs, and the last digits of a line in base64 have bits that say nothing.
      const at = random.pick([1, 2, 3].map((line) => startOf(right, line) + random.below(80)));
      const other = right[at] === "A" ? "B" : "A";
      writeFileSync(
        signature,
        right.slice(0, at) + random.pick([other, "", `${other}${right[at]}`]) + right.slice(at + 1),
      );
    }
    writeFileSync(signature, right);
    await expect.poll(async () => (await judge(mirror.url)).statuses).toEqual([200, 200, 200]);
    expect(pointerOf(mine.path).version).toBe(second);
  });
});
