import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lastFinished } from "../../src/journal/runs.ts";
import { pull } from "../../src/nights/pull/pull.ts";
import { createPages } from "../../src/pages/pages.ts";
import { STEPS } from "../../src/snapshot/published/publish.ts";
import { loadPublicKey, publicFileOf } from "../../src/snapshot/signature/key-files.ts";
import { expiryOf } from "../../src/snapshot/signature/signed-manifest.ts";
import { createSignedNights } from "../../src/snapshot/verify/signed-nights.ts";
import { copyOf, fileOf, manifestFileOf, pointerOf, published, withdrawnOf } from "../helpers/data-folder.ts";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { isInstalled } from "../helpers/program.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startSource } from "../helpers/upstream/source.ts";

const draw = createDraw("signed nights");
const keys = temporaryFolder();
const [secret, otherSecret] = [join(keys.path, "metasnap.key"), join(keys.path, "other.key")];
const [pub, otherPub] = [publicFileOf(secret), publicFileOf(otherSecret)];
const trusted = () => [loadPublicKey(pub)];

/** Two nights that were signed with the first key. */
const maker = temporaryFolder();
const ENDPOINTS = ["--endpoints", "heroes,rank,hero,stats"];
const SIGN = ["--signing-key", secret];
let [first = "", second = ""]: string[] = [];
beforeAll(async () => {
  for (const file of [secret, otherSecret]) expect((await runCommand("keys", ["--out", file])).code).toBe(0);
  [first = "", second = ""] = await publishDays(maker.path, [0, 1], ...ENDPOINTS, ...SIGN);
});
afterAll(() => {
  keys[Symbol.dispose]();
  maker[Symbol.dispose]();
});

const signatureOf = (data: string, version?: string) => `${manifestFileOf(data, version)}.minisig`;
const texts = (data: string, version: string) =>
  [manifestFileOf(data, version), signatureOf(data, version)].map((file) => readFileSync(file, "utf8"));
const pullSigned = (url: string, data: string, by = trusted()) =>
  pull(new URL(url), data, { signed: createSignedNights(data, by) });
const verify = (data: string, key: string, version = second) =>
  runCommand("verify", ["--snapshot", fileOf(data, version), "--key", key]);
const signatureLine = ({ stdout }: { stdout: string }) => /│ signature +│ (\w+) +│ (.*?) +│/.exec(stdout)?.slice(1);
const edit = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, "utf8")));
const longAgo = "2026-01-01T00:00:00Z";

const hasMinisign = isInstalled("minisign");
if (!hasMinisign) process.stdout.write("signed manifests are not tried with minisign: apt install minisign\n");

