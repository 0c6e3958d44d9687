/** What a mirror with `--key` serves of a folder, or takes from a source, in which somebody else writes. */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publicFileOf } from "../../src/snapshot/signature/key-files.ts";
import { copyOf, fileOf, manifestFileOf, pointerOf, vouchForLatest } from "../helpers/data-folder.ts";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { publishDays } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startSource } from "../helpers/upstream/source.ts";

const draw = createDraw("tampered");
const keys = temporaryFolder();
const [secret, otherSecret] = [join(keys.path, "metasnap.key"), join(keys.path, "other.key")];
const pub = publicFileOf(secret);

/** Two nights that were signed, with their copies and what changed. */
const maker = temporaryFolder();
/** Nights that nobody signed, later than those. */
const stranger = temporaryFolder();
const ENDPOINTS = ["--endpoints", "heroes,rank,hero,stats"];
let [first = "", second = ""]: string[] = [];
beforeAll(async () => {
  for (const file of [secret, otherSecret]) expect((await runCommand("keys", ["--out", file])).code).toBe(0);
  [first = "", second = ""] = await publishDays(
    maker.path,
    [0, 1],
    ...ENDPOINTS,
    "--compress",
    "--signing-key",
    secret,
  );
  await publishDays(stranger.path, [2], ...ENDPOINTS);
});
afterAll(() => {
  for (const folder of [keys, maker, stranger]) folder[Symbol.dispose]();
});

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const edit = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, "utf8")));
const signatureOf = (data: string, version?: string) => `${manifestFileOf(data, version)}.minisig`;
const besideOf = (data: string, ending: string) => fileOf(data).replace(/sqlite$/, ending);

function rewrite(file: string, ...statements: string[]) {
  const db = new SQLite(file);
  for (const statement of statements) db.exec(statement);
  db.close();
}

/** One of so many bytes before the end, with the times that the file had. */
function flip(file: string, most = 2000, end = 0) {
  const { atime, mtime } = statSync(file);
  const bytes = readFileSync(file);
  const at = bytes.length - 1 - end - draw.below(Math.min(bytes.length - end, most));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  utimesSync(file, atime, mtime);
}

const startOf = (text: string, line: number) => text.split("\n").slice(0, line).join("\n").length + 1;

/** The night of somebody else, under its name or under that of the latest. */
function putStrange(data: string, version: string) {
  copyFileSync(fileOf(stranger.path), fileOf(data, version));
  const said = { ...JSON.parse(readFileSync(manifestFileOf(stranger.path), "utf8")), version, sequence: 9 };
  writeFileSync(manifestFileOf(data, version), `${JSON.stringify(said, null, 2)}\n`);
  writeFileSync(
    join(data, "latest.json"),
    `${JSON.stringify({ ...pointerOf(stranger.path), version, sequence: 9 })}\n`,
  );
}

