import { hash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Format } from "../../../src/extra/nights/export/export.ts";
import { COMPANION_NAMES, COMPANIONS } from "../../../src/snapshot/published/folder.ts";
import { findUnlike, listFiles } from "../api-files.ts";
import { fileOf, manifestOf, pointerOf, published, withdrawnOf } from "../data-folder.ts";
import { copyOfNight } from "../exported.ts";
import { publishDays } from "../mirror.ts";
import { bytesOf } from "../public-files.ts";
import { RATES, runCommand, temporaryFolder } from "../run.ts";
import { startSource } from "../upstream/source.ts";
import { world } from "../world.ts";
import { copyAtSteps } from "./at-steps.ts";

/** A command that changes a folder from which others read meanwhile. */
interface Release {
  name: string;
  words(folder: string): [command: string, ...words: string[]];
  /** Lays the folder as it is before; without it the folder is empty. */
  lay?(folder: string): unknown;
  /** Throws where a reader finds a half of something. */
  judge?(left: string, sides: Sides): unknown;
}

/** The files that readers know, by their bytes: before the run, and after one that nobody has killed. */
interface Sides {
  was: Map<string, string>;
  is: Map<string, string>;
}

/** Readers see no drafts, notes and journals. The list of withdrawn nights is compared by its content. */
const isShown = (path: string) => !/(?:^|\/)\.|\.draft$|^(?:last-crawl|proofs|withdrawn)\.json$|^journals\//.test(path);

const shownIn = (folder: string) => new Map(Object.entries(bytesOf(folder)).filter(([path]) => isShown(path)));

/** The files and the withdrawn nights that a reader finds. */
export const describeShown = (folder: string) => [withdrawnOf(folder), ...shownIn(folder)];

/** The same, and the names of all other files. */
export const describeFolder = (folder: string) => [
  ...listFiles(folder).filter((path) => path !== "withdrawn.json"),
  ...describeShown(folder),
];

const runRelease = ({ words }: Pick<Release, "words">, folder: string) => {
  const [command, ...more] = words(folder);
  return runCommand(command, more);
};

/**
 * Runs a release that nobody kills, with a copy of its folder before each step; `judge` then takes such a copy, or what a kill has left of
 * another run.
 */
export async function runWhole(release: Release) {
  const folder = temporaryFolder();
  const inFolder = (name: string) => join(folder.path, name);
  const [before, whole, copies] = [inFolder("before"), inFolder("whole"), inFolder("copies")];
  mkdirSync(before);
  await release.lay?.(before);
  cpSync(before, whole, { recursive: true });
  const lefts = await copyAtSteps(release.words(whole), { from: whole, to: copies });
  const sides = { was: shownIn(before), is: shownIn(whole) };
  const known = new Set([...sides.was.values(), ...sides.is.values()]);

  return {
    before,
    steps: lefts.length,
    /** Returns one copy for each description, the last: of those that look alike to a reader it has the most drafts. */
    lastOfEach: (describe: (folder: string) => unknown) => [
      ...new Map(lefts.map((left) => [JSON.stringify(describe(left)), left])).values(),
    ],
    /** Throws unless readers find in it what was or what is, and the next run makes all of it what is. */
    async judge(left: string) {
      const shown = shownIn(left);
      expect(
        [...shown].filter(([, bytes]) => !known.has(bytes)),
        left,
      ).toEqual([]);
      await release.judge?.(left, sides);
      const { code, stderr } = await runRelease(release, left);
      expect([code, stderr], left).toEqual([expect.toBeOneOf([0, 2]), ""]);
      if (code === 2) expect(shown.get("latest.json"), left).toBe(sides.is.get("latest.json"));
      expect(describeFolder(left), left).toEqual(describeFolder(whole));
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** The pointer names a night that is whole, and no manifest lies there without its file. */
function judgeNights(left: string) {
  const { version, sha256 } = pointerOf(left);
  const manifest = manifestOf(left, version);
  const beside = COMPANION_NAMES.map((name) => [COMPANIONS[name], manifest[name]?.sha256]);
  for (const [ending, bytes] of [["sqlite", sha256], ...beside]) {
    const file = fileOf(left, version).replace(/sqlite$/, ending);
    if (bytes !== undefined) expect(hash("sha256", readFileSync(file)), ending).toBe(bytes);
  }
  for (const name of published(left).filter((one) => /^[^.]+\.json$/.test(one)))
    expect(published(left)).toContain(name.replace(/json$/, "sqlite"));
}

async function judgeServed(left: string) {
  judgeNights(left);
  const { code, stdout } = await runCommand("serve", ["--data", left, "--get", "/api/heroes"]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\{"code":0,.*"total":3\}\}\n$/)]);
}

/** Expects each part of a table and day once: not two, and not none. */
function judgeParts(left: string, { is }: Sides) {
  expect([...shownIn(left).keys()].map(dirname).sort()).toEqual([...is.keys()].map(dirname).sort());
  judgeNoted(left);
}