describe("a crawl with --signing-key", () => {
  drawTests(2);

  test("signs the manifest of each night, and says until when it is the newest", async () => {
    expect(published(maker.path)).toContain(`${first}.json.minisig`);
    const expiry = expiryOf(readFileSync(signatureOf(maker.path), "utf8")) ?? "";
    expect(pointerOf(maker.path).expires_at).toBe(expiry);
    const left = (Date.parse(expiry) - statSync(signatureOf(maker.path)).mtimeMs) / 3_600_000;
    expect(Math.round(left)).toBe(168);
    const proof = await verify(maker.path, pub);
    expect(signatureLine(proof)).toEqual(["ok", `the newest until ${expiry}`]);
    const other = await verify(maker.path, otherPub);
    expect([other.code, signatureLine(other)?.[0]]).toEqual([64, "FAILED"]);
  });

  test.skipIf(!hasMinisign)("signs as minisign does", () => {
    const said = execFileSync("minisign", ["-V", "-p", pub, "-m", manifestFileOf(maker.path)], { encoding: "utf8" });
    expect(said).toContain(`file:${second}.json\texpires_at:`);
  });

  test("signs again what has not changed, so that nobody takes it for frozen", async () => {
    using folder = copyOf(maker.path);
    const [manifest, before] = texts(folder.path, second);
    const journal = lastFinished(folder.path);
    const build = ["--data", folder.path, "--journal", journal, "--allow-partial", ...SIGN, "--valid-for", "400h"];
    expect((await runCommand("build", build)).code).toBe(2);
    const [same, after = ""] = texts(folder.path, second);
    expect([same === manifest, after === before]).toEqual([true, false]);
    expect(pointerOf(folder.path).expires_at).toBe(expiryOf(after));
    expect((await verify(folder.path, pub)).stdout).toContain(String(expiryOf(after)));
  });

  test("leaves no signature of other bytes behind", async () => {
    using folder = copyOf(maker.path);
    for (const name of published(folder.path)) if (name.includes(second)) rmSync(join(folder.path, "snapshots", name));
    writeFileSync(signatureOf(folder.path, second), readFileSync(signatureOf(maker.path, first)));
    const build = ["--data", folder.path, "--journal", lastFinished(folder.path), "--allow-partial"];
    expect((await runCommand("build", build)).code).toBe(0);
    expect(existsSync(signatureOf(folder.path, second))).toBe(false);
    expect(pointerOf(folder.path)).not.toHaveProperty("expires_at");
  });

  test(`is killed anywhere, and the next run has it signed (${drawn})`, async () => {
    const script = join(import.meta.dirname, "..", "helpers", "killed", "publish-killed.ts");
    const steps = STEPS.map(([name]) => name);
    for (const step of draw.some(steps.slice(steps.indexOf("rename manifest")), 1)) {
      using folder = copyOf(maker.path);
      const journal = lastFinished(folder.path);
      expect((await runCommand("rollback", ["--data", folder.path, "--to", first])).code).toBe(0);
      for (const name of published(folder.path))
        if (name.includes(second)) rmSync(join(folder.path, "snapshots", name));
      const child = spawn(process.execPath, [script, journal, folder.path, step, secret], { stdio: "ignore" });
      expect((await once(child, "close"))[1]).toBe("SIGKILL");
      const build = ["--data", folder.path, "--journal", journal, "--allow-partial", ...SIGN];
      expect([0, 2]).toContain((await runCommand("build", build)).code);
      expect([step, signatureLine(await verify(folder.path, pub))?.[0]]).toEqual([step, "ok"]);
      await using source = await startSource(folder.path);
      using pulled = temporaryFolder();
      expect((await pullSigned(source.url, pulled.path)).version).toBe(second);
    }
  });
});