const forgeRecord = "UPDATE record SET json = replace(json, '1', '2') WHERE rowid % 3 = 0";
const TAMPERINGS: [name: string, tamper: (data: string) => unknown][] = [
  ["another page size", (data) => vouchAfter(data, () => rewrite(fileOf(data), "PRAGMA page_size = 8192", "VACUUM"))],
  ["another page size, with the signature", (data) => rewrite(fileOf(data), "PRAGMA page_size = 8192", "VACUUM")],
  ["other records", (data) => rewrite(fileOf(data), forgeRecord)],
  [
    "other records that pointer and manifest vouch for",
    (data) => vouchAfter(data, () => rewrite(fileOf(data), forgeRecord)),
  ],
  ["one byte of the file", (data) => flip(fileOf(data))],
  ["one byte of the copy", (data) => flip(besideOf(data, "sqlite.zst"))],
  ["one byte of the changes", (data) => flip(besideOf(data, "changes.json"))],
  ["one byte of the older file", (data) => flip(fileOf(data, first))],
  // Its first line is signed by nobody, and the last letter of base64 has bits that mean nothing.
  ["one byte of the signature", (data) => flip(signatureOf(data), 80, 6)],
  ["no signature", (data) => rmSync(signatureOf(data))],
  ["no signature of the older", (data) => rmSync(signatureOf(data, first))],
  ["the signature of the other night", (data) => copyFileSync(signatureOf(data, first), signatureOf(data))],
  [
    "a mark in the manifest",
    (data) => edit(manifestFileOf(data), (text) => text.replace("{", '{\n  "withdrawn": true,')),
  ],
  ["another report", (data) => edit(manifestFileOf(data), (text) => text.replace('"faults": {', '"faults": { "x": 1'))],
  [
    "another hash in the pointer",
    (data) => edit(join(data, "latest.json"), (text) => text.replace(/"sha256": "../, '"sha256": "00')),
  ],
  ["a later night that nobody signed", (data) => putStrange(data, pointerOf(stranger.path).version)],
  ["a night that nobody signed under the name of the latest", (data) => putStrange(data, second)],
  ["the file of the older night", (data) => copyFileSync(fileOf(data, first), fileOf(data))],
  ["a longer file", (data) => appendFileSync(fileOf(data), Buffer.alloc(4096))],
  ["no file", (data) => rmSync(fileOf(data))],
];

async function vouchAfter(data: string, change: () => void) {
  change();
  await vouchForLatest(data);
  rmSync(signatureOf(data));
}

/** In the place of another file, as programs write, or into it. */
async function tamperWith(data: string, tamper: (data: string) => unknown, how: "replaced" | "written") {
  using other = copyOf(data);
  await tamper(other.path);
  for (const version of [first, second, pointerOf(stranger.path).version])
    for (const ending of ["sqlite", "sqlite.zst", "changes.json", "json", "json.minisig"]) {
      const name = join("snapshots", `${version}.${ending}`);
      put(join(other.path, name), join(data, name), how);
    }
  put(join(other.path, "latest.json"), join(data, "latest.json"), how);
}

function put(from: string, to: string, how: "replaced" | "written") {
  if (!existsSync(from)) return rmSync(to, { force: true });
  const bytes = readFileSync(from);
  if (existsSync(to) && bytes.equals(readFileSync(to))) return undefined;
  if (how === "written") return writeFileSync(to, bytes);
  writeFileSync(`${to}.new`, bytes);
  return renameSync(`${to}.new`, to);
}

interface Listed {
  version: string;
  sha256: string;
  urls: Record<string, string>;
}

const PATHS = ["/api/heroes?size=50", "/api/heroes/rank?size=50", "/api/heroes/1"];
let honest: string[] = [];
beforeAll(async () => {
  await using mirror = await startServe(["--data", maker.path]);
  honest = await Promise.all(PATHS.map(async (path) => (await fetch(mirror.url + path)).text()));
});

/** Whatever is answered is what was signed; how much of it is. */
async function judge(url: string) {
  const answers = await Promise.all(PATHS.map((path) => fetch(url + path)));
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  const statuses = answers.map(({ status }) => status);
  statuses.forEach((status, at) => {
    if (status === 200) expect(texts[at]).toBe(honest[at]);
    else expect([status, texts[at]]).toEqual([503, expect.stringContaining("NOT_READY")]);
  });
  const list = await fetch(`${url}/snapshots/`);
  if (list.status !== 200) return { statuses, versions: [] };
  const { records } = ((await list.json()) as { data: { records: Listed[] } }).data;
  for (const { version, urls } of records) await judgeFiles(url, version, urls);
  return { statuses, versions: records.map(({ version }) => version) };
}

async function judgeFiles(url: string, version: string, urls: Record<string, string>) {
  for (const [name, ending] of [
    ["file", "sqlite"],
    ["manifest", "json"],
    ["signature", "json.minisig"],
    ["changes", "changes.json"],
    ["copy", "sqlite.zst"],
  ]) {
    const path = name === "copy" ? `/snapshots/${version}.sqlite.zst` : urls[name ?? ""];
    const answer = path ? await fetch(url + path) : undefined;
    // It may have been found out between the list and the file.
    if (answer?.status !== 200) continue;
    const right = readFileSync(fileOf(maker.path, version).replace(/sqlite$/, ending ?? ""));
    expect([name, sha256(Buffer.from(await answer.arrayBuffer()))]).toEqual([name, sha256(right)]);
  }
}

describe("with a key", () => {
  drawTests(2);

  test("what is in hand and was not signed so is fetched again, and not said to be unchanged", async () => {
    using forged = copyOf(maker.path);
    using mine = temporaryFolder();
    await vouchAfter(forged.path, () => rewrite(fileOf(forged.path), "PRAGMA page_size = 8192", "VACUUM"));
    await using source = await startSource(forged.path);
    const pulled = (...more: string[]) =>
      runCommand("pull", [source.url, "--data", mine.path, "--allow-partial", ...more]);
    expect((await pulled()).code).toBe(0);
    expect(sha256(readFileSync(fileOf(mine.path)))).not.toBe(pointerOf(maker.path).sha256);
    source.data = maker.path;
    const healed = await pulled("--key", pub);
    expect([healed.code, healed.stdout]).toEqual([
      0,
      expect.stringMatching(/ was not what had been published, and is replaced: \S+: has no sig/),
    ]);
    expect(sha256(readFileSync(fileOf(mine.path)))).toBe(pointerOf(maker.path).sha256);
    expect((await pulled("--key", pub)).code).toBe(2);
    expect((await runCommand("verify", ["--data", mine.path, "--key", pub])).code).toBe(0);
  });

  test.for(draw.some(TAMPERINGS, 1))(
    `serves nothing of a folder that was tampered with (${drawn}): %s`,
    async ([, tamper]) => {
      using mine = copyOf(maker.path);
      using later = copyOf(maker.path);
      await tamper(mine.path);
      await using source = await startSource(maker.path);
      const more = ["--key", pub, "--every", "1s", "--allow-partial", "--workers", draw.pick(["1", "2"])];
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
    },
  );

  test("is out of service while it is not what was signed, and its source has nothing better", async () => {
    using mine = copyOf(maker.path);
    await using source = await startSource(maker.path);
    const args = ["--data", mine.path, "--key", pub, "--allow-partial"];
    await using mirror = await startServe(["--follow", source.url, "--every", "1s", ...args]);
    await expect.poll(async () => (await judge(mirror.url)).versions.length).toBe(2);
    source.fault = ({ res }) => Boolean(res.writeHead(500).end());
    await tamperWith(mine.path, (data) => rewrite(fileOf(data), forgeRecord), "written");
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
    while (refused.stderr.includes("is working in this folder")) refused = await start();
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

  test(`serves nothing of a source that tampers with signatures (${drawn})`, async () => {
    using theirs = copyOf(maker.path);
    using mine = copyOf(maker.path);
    expect((await runCommand("rollback", ["--data", mine.path])).code).toBe(0);
    for (const ending of ["sqlite", "sqlite.zst", "changes.json", "json", "json.minisig"])
      rmSync(besideOf(mine.path, ending).replace(first, second));
    await using source = await startSource(theirs.path);
    const signature = signatureOf(theirs.path);
    const right = readFileSync(signature, "utf8");
    writeFileSync(signature, right.replace(/expires_at:\d{4}/, "expires_at:9998"));
    const args = ["--follow", source.url, "--key", pub, "--every", "1s", "--data", mine.path, "--allow-partial"];
    await using mirror = await startServe(args);
    const refusals = () =>
      mirror.log().match(/"event":"cannot-follow"[^\n]*(?:was signed by|has no signature)/g)?.length ?? 0;
    for (let turn = 0; turn < draw.many(20, 3); turn += 1) {
      const before = refusals();
      await expect.poll(refusals).toBeGreaterThan(before + 1);
      expect(pointerOf(mine.path).version).toBe(first);
      const list = (await (await fetch(`${mirror.url}/snapshots/`)).json()) as { data: { records: Listed[] } };
      expect(list.data.records.map(({ version }) => version)).toEqual([first]);
      // Its first line is a comment that nobody signs, and the last digits of a line in base64 have bits that say nothing.
      const at = draw.pick([1, 2, 3].map((line) => startOf(right, line) + draw.below(80)));
      const other = right[at] === "A" ? "B" : "A";
      writeFileSync(
        signature,
        right.slice(0, at) + draw.pick([other, "", `${other}${right[at]}`]) + right.slice(at + 1),
      );
    }
    writeFileSync(signature, right);
    await expect.poll(async () => (await judge(mirror.url)).statuses).toEqual([200, 200, 200]);
    expect(pointerOf(mine.path).version).toBe(second);
  });
});
