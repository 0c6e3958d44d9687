import { chmodSync, copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createKeyFiles, publicFileOf } from "../../src/snapshot/signature/key-files.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";

const keys = temporaryFolder();
const secret = join(keys.path, "metasnap.key");
createKeyFiles(secret);
const pub = publicFileOf(secret);
afterAll(() => keys[Symbol.dispose]());

describe("a signing key", () => {
  test("is for its owner alone, and is not overwritten", async () => {
    expect(statSync(secret).mode & 0o777).toBe(0o600);
    const before = readFileSync(secret, "utf8");
    const again = await runCommand("keys", ["--out", secret]);
    expect([again.code, again.stderr]).toEqual([64, expect.stringMatching(/metasnap\.key: is there already/)]);
    expect(readFileSync(secret, "utf8")).toBe(before);
  });

  test("is refused where others may read it", async () => {
    using folder = temporaryFolder();
    const copy = join(folder.path, "open.key");
    copyFileSync(secret, copy);
    chmodSync(copy, 0o640);
    const ended = await runCommand("crawl", ["--data", folder.path, "--signing-key", copy]);
    expect([ended.code, ended.stderr]).toEqual([
      64,
      expect.stringMatching(/open\.key: others may read this secret key \(mode 640\); .* `chmod 600`\n$/),
    ]);
  });

  test("is in no message, also where it is given instead of its path, or is another kind of key", async () => {
    using folder = temporaryFolder();
    const pem = readFileSync(secret, "utf8");
    const [, body = ""] = pem.split("\n");
    const broken = join(folder.path, "broken.key");
    writeFileSync(broken, `${pem.slice(0, -40)}\n`, { mode: 0o600 });
    for (const given of [pem, body, broken, folder.path, pub]) {
      const ended = await runCommand("build", ["--data", folder.path], { METASNAP_SIGNING_KEY: given });
      expect([ended.code, ended.stderr.trimEnd().split("\n")]).toEqual([64, [expect.stringMatching(/key/)]]);
      expect(ended.stdout + ended.stderr).not.toContain(body.slice(0, 20));
    }
  });

  test.for(["RWQ", "/nowhere.pub", "a,b"])("--key %s is no public one", async (key) => {
    const ended = await runCommand("verify", ["--data", keys.path, "--key", key]);
    expect([ended.code, ended.stderr]).toEqual([64, expect.stringContaining("It must be a public key of minisign")]);
  });
});