/** Expects the parts that the index names, of the size that it says: a part that it does not name is written again. */
function judgeNoted(left: string) {
  const indexes = readdirSync(left).filter((name) => /^\.exported-.*\.json$/.test(name));
  const said = indexes.map((name) => JSON.parse(readFileSync(join(left, name), "utf8")));
  const { nights = {}, format: _, ...months } = Object.assign({}, ...said);
  const sizeOf = (table: string, path: string) =>
    listFiles(left)
      .filter((file) => file.startsWith(`table=${table}/${path}`))
      .map((file) => statSync(join(left, file)).size);
  for (const [version, { day, tables }] of Object.entries(nights as Record<string, { day: string; tables: object }>))
    for (const [table, bytes] of Object.entries(tables))
      expect(sizeOf(table, `snapshot_date=${day}/${version}.`), table).toEqual([bytes]);
  for (const [month, tables] of Object.entries(months))
    for (const [table, { bytes }] of Object.entries(tables as Record<string, { bytes: number }>))
      expect(sizeOf(table, `month=${month}/`), table).toEqual([bytes]);
}

const judgeNames = (left: string, { is }: Sides) => expect([...shownIn(left).keys()]).toEqual([...is.keys()]);

/** The files are all of one night, or they are not what the index says. */
function judgeIndex(left: string, { was, is }: Sides) {
  if (existsSync(join(left, "index.json")) && findUnlike(left).length === 0)
    expect([was, is]).toContainEqual(shownIn(left));
}

/** Two small nights, the first of them alone with the journal of the second, and another night of the world's first day. */
export async function makeNights() {
  const made = temporaryFolder();
  const [first, both, later] = [join(made.path, "first"), join(made.path, "both"), join(made.path, "later.sqlite")];
  const beside = ["--compress", "--analysts-file", "--history-file"];
  const publish = (data: string, day: number) => publishDays(data, [day], ...RATES, ...beside);
  const [before = ""] = await publish(first, 0);
  cpSync(first, both, { recursive: true });
  await runCommand("history", ["--data", both]);
  await publish(both, 1);
  cpSync(join(both, "journals"), join(first, "journals"), { recursive: true });
  copyOfNight(world.nights.files[1] ?? "", later, "20260801T040000Z-00000000", "2026-08-01T04:00:00Z");
  const source = await startSource(both);
  await runCommand("history", ["--data", both]);
  return {
    ...{ first, both, later, before, source: source.url },
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]();
      made[Symbol.dispose]();
    },
  };
}

type Nights = Awaited<ReturnType<typeof makeNights>>;

const layCopy = (from: string) => (folder: string) => cpSync(from, folder, { recursive: true });

/** Commands that publish nights, the build with more options. */
export const nightReleases = ({ first, both, before, source }: Nights, ...more: string[]): Release[] => [
  {
    name: "build",
    words: (folder) => ["build", "--data", folder, "--allow-partial", ...more],
    lay: layCopy(first),
    judge: judgeServed,
  },
  {
    name: "pull",
    words: (folder) => ["pull", source, "--data", folder, ...more],
    lay: layCopy(first),
    judge: judgeServed,
  },
  {
    name: "pull --history",
    words: (folder) => ["pull", source, "--data", folder, "--history"],
    lay: layCopy(first),
    judge: judgeServed,
  },
  {
    name: "rollback",
    words: (folder) => ["rollback", "--data", folder, "--to", before],
    lay: layCopy(both),
    judge: judgeServed,
  },
  {
    name: "publish-to",
    words: (folder) => ["publish-to", folder, "--data", both, "--keep", "1"],
    lay: (folder) => runCommand("publish-to", [folder, "--data", first]),
    judge: judgeNights,
  },
  {
    name: "history --fresh",
    words: (folder) => ["history", "--data", both, "--file", join(folder, "history.sqlite"), "--fresh"],
    lay: (folder) => runCommand("history", ["--data", first, "--file", join(folder, "history.sqlite")]),
  },
];

/** An export of two tables over those of another night. */
export function tablesRelease({ later }: Nights, format: Format, partition: boolean): Release {
  const [first = "", second = ""] = world.nights.files;
  const words =
    (night: string) =>
    (folder: string): [string, ...string[]] => [
      "export",
      ...["--format", format, "--tables", "hero,item", "--out", folder, ...(partition ? ["--partition"] : [])],
      night,
    ];
  return {
    name: `export as ${format}${partition ? ", by day" : ""}`,
    words: words(partition ? later : second),
    lay: (folder) => runRelease({ words: words(first) }, folder),
    judge: partition ? judgeParts : judgeNames,
  };
}

const filesOf =
  (night: string | undefined, ...more: string[]) =>
  (folder: string): [string, ...string[]] => ["export", "--format", "api", "--out", folder, ...more, night ?? ""];

/** The other exports. */
export const exportReleases = ({ both }: Pick<Nights, "both">): Release[] => [
  {
    name: "export by month",
    words: (folder) => [
      "export",
      ...["--data", both, "--out", folder],
      ...["--all", "--by-month", "--tables", "hero_rate,hero_text"],
    ],
    judge: judgeNoted,
  },
  {
    name: "export of all nights",
    words: (folder) => [
      "export",
      ...["--data", world.nights.data, "--out", folder],
      ...["--all", "--partition", "--tables", "item"],
    ],
    judge: judgeNoted,
  },
  {
    name: "export of files",
    words: filesOf(world.nights.files[1], "--datasets", "heroes,versions"),
    judge: judgeIndex,
  },
  {
    name: "export of more files and fewer",
    words: filesOf(world.nights.files[1], "--datasets", "heroes", "--languages", "de"),
    lay: (folder) => runRelease({ words: filesOf(world.nights.files[0], "--datasets", "heroes,versions") }, folder),
    judge: judgeIndex,
  },
];
