import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { lastFinished } from "../../src/journal/runs.ts";
import { loadPublicKey } from "../../src/snapshot/signature/key-files.ts";
import { expiryOf } from "../../src/snapshot/signature/signed-manifest.ts";
import { createSignedNights } from "../../src/snapshot/verify/signed-nights.ts";
import { copyOf, fileOf, manifestFileOf, pointerOf, published, withdrawnOf } from "../helpers/data-folder.ts";
import { copyAtSteps } from "../helpers/killed/at-steps.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import {
  editText,
  SIGNED_ENDPOINTS,
  signatureFileOf,
  signatureLine,
  signedTexts,
  signNights,
} from "../helpers/signed.ts";
import { startSource } from "../helpers/upstream/source.ts";

const maker = await signNights();
const { first, second, secret, pub, otherPub } = maker;
afterAll(() => maker[Symbol.dispose]());
const SIGN = ["--signing-key", secret];

const verify = (data: string, key = pub) => runCommand("verify", ["--snapshot", fileOf(data, second), "--key", key]);

const pullSigned = (url: string, data: string) =>
  pull(new URL(url), data, { signed: createSignedNights(data, [loadPublicKey(pub)]) });

test("a pull with --key takes nothing else than what was signed, whatever a source changes", async () => {
  const random = createRandom("signed nights");
  await using source = await startSource(maker.path);
  const documents = [join(maker.path, "latest.json"), manifestFileOf(maker.path), signatureFileOf(maker.path)];
  const others = [
    join(maker.path, "latest.json"),
    manifestFileOf(maker.path, first),
    signatureFileOf(maker.path, first),
  ];
  const scramble = (text: string) => {
    const at = random.below(text.length);
    const put = random.pick([
      "",
      "0",
      "a",
      '"',
      "}",
      "\n",
      text.slice(at, at + random.below(40)),
      String.fromCharCode(0x80),
    ]);
    return text.slice(0, at) + put + text.slice(at + random.below(3));
  };
  const turns = 500;
  let refused = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    using mine = temporaryFolder();
    const given = new Map(
      documents.map((file, place) => {
        const text = readFileSync(random.below(4) === 0 ? (others[place] ?? "") : file, "utf8");
        return [file, random.below(2) === 0 ? scramble(text) : text];
      }),
    );
    source.fault = ({ file, res }) => given.has(file) && Boolean(res.end(given.get(file)));
    const about = `SEED=${SEED}, turn ${turn}`;
    const ended = await pullSigned(source.url, mine.path).catch((error: unknown) => error);
    if (ended instanceof Error) {
      expect([ended.name, existsSync(join(mine.path, "latest.json"))], about).toEqual(["Failure", false]);
      refused += 1;
    } else
      expect([given.get(documents[1] ?? ""), signedTexts(mine.path, second)[0]], about).toEqual(
        Array(2).fill(signedTexts(maker.path, second)[0]),
      );
  }
  expect(refused).toBeGreaterThan(turns / 4);
  expect(refused).toBeLessThan(turns);
});

test("a crawl with --signing-key that is killed before any step leaves a night that the next one signs", async () => {
  using folder = copyOf(maker.path);
  using copies = temporaryFolder();
  expect((await runCommand("rollback", ["--data", folder.path, "--to", first])).code).toBe(0);
  for (const name of published(folder.path)) if (name.includes(second)) rmSync(join(folder.path, "snapshots", name));
  const build = (data: string) => ["--data", data, "--journal", lastFinished(data), "--allow-partial", ...SIGN];
  const lefts = await copyAtSteps(["build", ...build(folder.path)], { from: folder.path, to: copies.path });
  const begun = lefts.filter((left) => existsSync(manifestFileOf(left, second)));
  const stateOf = (left: string) => `${existsSync(signatureFileOf(left, second))} ${pointerOf(left).version}`;
  const looks = Map.groupBy(begun, stateOf);
  // The pointer moves to what is signed.
  expect([...looks.keys()]).toEqual([`false ${first}`, `true ${first}`, `true ${second}`]);
  const ends = [...looks.values()].map((same) => same.at(-1) ?? "");
  for (const left of ends) {
    const again = await runCommand("build", build(left));
    expect([again.code, again.stderr], left).toEqual([expect.toBeOneOf([0, 2]), ""]);
    expect(signatureLine(await verify(left))?.[0]).toBe("ok");
  }
  await using source = await startSource(ends.at(-1) ?? "");
  using pulled = temporaryFolder();
  expect((await pullSigned(source.url, pulled.path)).version).toBe(second);
});

