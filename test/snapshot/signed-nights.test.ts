import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createPages } from "../../src/extra/pages/pages.ts";
import { lastFinished } from "../../src/journal/runs.ts";
import { expiryOf } from "../../src/snapshot/signature/signed-manifest.ts";
import { copyOf, fileOf, manifestFileOf, pointerOf, published, withdrawnOf } from "../helpers/data-folder.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editText, signatureFileOf, signatureLine, signedTexts, signNights } from "../helpers/signed.ts";

const maker = await signNights();
const { first, second, secret, pub, otherPub } = maker;
afterAll(() => maker[Symbol.dispose]());
const SIGN = ["--signing-key", secret];

const verify = (data: string, key: string, version = second) =>
  runCommand("verify", ["--snapshot", fileOf(data, version), "--key", key]);

describe("a crawl with --signing-key", () => {
  test("signs the manifest of each night, and says until when it is the newest", async () => {
    expect(published(maker.path)).toContain(`${first}.json.minisig`);
    const expiry = expiryOf(readFileSync(signatureFileOf(maker.path), "utf8")) ?? "";
    expect(pointerOf(maker.path).expires_at).toBe(expiry);
    const left = (Date.parse(expiry) - statSync(signatureFileOf(maker.path)).mtimeMs) / 3_600_000;
    expect(Math.round(left)).toBe(168);
    const proof = await verify(maker.path, pub);
    expect(signatureLine(proof)).toEqual(["ok", `the newest until ${expiry}`]);
    const other = await verify(maker.path, otherPub);
    expect([other.code, signatureLine(other)?.[0]]).toEqual([64, "FAILED"]);
  });

  test("signs again what has not changed, so that nobody takes it for frozen", async () => {
    using folder = copyOf(maker.path);
    const [manifest, before] = signedTexts(folder.path, second);
    const journal = lastFinished(folder.path);
    const build = ["--data", folder.path, "--journal", journal, "--allow-partial", ...SIGN, "--valid-for", "400h"];
    expect((await runCommand("build", build)).code).toBe(2);
    const [same, after = ""] = signedTexts(folder.path, second);
    expect([same === manifest, after === before]).toEqual([true, false]);
    expect(pointerOf(folder.path).expires_at).toBe(expiryOf(after));
    expect((await verify(folder.path, pub)).stdout).toContain(String(expiryOf(after)));
  });

  test("leaves no signature of other bytes behind", async () => {
    using folder = copyOf(maker.path);
    for (const name of published(folder.path)) if (name.includes(second)) rmSync(join(folder.path, "snapshots", name));
    writeFileSync(signatureFileOf(folder.path, second), readFileSync(signatureFileOf(maker.path, first)));
    const build = ["--data", folder.path, "--journal", lastFinished(folder.path), "--allow-partial"];
    expect((await runCommand("build", build)).code).toBe(0);
    expect(existsSync(signatureFileOf(folder.path, second))).toBe(false);
    expect(pointerOf(folder.path)).not.toHaveProperty("expires_at");
  });
});

describe("a rollback of signed nights", () => {
  test("leaves what was signed as it was, also of the night that it withdraws", async () => {
    using folder = copyOf(maker.path);
    expect((await runCommand("rollback", ["--data", folder.path])).code).toBe(0);
    expect(pointerOf(folder.path).expires_at).toBe(expiryOf(signedTexts(maker.path, first)[1] ?? ""));
    expect(signedTexts(folder.path, second)).toEqual(signedTexts(maker.path, second));
    expect(withdrawnOf(folder.path)).toEqual([second]);
    expect(signatureLine(await verify(folder.path, pub))?.[0]).toBe("ok");
    editText(manifestFileOf(folder.path, second), (text) => text.replace('"faults": {', '"faults": { "x": 1'));
    expect(signatureLine(await verify(folder.path, pub))?.[0]).toBe("FAILED");
    expect((await runCommand("rollback", ["--data", folder.path, "--to", first])).code).toBe(0);
  });

  test("and forth again gives the same bytes", async () => {
    using folder = copyOf(maker.path);
    for (const to of [first, second])
      expect((await runCommand("rollback", ["--data", folder.path, "--to", to])).code).toBe(0);
    expect(signedTexts(folder.path, second)).toEqual(signedTexts(maker.path, second));
    expect(pointerOf(folder.path)).toEqual(pointerOf(maker.path));
  });
});

describe("a mirror of signed nights", () => {
  test("hands out the signatures, and says where there is none", async () => {
    using folder = copyOf(maker.path);
    rmSync(signatureFileOf(folder.path, first));
    await using mirror = await startFollowing(folder.path, { pages: createPages({ pictures: false }) });
    const response = await fetch(`${mirror.url}/snapshots/${second}.json.minisig`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(await response.text()).toBe(signedTexts(maker.path, second)[1]);
    const absent = await fetch(`${mirror.url}/snapshots/${first}.json.minisig`);
    expect([absent.status, await absent.text()]).toEqual([404, expect.stringContaining("is not signed")]);
    const latest = (await (await fetch(`${mirror.url}/snapshots/latest.json`)).json()) as object;
    expect(latest).toEqual(pointerOf(maker.path));
    const page = await (await fetch(`${mirror.url}/data`)).text();
    expect(page.match(/[^"]*\.minisig(?=")/g)).toEqual(Array(2).fill(`/snapshots/${second}.json.minisig`));
  });
});

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
    const ended = await runCommand("verify", ["--data", maker.path, "--key", key]);
    expect([ended.code, ended.stderr]).toEqual([64, expect.stringContaining("It must be a public key of minisign")]);
  });
});
