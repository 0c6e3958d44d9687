/** `nights`: what it says of folders as crawls, people and disks leave them. */
import { copyFileSync, lstatSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readHeader } from "../../src/journal/file.ts";
import { readHeaderUnlocked } from "../../src/journal/unlocked.ts";
import type { FolderState } from "../../src/snapshot/read/folder-state.ts";
import { copyOf, fileOf, manifestFileOf } from "../helpers/data-folder.ts";
import { copyOfFirst, fewNights } from "../helpers/few-nights.ts";
import { publishDays } from "../helpers/mirror.ts";
import { journalPath, journalsOf, startJournals } from "../helpers/own-journals.ts";
import { startNights } from "../helpers/own-nights.ts";
import { LITTLE, RATES, runCommand, runProcess, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

/** Names, sizes and times of all that lies in a folder. */
const listFiles = (data: string) =>
  readdirSync(data, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => [name, lstatSync(join(data, name)).size, lstatSync(join(data, name)).mtimeMs]);

/** What it says in JSON and to people; it leaves the folder as it was. */
async function look(data: string) {
  const before = listFiles(data);
  const json = await runCommand("nights", ["--data", data, "--json"]);
  const { code, stdout, stderr } = await runCommand("nights", ["--data", data]);
  expect(listFiles(data)).toEqual(before);
  expect([json.code, code, json.stderr]).toEqual([0, 0, ""]);
  return { state: JSON.parse(json.stdout) as FolderState, said: stdout, stderr };
}

const statesOf = ({ nights }: FolderState) => nights.map(({ version, state }) => [version, state]);

describe("a folder", () => {
  test("that is not there is a mistake, and one that is empty is none", async () => {
    using folder = temporaryFolder();
    const missing = await runCommand("nights", ["--data", join(folder.path, "none")]);
    expect([missing.code, missing.stdout]).toEqual([64, ""]);
    expect(missing.stderr).toMatch(
      /^\S+none: is no folder; name another folder with --data, or crawl into this one\n$/,
    );
    const { state, said, stderr } = await look(folder.path);
    expect(state).toMatchObject({ data: folder.path, nights: [], journals: [], last_crawl: null, damaged: [] });
    expect(said).toMatch(
      /^latest: none; `npm run crawl` or `npm run pull` brings the first\nlast crawl: none has ended here\nspace: 0\.0 MB of snapshots, 0\.0 MB of journals, \S+ MB are free\n$/,
    );
    expect(stderr).toBe("");
  });

  test("with nights lists them in the order of publication, says which is the latest, and marks what was withdrawn and subsets", async () => {
    const [first = "", second = ""] = fewNights.versions;
    using folder = copyOfFirst(2);
    const { state, said } = await look(folder.path);
    expect(statesOf(state)).toEqual([
      [first, "earlier"],
      [second, "latest"],
    ]);
    const size = lstatSync(fileOf(folder.path)).size;
    const [, night] = state.nights;
    expect(night).toMatchObject({ sequence: 2, size, closed_parts: 0, slices: { carried: 0, missing: 0 } });
    expect(night?.slices?.captured).toBe(6);
    expect(state.last_crawl).toMatchObject({ exit_code: 0, version: second });
    expect(state.bytes.snapshots).toBeGreaterThan(2 * size);
    expect(state.journals).toEqual([]);
    expect(said).toMatch(new RegExp(`│ ${first} .* │ +│\n│ ${second} .* │ latest │\n`));
    expect(said).toMatch(new RegExp(`^latest: ${second}, .* old$`, "m"));
    expect(said).toMatch(new RegExp(`^last crawl: ended with 0 at \\S+Z, after \\d+ s, and published ${second}$`, "m"));
    await runCommand("rollback", ["--data", folder.path]);
    const back = await look(folder.path);
    expect(statesOf(back.state)).toEqual([
      [first, "latest"],
      [second, "withdrawn"],
    ]);
    expect(back.said).toMatch(new RegExp(`^latest: ${first}, `, "m"));
    const [third = ""] = await publishDays(folder.path, [2], ...RATES);
    await using upstream = await startUpstream(3);
    const part = ["--upstream", upstream.url, "--data", folder.path, "--languages", "en", "--endpoints", "heroes"];
    const [subset] = (await runCommand("crawl", part)).events.filter(({ event }) => event === "published");
    expect(statesOf((await look(folder.path)).state)).toEqual([
      [first, "earlier"],
      [second, "withdrawn"],
      [third, "latest"],
      [subset?.version, "subset"],
    ]);
  });

  test("whose upstream has closed a part says what is carried over and missing", async () => {
    await using nights = await startNights(2, [
      "--languages",
      "en,de,ja,ko",
      "--ranks",
      "all",
      "--days",
      "7",
      "--attempts",
      "1",
    ]);
    await nights.crawl(0);
    nights.change({
      intercept(req, res) {
        const isClosed = /\/ratings/.test(req.url ?? "");
        if (isClosed) res.writeHead(200, { "content-type": "application/json" }).end('{"code":-1,"message":"closed"}');
        return isClosed;
      },
    });
    const ended = await nights.crawl(86_400);
    expect([ended.code, ended.stderr]).toEqual([7, ""]);
    const [whole, carried] = (await look(nights.data)).state.nights;
    expect(whole).toMatchObject({ closed_parts: 0, slices: { carried: 0, missing: 0 } });
    expect(carried?.closed_parts).toBeGreaterThan(0);
    const { captured = 0, carried: kept = 0, missing } = carried?.slices ?? {};
    expect([captured + kept, kept > 0, missing]).toEqual([whole?.slices?.captured, true, 0]);
  });

  test("in which things are damaged has one line for each, and the rest", async () => {
    using folder = copyOf(fewNights.data);
    const { path } = folder;
    const [first = "", second = "", third = ""] = fewNights.versions;
    truncateSync(fileOf(path, first), 4096);
    writeFileSync(manifestFileOf(path, second), "{}");
    writeFileSync(join(path, "latest.json"), "{");
    writeFileSync(join(path, "last-crawl.json"), "[]");
    writeFileSync(join(path, "withdrawn.json"), "{");
    writeFileSync(journalPath(path, "20200101T000000Z-001.journal"), "no journal");
    copyFileSync(fileOf(path, third), journalPath(path, "20200101T000000Z-002.journal"));
    const { state, said, stderr } = await look(path);
    expect(statesOf(state)).toEqual([
      [first, "earlier"],
      [third, "earlier"],
    ]);
    expect(state.nights[0]).toMatchObject({ slices: null, closed_parts: null });
    expect(said).toMatch(new RegExp(`│ ${first} .* │ earlier, unreadable │\n`));
    expect(said).toContain("latest: none");
    expect(stderr.trimEnd().split("\n")).toEqual(state.damaged);
    const at = (name: string) => join(path, name).replaceAll(".", "\\.");
    expect(state.damaged).toEqual([
      expect.stringMatching(new RegExp(`^${at("latest.json")}: is not a pointer of metasnap$`)),
      expect.stringMatching(new RegExp(`^${at(`snapshots/${second}.json`)}: is damaged$`)),
      expect.stringMatching(new RegExp(`^${at("last-crawl.json")}: is damaged$`)),
      expect.stringMatching(new RegExp(`^${at("withdrawn.json")}: is damaged: `)),
      expect.stringMatching(new RegExp(`^${at(`snapshots/${first}.sqlite`)}: is damaged \\(4096 bytes, `)),
      expect.stringMatching(
        new RegExp(`^${at("journals/20200101T000000Z-001.journal")}: is not a journal of metasnap$`),
      ),
      expect.stringMatching(
        new RegExp(`^${at("journals/20200101T000000Z-002.journal")}: is not a journal of metasnap$`),
      ),
    ]);
  });

  test("whose pointer names what is gone says so", async () => {
    const [only = ""] = fewNights.versions;
    using folder = copyOfFirst(1);
    rmSync(fileOf(folder.path));
    const { state, stderr } = await look(folder.path);
    expect(state.nights).toEqual([]);
    expect(stderr).toBe(`${join(folder.path, "latest.json")}: names ${only}, which is not published here\n`);
  });
});

describe("a journal", () => {
  test("that waits for its build is named, until it is built", async () => {
    await using nights = await startJournals();
    await nights.crawl(0);
    await nights.killInBuild(1);
    const { state, said } = await look(nights.data);
    const [name = ""] = journalsOf(nights.data)
      .filter((one) => one.endsWith(".journal"))
      .slice(-1);
    expect(state.journals).toMatchObject([{ file: journalPath(nights.data, name), state: "not built" }]);
    expect(said).toMatch(
      /^not built: \/\S+\.journal, begun \S+Z, last written \S+Z, \d+\.\d MB; `npm run build` publishes it$/m,
    );
    expect((await nights.build()).code).toBe(0);
    expect((await look(nights.data)).state.journals).toEqual([]);
  });

  /** An upstream that answers some questions, and lets the others wait until it is told to go on. */
  async function startHeld() {
    let [answers, isFree] = [20, false];
    const upstream = await startUpstream(3, () => {
      answers -= 1;
      return answers < 0 && !isFree;
    });
    return {
      ...upstream,
      isHeld: () => answers < 0,
      release() {
        isFree = true;
      },
    };
  }

  test.for(["SIGKILL", "SIGINT"] as const)(
    "of a crawl that got %s is unfinished, and stays as it is",
    async (signal) => {
      using folder = temporaryFolder();
      await using upstream = await startHeld();
      const words = ["--upstream", upstream.url, "--data", folder.path, "--rate", "5000", ...LITTLE, "--allow-partial"];
      const { child, ended } = startCommand("crawl", words);
      await expect.poll(upstream.isHeld).toBe(true);
      child.kill(signal);
      await ended;
      const [file = ""] = journalsOf(folder.path).filter((name) => name.endsWith(".journal"));
      const path = journalPath(folder.path, file);
      const { state, said } = await look(folder.path);
      const unlocked = readHeaderUnlocked(path);
      expect(state.journals).toMatchObject([{ file: path, state: "unfinished", began_at: unlocked.started_at }]);
      expect(said).toMatch(/^unfinished: \/\S+\.journal, begun .* MB; the same crawl continues it$/m);
      // SQLite reads the same of it, and may change the files for that.
      expect(unlocked).toEqual(readHeader(path));
    },
  );

  test("of a crawl that runs is told, and the crawl is not disturbed (as a process)", async () => {
    using folder = temporaryFolder();
    await using upstream = await startHeld();
    const words = ["--upstream", upstream.url, "--data", folder.path, "--rate", "5000", ...LITTLE, "--allow-partial"];
    const { ended } = startCommand("crawl", [...words, "--timeout", "2"]);
    await expect.poll(upstream.isHeld).toBe(true);
    for (let time = 0; time < 2; time += 1) {
      const { code, stdout, stderr } = await runProcess("nights", ["--data", folder.path, "--json"]);
      expect([code, stderr]).toEqual([0, ""]);
      expect((JSON.parse(stdout) as FolderState).journals).toMatchObject([{ state: "unfinished" }]);
    }
    upstream.release();
    expect(await ended).toMatchObject({ code: 0, stderr: "" });
    expect((await look(folder.path)).state).toMatchObject({ nights: [{ state: "latest" }], journals: [] });
  });
});
