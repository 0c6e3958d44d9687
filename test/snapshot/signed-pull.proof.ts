import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import { loadPublicKey } from "../../src/snapshot/signature/key-files.ts";
import { createSignedNights } from "../../src/snapshot/verify/signed-nights.ts";
import { copyOf, fileOf, manifestFileOf, pointerOf, published } from "../helpers/data-folder.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { editText, signatureFileOf, signatureLine, signedTexts, signNights } from "../helpers/signed.ts";
import { startSource } from "../helpers/upstream/source.ts";

const maker = await signNights();
const { first, second, secret, otherSecret, pub, otherPub } = maker;
afterAll(() => maker[Symbol.dispose]());
const SIGN = ["--signing-key", secret];

const verify = (data: string, key: string, version = second) =>
  runCommand("verify", ["--snapshot", fileOf(data, version), "--key", key]);

const pullSigned = (url: string, data: string, by = [loadPublicKey(pub)]) =>
  pull(new URL(url), data, { signed: createSignedNights(data, by) });

const longAgo = "2026-01-01T00:00:00Z";

describe("a pull with --key", () => {
  test("takes what is signed, and mirrors pass the signature on, with a key or without", async () => {
    using withKey = temporaryFolder();
    using without = temporaryFolder();
    using last = temporaryFolder();
    await using source = await startSource(maker.path);
    expect(await pullSigned(source.url, withKey.path)).toMatchObject({ version: second, changed: true });
    await using mirror = await startFollowing(withKey.path);
    await pull(new URL(mirror.url), without.path);
    await using next = await startFollowing(without.path);
    expect(await pullSigned(next.url, last.path)).toMatchObject({ version: second, changed: true });
    for (const { path } of [withKey, without, last]) {
      expect(signedTexts(path, second)).toEqual(signedTexts(maker.path, second));
      expect(pointerOf(path)).toEqual(pointerOf(maker.path));
      expect(signatureLine(await verify(path, pub))?.[0]).toBe("ok");
    }
    const listed = (await (await fetch(`${next.url}/snapshots/`)).json()) as { data: { records: { urls: object }[] } };
    expect(listed.data.records[0]?.urls).toMatchObject({ signature: `/snapshots/${second}.json.minisig` });
    // What its maker had beside it and this mirror has not.
    expect(JSON.parse(signedTexts(last.path, second)[0] ?? "")).toHaveProperty("changes");
    expect(listed.data.records[0]?.urls).not.toHaveProperty("changes");
  });

  test("takes the newer signature of what is in hand, with a key or without", async () => {
    using folder = copyOf(maker.path);
    using withKey = temporaryFolder();
    using without = temporaryFolder();
    await using source = await startSource(folder.path);
    const pullBoth = async () => [
      (await pullSigned(source.url, withKey.path)).changed,
      (await pull(new URL(source.url), without.path)).changed,
    ];
    expect(await pullBoth()).toEqual([true, true]);
    const again = ["--data", folder.path, "--to", second, ...SIGN, "--valid-for", "300h"];
    expect((await runCommand("rollback", again)).code).toBe(0);
    expect(pointerOf(folder.path).expires_at).not.toBe(pointerOf(maker.path).expires_at);
    expect(await pullBoth()).toEqual([false, false]);
    for (const { path } of [withKey, without]) {
      expect(pointerOf(path)).toEqual(pointerOf(folder.path));
      expect(signedTexts(path, second)).toEqual(signedTexts(folder.path, second));
    }
  });

  const REFUSED: [name: string, change: (data: string) => unknown, message: RegExp][] = [
    [
      "a changed byte of the manifest",
      (data) => editText(manifestFileOf(data), (text) => text.replace('"faults": {', '"faults":  {')),
      /the manifest of \S+ is not what was signed by [0-9A-F]{16}; nothing was published/,
    ],
    [
      "a changed byte of the file",
      (data) => {
        const bytes = readFileSync(fileOf(data));
        bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
        writeFileSync(fileOf(data), bytes);
      },
      /another sha256; nothing was published/,
    ],
    ["a missing signature", (data) => rmSync(signatureFileOf(data)), /the manifest of \S+ has no signature; nothing/],
    [
      "another text in its place",
      (data) => editText(signatureFileOf(data), () => "nothing\n"),
      /has no signature; nothing/,
    ],
    [
      "the signature of another night",
      (data) => editText(signatureFileOf(data), () => readFileSync(signatureFileOf(data, first), "utf8")),
      /is not what was signed by/,
    ],
    [
      "another key",
      (data) => runCommand("rollback", ["--data", data, "--to", second, "--signing-key", otherSecret]),
      /is not what was signed by/,
    ],
    [
      "a longer time than was signed",
      (data) => editText(signatureFileOf(data), (text) => text.replace(/expires_at:\d{4}/, "expires_at:2999")),
      /is not what was signed by/,
    ],
    [
      "a pointer that has expired",
      (data) =>
        editText(join(data, "latest.json"), (text) =>
          text.replace(/"expires_at": "[^"]*"/, `"expires_at": "${longAgo}"`),
        ),
      new RegExp(`expired at ${longAgo}, says latest.json: the source is stale, or is held back`),
    ],
    [
      "a pointer to a night of which it says another hash",
      (data) =>
        editText(join(data, "latest.json"), (text) =>
          text.replace(/"sha256": "[^"]*"/, `"sha256": "${"0".repeat(64)}"`),
        ),
      /says another sha256 than latest.json/,
    ],
  ];

  test.for(REFUSED)("refuses %s", async ([, change, message]) => {
    using folder = copyOf(maker.path);
    using mine = temporaryFolder();
    await change(folder.path);
    await using source = await startSource(folder.path);
    const refused = await runCommand("pull", [source.url, "--data", mine.path, "--key", pub]);
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringMatching(message)]);
    expect(refused.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(published(mine.path)).toEqual([]);
    expect(existsSync(join(mine.path, "latest.json"))).toBe(false);
  });

  test("refuses what has expired, whatever its pointer says, until it is signed again", async () => {
    using folder = copyOf(maker.path);
    using mine = temporaryFolder();
    const sign = (time: string) =>
      runCommand("rollback", ["--data", folder.path, "--to", second, ...SIGN, "--valid-for", time]);
    expect((await sign("1s")).code).toBe(0);
    editText(join(folder.path, "latest.json"), (text) => text.replace(/"expires_at": "2/, '"expires_at": "3'));
    await using source = await startSource(folder.path);
    const pulled = () => runCommand("pull", [source.url, "--data", mine.path, "--key", pub]);
    await expect.poll(async () => (await pulled()).stderr).toMatch(/says its signature: the source is stale/);
    rmSync(mine.path, { recursive: true });
    expect((await pulled()).code).toBe(64);
    expect((await sign("1h")).code).toBe(0);
    expect((await pulled()).code).toBe(0);
  });

  test("refuses a night that is older than the one in hand, although it is signed and has not expired", async () => {
    using folder = copyOf(maker.path);
    using mine = temporaryFolder();
    await using source = await startSource(folder.path);
    await pullSigned(source.url, mine.path);
    // A source that hides the newer night, and says of the older one that it came later.
    for (const name of published(folder.path)) if (name.includes(second)) rmSync(join(folder.path, "snapshots", name));
    const { expires_at } = pointerOf(maker.path);
    const older = { ...JSON.parse(signedTexts(maker.path, first)[0] ?? ""), sequence: 99, expires_at };
    writeFileSync(join(folder.path, "latest.json"), JSON.stringify(older));
    const ended = await runCommand("pull", [source.url, "--data", mine.path, "--key", pub]);
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringMatching(/the source has \S+, older than \S+ that is/),
    ]);
    expect(pointerOf(mine.path).version).toBe(second);
  });

  test("knows two keys while the maker goes over from one to the other", async () => {
    using folder = copyOf(maker.path);
    using mine = temporaryFolder();
    await using source = await startSource(folder.path);
    const both = ["--key", `${pub},${readFileSync(otherPub, "utf8").split("\n")[1]}`];
    const pulled = () => runCommand("pull", [source.url, "--data", mine.path, ...both]);
    expect((await pulled()).code).toBe(0);
    const again = ["--data", folder.path, "--to", second, "--signing-key", otherSecret, "--valid-for", "200h"];
    expect((await runCommand("rollback", again)).code).toBe(0);
    expect((await pulled()).code).toBe(2);
    expect(signatureLine(await verify(mine.path, otherPub))?.[0]).toBe("ok");
  });

  test("does not believe an older pointer on a server that follows, which says so and serves on", async () => {
    using folder = copyOf(maker.path);
    using mine = temporaryFolder();
    await using source = await startSource(folder.path);
    const follow = ["--follow", source.url, "--key", pub, "--every", "1s", "--data", mine.path];
    await using mirror = await startServe(follow);
    const askSource = async () =>
      ((await (await fetch(`${mirror.url}/health`)).json()) as { data: { source: { version: string } } }).data.source;
    await expect.poll(async () => (await askSource()).version).toBe(second);
    editText(manifestFileOf(folder.path), (text) => text.replace("{", "{ "));
    await expect.poll(mirror.log).toMatch(/"event":"cannot-follow".*is not what was signed by/);
    expect(await askSource()).toMatchObject({
      version: second,
      expires_at: pointerOf(maker.path).expires_at,
      error: { message: expect.stringContaining("is not what was signed by") },
    });
    expect(await (await fetch(`${mirror.url}/metrics`)).text()).toMatch(
      /^metasnap_source_expires_timestamp_seconds [1-9]/m,
    );
    expect((await fetch(`${mirror.url}/api/heroes`)).status).toBe(200);
  });
});