test("a pull heals a mirror of what one poll has poisoned, and with a key keeps only what is proved", async () => {
  using folder = copyOf(maker.path);
  using without = temporaryFolder();
  using withKey = temporaryFolder();
  await using source = await startSource(folder.path);
  const honest = readFileSync(signatureFileOf(folder.path), "utf8");
  const pointer = readFileSync(join(folder.path, "latest.json"), "utf8");
  const follow = () => pull(new URL(source.url), without.path);
  const signatureIn = (path: string) =>
    existsSync(signatureFileOf(path)) ? readFileSync(signatureFileOf(path), "utf8") : undefined;
  const expectSame = (path: string) => {
    expect(signatureIn(path)).toBe(signatureIn(folder.path));
    expect(pointerOf(path)).toEqual(pointerOf(folder.path));
  };
  await follow();
  await pullSigned(source.url, withKey.path);
  const POISONS: (() => void)[] = [
    () => {
      editText(signatureFileOf(folder.path), (text) => text.replace(/expires_at:\d{4}/, "expires_at:9998"));
      editText(join(folder.path, "latest.json"), (text) => text.replace(/"expires_at": "\d{4}/, '"expires_at": "9998'));
    },
    // Of the same expiry.
    () =>
      editText(signatureFileOf(folder.path), (text) =>
        text.replace(/(?<=^RU\S{40})\S(?=\S)/m, (sign) => (sign === "+" ? "/" : "+")),
      ),
    () => {
      rmSync(signatureFileOf(folder.path));
      editText(join(folder.path, "latest.json"), (text) => text.replace(/,\s*"expires_at": "[^"]*"/, ""));
    },
  ];
  for (const poison of POISONS) {
    poison();
    expect(signatureIn(folder.path)).not.toBe(honest);
    expect((await follow()).changed).toBe(false);
    expectSame(without.path);
    await expect(pullSigned(source.url, withKey.path)).rejects.toThrow();
    writeFileSync(signatureFileOf(folder.path), honest);
    writeFileSync(join(folder.path, "latest.json"), pointer);
    expect((await follow()).changed).toBe(false);
    for (const { path } of [without, withKey]) expectSame(path);
  }
  // Somebody has put another one beside what a keyed mirror holds.
  editText(signatureFileOf(withKey.path), (text) => text.replace(/expires_at:\d{4}/, "expires_at:9998"));
  expect((await pullSigned(source.url, withKey.path)).changed).toBe(false);
  expectSame(withKey.path);
});

test("a pull passes on the signature although other nights have its number; without a key it says that it does not", async () => {
  using mine = temporaryFolder();
  await publishDays(mine.path, [2, 3], ...SIGNED_ENDPOINTS);
  using followed = copyOf(mine.path);
  using keyed = copyOf(mine.path);
  await using source = await startSource(maker.path);
  const follow = ["--follow", source.url, "--data", followed.path, "--allow-older"];
  await using mirror = await startServe(follow);
  await expect
    .poll(mirror.log)
    .toMatch(/"event":"signature-not-kept","version":"[^"]+","problem":"its signature is not/);
  const words = [source.url, "--data", mine.path, "--allow-older"];
  const ended = await runCommand("pull", words);
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("its signature is not passed on: ")]);
  expect([pointerOf(mine.path).version, existsSync(signatureFileOf(mine.path))]).toEqual([second, false]);
  expect((await runCommand("pull", [source.url, "--data", keyed.path, "--key", pub])).code).toBe(0);
  expect(signedTexts(keyed.path, second)).toEqual(signedTexts(maker.path, second));
});

/** Writes through a shared mapping that it holds dirty; a file system in memory writes nothing back, and so sets no time. */
const MAPPING = `
import mmap, sys
with open(sys.argv[1], "r+b") as file:
    mapped = mmap.mmap(file.fileno(), 0)
    at = len(mapped) - 100
    mapped[at] = mapped[at]
    print("mapped", flush=True)
    sys.stdin.readline()
    mapped[at] ^= 1
    print("changed", flush=True)
    sys.stdin.readline()
`;

test("a night that was changed through a mapping, which the system does not tell, is found when it is proved again", async () => {
  const path = mkdtempSync("/dev/shm/metasnap-test-");
  using _ = { [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
  cpSync(maker.path, path, { recursive: true });
  const { version } = pointerOf(path);
  const writer = spawn("/usr/bin/python3", ["-c", MAPPING, fileOf(path)]);
  const said = async () => String((await once(writer.stdout, "data"))[0]).trim();
  expect(await said()).toBe("mapped");
  const nights = createSignedNights(path, [loadPublicKey(pub)]);
  await nights.prove(version);
  const identity = nights.identityOf(version);
  writer.stdin.write("\n");
  expect(await said()).toBe("changed");
  expect([nights.identityOf(version), nights.isProved(version)]).toEqual([identity, true]);
  await nights.proveAgain();
  expect([nights.identityOf(version), nights.isProved(version)]).toEqual([identity, false]);
  writer.kill();
});

describe("a crawl with --signing-key", () => {
  test("signs the manifest of each night, and says until when it is the newest", async () => {
    expect(published(maker.path)).toContain(`${first}.json.minisig`);
    const expiry = expiryOf(readFileSync(signatureFileOf(maker.path), "utf8")) ?? "";
    expect(pointerOf(maker.path).expires_at).toBe(expiry);
    const left = (Date.parse(expiry) - statSync(signatureFileOf(maker.path)).mtimeMs) / 3_600_000;
    expect(Math.round(left)).toBe(168);
    const proof = await verify(maker.path);
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
    expect((await verify(folder.path)).stdout).toContain(String(expiryOf(after)));
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
    expect(signatureLine(await verify(folder.path))?.[0]).toBe("ok");
    editText(manifestFileOf(folder.path, second), (text) => text.replace('"faults": {', '"faults": { "x": 1'));
    expect(signatureLine(await verify(folder.path))?.[0]).toBe("FAILED");
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
