import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyOf, fileOf, manifestFileOf, manifestOf, pointerOf, withdrawnOf } from "../helpers/data-folder.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startSource } from "../helpers/upstream/source.ts";

const FEW = ["--endpoints", "heroes,rank,hero,stats,lane"];
const world = temporaryFolder();
/** Three nights in the order of their publication; the clock was set back before the second. */
let versions: string[] = [];
beforeAll(async () => {
  versions = await publishDays(world.path, [5, 1, 7], ...FEW);
});
afterAll(() => world[Symbol.dispose]());

const rollback = (data: string, ...args: string[]) => runCommand("rollback", ["--data", data, ...args]);
const history = (data: string, ...args: string[]) => runCommand("history", ["--data", data, ...args]);

describe("the order of publication", () => {
  test("is a number in the pointer and the manifests, whatever the clock said", () => {
    expect(versions.map((version) => manifestOf(world.path, version).sequence)).toEqual([1, 2, 3]);
    expect(versions.map((version) => manifestOf(world.path, version).follows)).toEqual([
      null,
      versions[0],
      versions[1],
    ]);
    expect(pointerOf(world.path)).toMatchObject({ version: versions[2], sequence: 3 });
    expect((versions[1] ?? "") < (versions[0] ?? "")).toBe(true);
  });

  test("is what rollback and diff go by, which pass over what was withdrawn", async () => {
    using folder = copyOf(world.path);
    const data = folder.path;
    const [first, second, third] = versions;
    const latest = async () => [(await rollback(data)).code, pointerOf(data).version];
    const withdrawn = () => versions.filter((version) => withdrawnOf(data).includes(version));
    const compared = async () => {
      const { before, after } = JSON.parse((await runCommand("diff", ["--data", data, "--json"])).stdout);
      return [before.version, after.version];
    };
    expect(await compared()).toEqual([second, third]);
    expect(await latest()).toEqual([0, second]);
    expect(withdrawn()).toEqual([third]);
    expect(await compared()).toEqual([first, second]);
    expect(await latest()).toEqual([0, first]);
    expect(withdrawn()).toEqual([second, third]);
    expect(await rollback(data)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("is the first that was published"),
    });
    // Forward again: nothing was published meanwhile, so that all of them stand.
    await rollback(data, "--to", third ?? "");
    expect(withdrawn()).toEqual([]);
    // Back past two, and another night on top.
    await rollback(data, "--to", first ?? "");
    const [fourth] = await publishDays(data, [2], ...FEW);
    expect(manifestOf(data, fourth)).toMatchObject({ sequence: 4, follows: first });
    expect(withdrawn()).toEqual([second, third]);
    expect(await compared()).toEqual([first, fourth]);
    expect(await latest()).toEqual([0, first]);

    await using mirror = await startFollowing(data);
    const list = (await (await fetch(`${mirror.url}/snapshots/`)).json()) as {
      data: { records: { version: string; sequence: number; withdrawn: boolean }[] };
    };
    expect(list.data.records.map(({ version, sequence, withdrawn }) => [version, sequence, withdrawn])).toEqual([
      [fourth, 4, true],
      [third, 3, true],
      [second, 2, true],
      [first, 1, false],
    ]);
    const exportTo = (...args: string[]) =>
      runCommand("export", ["--data", data, "--out", join(data, "out"), "--partition", "--tables", "hero", ...args]);
    await exportTo(third ?? "");
    const days = () =>
      readdirSync(join(data, "out", "table=hero"), { recursive: true })
        .map(String)
        .filter((name) => name.endsWith(".parquet"));
    expect(days()).toEqual([expect.stringContaining(`${third}.parquet`)]);
    const exported = await exportTo("--all");
    expect(exported.stdout).toContain(`${first}: `);
    for (const version of [second, fourth])
      expect(exported.stderr).toContain(`${version}: was withdrawn, and is left out`);
    expect(exported.stderr).toContain(`${third}: was withdrawn, and is taken out of 1 tables`);
    expect(days()).toEqual([expect.stringContaining(`${first}.parquet`)]);
    await history(data);
    expect(
      queryFile(join(data, "history.sqlite"), "SELECT version, sequence, withdrawn FROM night ORDER BY night_id"),
    ).toEqual(
      [first, second, third, fourth].map((version, at) => ({ version, sequence: at + 1, withdrawn: Number(at > 0) })),
    );
    // Over to what was withdrawn, and over to the other way again: only one of them stands.
    await rollback(data, "--to", third ?? "");
    expect(withdrawnOf(data)).toEqual([fourth]);
    await rollback(data, "--to", fourth ?? "");
    expect(withdrawn()).toEqual([second, third]);
    expect(await history(data)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 night withdrawn, or no longer\n0 nights/),
    });
    expect((await history(data)).code).toBe(2);
  });

  test("is what a follower goes by, not the names", async () => {
    using folder = copyOf(world.path);
    using follower = temporaryFolder();
    await using source = await startSource(folder.path);
    const pull = async () => (await runCommand("pull", [source.url, "--data", follower.path])).code;
    const [first = "", second = ""] = versions;
    await rollback(folder.path, "--to", first);
    expect([await pull(), pointerOf(follower.path).version]).toEqual([0, first]);
    // Published later, by a clock that was set back.
    await rollback(folder.path, "--to", second);
    expect([await pull(), pointerOf(follower.path).version]).toEqual([0, second]);
    await rollback(folder.path, "--to", first);
    expect([await pull(), pointerOf(follower.path).version]).toEqual([2, second]);
  });

  test.for(["", "{", '{"version":7}'])("is told again where the pointer is damaged: %j", async (text) => {
    using folder = copyOf(world.path);
    const data = folder.path;
    await rollback(data);
    const pointer = join(data, "latest.json");
    const whole = readFileSync(pointer, "utf8");
    writeFileSync(pointer, text);
    expect(await rollback(data)).toMatchObject({ code: 64, stderr: expect.stringContaining("is not a pointer") });
    const { code, stderr } = await runCommand("build", ["--data", data]);
    expect(stderr.split("\n")[0]).toBe(
      `${pointer}: is not a pointer of metasnap, and was written again: latest is ${versions[1]}`,
    );
    // The last journal is that of the night that was rolled back past.
    expect(code, stderr).toBe(64);
    expect(readFileSync(pointer, "utf8")).toBe(whole);
  });

  test("is told again where a follower starts with a damaged pointer", async () => {
    using folder = copyOf(world.path);
    const pointer = join(folder.path, "latest.json");
    const whole = readFileSync(pointer, "utf8");
    writeFileSync(pointer, "{");
    await using source = await startSource(world.path);
    await using served = await startServe(["--data", folder.path, "--follow", source.url]);
    expect((await fetch(`${served.url}/api/heroes`)).headers.get("x-snapshot-version")).toBe(versions[2]);
    expect(readFileSync(pointer, "utf8")).toBe(whole);
  });

  test.for(["", "{", '{"withdrawn":7}'])(
    "tells what was withdrawn where the list of it is damaged: %j",
    async (text) => {
      using folder = copyOf(world.path);
      const data = folder.path;
      await rollback(data);
      const list = join(data, "withdrawn.json");
      const whole = readFileSync(list, "utf8");
      writeFileSync(list, text);
      const line = `${list}: is damaged: later nights that the latest does not come from count as withdrawn; the next publication or \`npm run rollback\` writes it again\n`;
      const nights = await runCommand("nights", ["--data", data, "--json"]);
      const { nights: rows, damaged } = JSON.parse(nights.stdout);
      expect(rows.map(({ state }: { state: string }) => state)).toEqual(["earlier", "latest", "withdrawn"]);
      expect(damaged).toEqual([line.trimEnd()]);
      expect((await history(data)).stderr).toBe(line);
      const folded = "SELECT withdrawn FROM night ORDER BY night_id";
      expect(queryFile(join(data, "history.sqlite"), folded)).toEqual([0, 0, 1].map((withdrawn) => ({ withdrawn })));
      expect(await rollback(data, "--to", versions[1] ?? "")).toMatchObject({ code: 0, stderr: line });
      expect(readFileSync(list, "utf8")).toBe(whole);
    },
  );

  test("is kept by pruning, where subsets do not count as nights", async () => {
    using folder = copyOf(world.path);
    const data = folder.path;
    rmSync(manifestFileOf(data, versions[2]));
    rmSync(fileOf(data, versions[2]));
    await rollback(data, "--to", versions[1] ?? "");
    // A subset is published beside the nights.
    for (const version of ["20261001T000000Z-00000001", "20261001T000000Z-00000002"]) {
      cpSync(fileOf(data, versions[0]), fileOf(data, version));
      const manifest = { ...manifestOf(data, versions[0]), version, latest: false };
      writeFileSync(manifestFileOf(data, version), JSON.stringify(manifest));
    }
    // Of one whose manifest is damaged nobody can tell what it is.
    const damaged = "20261002T000000Z-00000003";
    cpSync(fileOf(data, versions[0]), fileOf(data, damaged));
    writeFileSync(manifestFileOf(data, damaged), "{");
    const [newest] = await publishDays(data, [9], ...FEW, "--keep", "2");
    expect(existsSync(fileOf(data, damaged))).toBe(true);
    const left = [versions[0], versions[1], newest].filter((version) => existsSync(fileOf(data, version)));
    expect(left).toEqual([versions[1], newest]);
    expect(existsSync(fileOf(data, "20261001T000000Z-00000002"))).toBe(true);
  });
});
