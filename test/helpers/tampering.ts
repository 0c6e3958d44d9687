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
import { expect } from "vitest";
import { copyOf, fileOf, manifestFileOf, pointerOf, vouchForLatest } from "./data-folder.ts";
import { publishDays, startFollowing } from "./mirror.ts";
import { createRandom } from "./random.ts";
import { temporaryFolder } from "./run.ts";
import { editText, SIGNED_ENDPOINTS, signatureFileOf, signNights } from "./signed.ts";

const random = createRandom("tampered");

export const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
export const besideOf = (data: string, ending: string) => fileOf(data).replace(/sqlite$/, ending);

export const forgeRecord = (data: string) =>
  rewrite(fileOf(data), "UPDATE record SET json = replace(json, '1', '2') WHERE rowid % 3 = 0");

/** The same rows in other bytes. */
export const repack = (data: string) => rewrite(fileOf(data), "PRAGMA page_size = 8192", "VACUUM");

function rewrite(file: string, ...statements: string[]) {
  const db = new SQLite(file);
  for (const statement of statements) db.exec(statement);
  db.close();
}

/** Changes the latest night, for which pointer and manifest then vouch. */
export async function vouchAfter(data: string, change: (data: string) => void) {
  change(data);
  await vouchForLatest(data);
  rmSync(signatureFileOf(data));
}

/** Flips one of so many bytes before the end, and keeps the times of the file. */
function flip(file: string, most = 2000, end = 0) {
  const { atime, mtime } = statSync(file);
  const bytes = readFileSync(file);
  const at = bytes.length - 1 - end - random.below(Math.min(bytes.length - end, most));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  utimesSync(file, atime, mtime);
}

const edit = (file: string, what: string | RegExp, by: string) => editText(file, (text) => text.replace(what, by));

/** The files of a night, by their names in the list of nights; the copy has none there. */
const ENDINGS = {
  ...{ file: "sqlite", copy: "sqlite.zst", analysts: "analysts.sqlite", changes: "changes.json" },
  ...{ manifest: "json", signature: "json.minisig" },
};
const PATHS = ["/api/heroes?size=50", "/api/heroes/rank?size=50", "/api/heroes/1"];

export interface Listed {
  version: string;
  sha256: string;
  urls: Record<string, string>;
}

/** Two nights that were signed, with copies and changes, a later one that nobody signed, and what somebody does to the two. */
export async function makeTampered() {
  const maker = await signNights("--compress", "--analysts-file");
  const { first, second } = maker;
  const stranger = temporaryFolder();
  const [strange = ""] = await publishDays(stranger.path, [2], ...SIGNED_ENDPOINTS);
  const honest = await readAnswers();

  async function readAnswers() {
    await using mirror = await startFollowing(maker.path);
    return await Promise.all(PATHS.map(async (path) => (await fetch(mirror.url + path)).text()));
  }

  /** Puts the night of somebody else there, under its own name or under that of the latest. */
  function putStrange(data: string, version: string) {
    copyFileSync(fileOf(stranger.path), fileOf(data, version));
    const said = { ...JSON.parse(readFileSync(manifestFileOf(stranger.path), "utf8")), version, sequence: 9 };
    writeFileSync(manifestFileOf(data, version), `${JSON.stringify(said, null, 2)}\n`);
    const pointer = { ...pointerOf(stranger.path), version, sequence: 9 };
    writeFileSync(join(data, "latest.json"), `${JSON.stringify(pointer)}\n`);
  }

  const [FIRST, SECOND, BOTH] = [["first"], ["second"], ["first", "second"]] as const;
  /** The ways to tamper, and the nights of the two that are then still as they were signed. */
  const tamperings: [what: string, left: readonly ("first" | "second")[], tamper: (data: string) => unknown][] = [
    ["another page size", FIRST, (data) => vouchAfter(data, repack)],
    ["other records", FIRST, forgeRecord],
    ["other records that pointer and manifest vouch for", FIRST, (data) => vouchAfter(data, forgeRecord)],
    ["one byte of the file", FIRST, (data) => flip(fileOf(data))],
    ["one byte of the copy", FIRST, (data) => flip(besideOf(data, "sqlite.zst"))],
    ["one byte of the analysts' file", FIRST, (data) => flip(besideOf(data, "analysts.sqlite"))],
    ["one byte of the changes", FIRST, (data) => flip(besideOf(data, "changes.json"))],
    ["one byte of the older file", SECOND, (data) => flip(fileOf(data, first))],
    // Its first line is signed by nobody, and the last letter of base64 has bits that mean nothing.
    ["one byte of the signature", FIRST, (data) => flip(signatureFileOf(data), 80, 6)],
    ["no signature", FIRST, (data) => rmSync(signatureFileOf(data))],
    ["no signature of the older", SECOND, (data) => rmSync(signatureFileOf(data, first))],
    ["the other signature", FIRST, (data) => copyFileSync(signatureFileOf(data, first), signatureFileOf(data))],
    ["a mark in the manifest", FIRST, (data) => edit(manifestFileOf(data), "{", '{\n  "withdrawn": true,')],
    ["another report", FIRST, (data) => edit(manifestFileOf(data), '"faults": {', '"faults": { "x": 1')],
    ["another hash in the pointer", BOTH, (data) => edit(join(data, "latest.json"), /"sha256": "../, '"sha256": "00')],
    ["a later night that nobody signed", BOTH, (data) => putStrange(data, strange)],
    ["a night that nobody signed under the name of the latest", FIRST, (data) => putStrange(data, second)],
    ["the file of the older night", FIRST, (data) => copyFileSync(fileOf(data, first), fileOf(data))],
    ["a longer file", FIRST, (data) => appendFileSync(fileOf(data), Buffer.alloc(4096))],
    ["no file", FIRST, (data) => rmSync(fileOf(data))],
  ];

  /** Tampers with a folder that is served: a new file takes the place of the old one, or is written into it. */
  async function tamperWith(data: string, tamper: (data: string) => unknown, how: "replaced" | "written") {
    using other = copyOf(data);
    await tamper(other.path);
    for (const version of [first, second, strange])
      for (const ending of Object.values(ENDINGS)) {
        const name = join("snapshots", `${version}.${ending}`);
        put(join(other.path, name), join(data, name), how);
      }
    put(join(other.path, "latest.json"), join(data, "latest.json"), how);
  }

  /** Throws if an answer is not what was signed; tells how much is served. */
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
    for (const [name, ending] of Object.entries(ENDINGS)) {
      const path = name === "copy" ? `/snapshots/${version}.sqlite.zst` : urls[name];
      const answer = path ? await fetch(url + path) : undefined;
      // It may have been found out between the list and the file.
      if (answer?.status !== 200) continue;
      const right = readFileSync(fileOf(maker.path, version).replace(/sqlite$/, ending));
      expect([name, sha256(Buffer.from(await answer.arrayBuffer()))]).toEqual([name, sha256(right)]);
    }
  }

  return {
    ...maker,
    strange,
    tamperings,
    tamperWith,
    judge,
    [Symbol.dispose]() {
      maker[Symbol.dispose]();
      stranger[Symbol.dispose]();
    },
  };
}

function put(from: string, to: string, how: "replaced" | "written") {
  if (!existsSync(from)) return rmSync(to, { force: true });
  const bytes = readFileSync(from);
  if (existsSync(to) && bytes.equals(readFileSync(to))) return undefined;
  if (how === "written") return writeFileSync(to, bytes);
  writeFileSync(`${to}.new`, bytes);
  return renameSync(`${to}.new`, to);
}