describe("a pull with --key", () => {
  drawTests(3);

  test("takes what is signed, and mirrors pass the signature on, with a key or without", async () => {
    using withKey = temporaryFolder();
    using without = temporaryFolder();
    using last = temporaryFolder();
    await using source = await startSource(maker.path);
    expect(await pullSigned(source.url, withKey.path)).toMatchObject({ version: second, changed: true });
    await using mirror = await startFollowing(withKey.path);
    await pull(new URL(mirror.url), without.path, { allowPartial: true });
    await using next = await startFollowing(without.path);
    expect(await pullSigned(next.url, last.path)).toMatchObject({ version: second, changed: true });
    for (const { path } of [withKey, without, last]) {
      expect(texts(path, second)).toEqual(texts(maker.path, second));
      expect(pointerOf(path)).toEqual(pointerOf(maker.path));
      expect(signatureLine(await verify(path, pub))?.[0]).toBe("ok");
    }
    const listed = (await (await fetch(`${next.url}/snapshots/`)).json()) as { data: { records: { urls: object }[] } };
    expect(listed.data.records[0]?.urls).toMatchObject({ signature: `/snapshots/${second}.json.minisig` });
    // What its maker had beside it and this mirror has not.
    expect(JSON.parse(texts(last.path, second)[0] ?? "")).toHaveProperty("changes");
    expect(listed.data.records[0]?.urls).not.toHaveProperty("changes");
  });

  test("takes the newer signature of what is in hand, with a key or without", async () => {
    using folder = copyOf(maker.path);
    using withKey = temporaryFolder();
    using without = temporaryFolder();
    await using source = await startSource(folder.path);
    const pullBoth = async () => [
      (await pullSigned(source.url, withKey.path)).changed,
      (await pull(new URL(source.url), without.path, { allowPartial: true })).changed,
    ];
    expect(await pullBoth()).toEqual([true, true]);
    const again = ["--data", folder.path, "--to", second, ...SIGN, "--valid-for", "300h"];
    expect((await runCommand("rollback", again)).code).toBe(0);
    expect(pointerOf(folder.path).expires_at).not.toBe(pointerOf(maker.path).expires_at);
    expect(await pullBoth()).toEqual([false, false]);
    for (const { path } of [withKey, without]) {
      expect(pointerOf(path)).toEqual(pointerOf(folder.path));
      expect(texts(path, second)).toEqual(texts(folder.path, second));
    }
  });

  test("heals a mirror of what one poll has poisoned, and with a key keeps only what is proved", async () => {
    using folder = copyOf(maker.path);
    using without = temporaryFolder();
    using withKey = temporaryFolder();
    await using source = await startSource(folder.path);
    const honest = readFileSync(signatureOf(folder.path), "utf8");
    const pointer = readFileSync(join(folder.path, "latest.json"), "utf8");
    const follow = () => pull(new URL(source.url), without.path, { allowPartial: true });
    const signatureIn = (path: string) =>
      existsSync(signatureOf(path)) ? readFileSync(signatureOf(path), "utf8") : undefined;
    const expectSame = (path: string) => {
      expect(signatureIn(path)).toBe(signatureIn(folder.path));
      expect(pointerOf(path)).toEqual(pointerOf(folder.path));
    };
    await follow();
    await pullSigned(source.url, withKey.path);
    const POISONS: (() => void)[] = [
      () => {
        edit(signatureOf(folder.path), (text) => text.replace(/expires_at:\d{4}/, "expires_at:9998"));
        edit(join(folder.path, "latest.json"), (text) => text.replace(/"expires_at": "\d{4}/, '"expires_at": "9998'));
      },
      // Of the same expiry.
      () => edit(signatureOf(folder.path), (text) => text.replace(/^(RU\S{40}).(?=\S)/m, (_, begin) => `${begin}+`)),
      () => {
        rmSync(signatureOf(folder.path));
        edit(join(folder.path, "latest.json"), (text) => text.replace(/,\s*"expires_at": "[^"]*"/, ""));
      },
    ];
    for (const poison of POISONS) {
      poison();
      expect(signatureIn(folder.path)).not.toBe(honest);
      expect((await follow()).changed).toBe(false);
      expectSame(without.path);
      await expect(pullSigned(source.url, withKey.path)).rejects.toThrow();
      writeFileSync(signatureOf(folder.path), honest);
      writeFileSync(join(folder.path, "latest.json"), pointer);
      expect((await follow()).changed).toBe(false);
      for (const { path } of [without, withKey]) expectSame(path);
    }
    // Somebody has put another one beside what a keyed mirror holds.
    edit(signatureOf(withKey.path), (text) => text.replace(/expires_at:\d{4}/, "expires_at:9998"));
    expect((await pullSigned(source.url, withKey.path)).changed).toBe(false);
    expectSame(withKey.path);
  });

  const REFUSED: [name: string, change: (data: string) => unknown, message: RegExp][] = [
    [
      "a changed byte of the manifest",
      (data) => edit(manifestFileOf(data), (text) => text.replace('"faults": {', '"faults":  {')),
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
    ["a missing signature", (data) => rmSync(signatureOf(data)), /the manifest of \S+ has no signature; nothing/],
    ["another text in its place", (data) => edit(signatureOf(data), () => "nothing\n"), /has no signature; nothing/],
    [
      "the signature of another night",
      (data) => edit(signatureOf(data), () => readFileSync(signatureOf(data, first), "utf8")),
      /is not what was signed by/,
    ],
    [
      "another key",
      (data) => runCommand("rollback", ["--data", data, "--to", second, "--signing-key", otherSecret]),
      /is not what was signed by/,
    ],
    [
      "a longer time than was signed",
      (data) => edit(signatureOf(data), (text) => text.replace(/expires_at:\d{4}/, "expires_at:2999")),
      /is not what was signed by/,
    ],
    [
      "a pointer that has expired",
      (data) =>
        edit(join(data, "latest.json"), (text) => text.replace(/"expires_at": "[^"]*"/, `"expires_at": "${longAgo}"`)),
      new RegExp(`was to be believed until ${longAgo}, says latest.json: the source stands still, or is held back`),
    ],
    [
      "a pointer to a night of which it says another hash",
      (data) =>
        edit(join(data, "latest.json"), (text) => text.replace(/"sha256": "[^"]*"/, `"sha256": "${"0".repeat(64)}"`)),
      /says another sha256 than latest.json/,
    ],
  ];

  test.for(REFUSED)("refuses %s", async ([, change, message]) => {
    using folder = copyOf(maker.path);
    using mine = temporaryFolder();
    await change(folder.path);
    await using source = await startSource(folder.path);
    const refused = await runCommand("pull", [source.url, "--data", mine.path, "--key", pub, "--allow-partial"]);
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringMatching(message)]);
    expect(refused.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(published(mine.path)).toEqual([]);
    expect(existsSync(join(mine.path, "latest.json"))).toBe(false);
  });

  test(`takes nothing else than what was signed, whatever a source changes (${drawn})`, async () => {
    await using source = await startSource(maker.path);
    const documents = [join(maker.path, "latest.json"), manifestFileOf(maker.path), signatureOf(maker.path)];
    const others = [join(maker.path, "latest.json"), manifestFileOf(maker.path, first), signatureOf(maker.path, first)];
    const scramble = (text: string) => {
      const at = draw.below(text.length);
      const put = draw.pick([
        "",
        "0",
        "a",
        '"',
        "}",
        "\n",
        text.slice(at, at + draw.below(40)),
        String.fromCharCode(0x80),
      ]);
      return text.slice(0, at) + put + text.slice(at + draw.below(3));
    };
    const turns = draw.many(500, 40);
    let refused = 0;
    for (let turn = 0; turn < turns; turn += 1) {
      using mine = temporaryFolder();
      const given = new Map(
        documents.map((file, place) => {
          const text = readFileSync(draw.below(4) === 0 ? (others[place] ?? "") : file, "utf8");
          return [file, draw.below(2) === 0 ? scramble(text) : text];
        }),
      );
      source.fault = ({ file, res }) => given.has(file) && Boolean(res.end(given.get(file)));
      const ended = await pullSigned(source.url, mine.path).catch((error: unknown) => error);
      if (ended instanceof Error) {
        expect([ended.name, existsSync(join(mine.path, "latest.json"))]).toEqual(["Failure", false]);
        refused += 1;
      } else
        expect([given.get(documents[1] ?? ""), texts(mine.path, second)[0]]).toEqual(
          Array(2).fill(texts(maker.path, second)[0]),
        );
    }
    expect(refused).toBeGreaterThan(turns / 4);
    expect(refused).toBeLessThan(turns);
  });

  test("refuses what has expired, whatever its pointer says, until it is signed again", async () => {
    using folder = copyOf(maker.path);
    using mine = temporaryFolder();
    const sign = (time: string) =>
      runCommand("rollback", ["--data", folder.path, "--to", second, ...SIGN, "--valid-for", time]);
    expect((await sign("1s")).code).toBe(0);
    edit(join(folder.path, "latest.json"), (text) => text.replace(/"expires_at": "2/, '"expires_at": "3'));
    await using source = await startSource(folder.path);
    const pulled = () => runCommand("pull", [source.url, "--data", mine.path, "--key", pub, "--allow-partial"]);
    await expect.poll(async () => (await pulled()).stderr).toMatch(/says its signature: the source stands still/);
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
    const older = { ...JSON.parse(texts(maker.path, first)[0] ?? ""), sequence: 99, expires_at };
    writeFileSync(join(folder.path, "latest.json"), JSON.stringify(older));
    const ended = await runCommand("pull", [source.url, "--data", mine.path, "--key", pub, "--allow-partial"]);
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
    const pulled = () => runCommand("pull", [source.url, "--data", mine.path, ...both, "--allow-partial"]);
    expect((await pulled()).code).toBe(0);
    const again = ["--data", folder.path, "--to", second, "--signing-key", otherSecret, "--valid-for", "200h"];
    expect((await runCommand("rollback", again)).code).toBe(0);
    expect((await pulled()).code).toBe(2);
    expect(signatureLine(await verify(mine.path, otherPub))?.[0]).toBe("ok");
  });

  test("passes on the signature although other nights have its number; without a key it says that it does not", async () => {
    using mine = temporaryFolder();
    await publishDays(mine.path, [2, 3], ...ENDPOINTS);
    using followed = copyOf(mine.path);
    using keyed = copyOf(mine.path);
    await using source = await startSource(maker.path);
    const follow = ["--follow", source.url, "--data", followed.path, "--allow-partial", "--allow-older"];
    await using mirror = await startServe(follow);
    await expect
      .poll(mirror.log)
      .toMatch(/"event":"signature-not-kept","version":"[^"]+","problem":"its signature is not/);
    const words = [source.url, "--data", mine.path, "--allow-partial", "--allow-older"];
    const ended = await runCommand("pull", words);
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("its signature is not passed on: ")]);
    expect([pointerOf(mine.path).version, existsSync(signatureOf(mine.path))]).toEqual([second, false]);
    expect((await runCommand("pull", [source.url, "--data", keyed.path, "--key", pub, "--allow-partial"])).code).toBe(
      0,
    );
    expect(texts(keyed.path, second)).toEqual(texts(maker.path, second));
  });

  test("does not believe an older pointer on a server that follows, which says so and serves on", async () => {
    using folder = copyOf(maker.path);
    using mine = temporaryFolder();
    await using source = await startSource(folder.path);
    const follow = ["--follow", source.url, "--key", pub, "--every", "1s", "--data", mine.path, "--allow-partial"];
    await using mirror = await startServe(follow);
    const askSource = async () =>
      ((await (await fetch(`${mirror.url}/health`)).json()) as { data: { source: { version: string } } }).data.source;
    await expect.poll(async () => (await askSource()).version).toBe(second);
    edit(manifestFileOf(folder.path), (text) => text.replace("{", "{ "));
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

describe("a rollback of signed nights", () => {
  test("leaves what was signed as it was, also of the night that it withdraws", async () => {
    using folder = copyOf(maker.path);
    expect((await runCommand("rollback", ["--data", folder.path])).code).toBe(0);
    expect(pointerOf(folder.path).expires_at).toBe(expiryOf(texts(maker.path, first)[1] ?? ""));
    expect(texts(folder.path, second)).toEqual(texts(maker.path, second));
    expect(withdrawnOf(folder.path)).toEqual([second]);
    expect(signatureLine(await verify(folder.path, pub))?.[0]).toBe("ok");
    edit(manifestFileOf(folder.path, second), (text) => text.replace('"faults": {', '"faults": { "x": 1'));
    expect(signatureLine(await verify(folder.path, pub))?.[0]).toBe("FAILED");
    expect((await runCommand("rollback", ["--data", folder.path, "--to", first])).code).toBe(0);
  });

  test("and forth again gives the same bytes", async () => {
    using folder = copyOf(maker.path);
    for (const to of [first, second])
      expect((await runCommand("rollback", ["--data", folder.path, "--to", to])).code).toBe(0);
    expect(texts(folder.path, second)).toEqual(texts(maker.path, second));
    expect(pointerOf(folder.path)).toEqual(pointerOf(maker.path));
  });
});

describe("a mirror of signed nights", () => {
  test("hands out the signatures, and says where there is none", async () => {
    using folder = copyOf(maker.path);
    rmSync(signatureOf(folder.path, first));
    await using mirror = await startFollowing(folder.path, { pages: createPages({ pictures: false }) });
    const response = await fetch(`${mirror.url}/snapshots/${second}.json.minisig`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(await response.text()).toBe(texts(maker.path, second)[1]);
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
