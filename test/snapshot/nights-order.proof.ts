/** Nights that are folded while others are pulled, served and withdrawn. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyOf, fileOf, manifestFileOf, pointerOf } from "../helpers/data-folder.ts";
import { readHistory } from "../helpers/judge-history.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startSource } from "../helpers/upstream/source.ts";

const world = temporaryFolder();
let versions: string[] = [];
beforeAll(async () => {
  versions = await publishDays(world.path, [0, 1, 2, 3], "--endpoints", "heroes,rank,hero");
});
afterAll(() => world[Symbol.dispose]());

const rollback = (data: string, ...args: string[]) => runCommand("rollback", ["--data", data, ...args]);
const history = (data: string, ...args: string[]) => runCommand("history", ["--data", data, ...args]);

test("a history is folded beside a mirror that goes over to the next snapshot, and neither minds", async () => {
  using folder = copyOf(world.path);
  const data = folder.path;
  await using mirror = await startFollowing(data);
  const file = join(data, "history.sqlite");
  for (const version of [versions[0], versions[2], versions[1]]) {
    const [folded] = await Promise.all([history(data, "--fresh"), rollback(data, "--to", version ?? "")]);
    expect([folded.code, folded.stderr]).toEqual([0, ""]);
    await expect.poll(() => mirror.active.snapshot.head.version).toBe(version);
    expect((await fetch(`${mirror.url}/api/heroes/1`)).status).toBe(200);
  }
  expect(queryFile(file, "SELECT count(*) AS nights FROM night")).toEqual([{ nights: 4 }]);
  expect(mirror.faults).toEqual([]);
});

test("nights that come late from another folder, beside a follower that pulls, give the history that is made in order", async () => {
  using all = copyOf(world.path);
  using mine = temporaryFolder();
  using archive = temporaryFolder();
  const [first = "", second = "", third = "", fourth = ""] = versions;
  using published = copyOf(world.path);
  await using source = await startSource(published.path);
  const pointTo = (version: string) => rollback(published.path, "--to", version);
  const bring = (version: string) => {
    for (const file of [fileOf, manifestFileOf])
      cpSync(file(all.path, version), file(archive.path, version), { recursive: true });
  };
  const fold = () => history(mine.path, "--from", archive.path);
  const nightsOf = (data: string) =>
    queryFile<{ version: string }>(
      join(data, "history.sqlite"),
      "SELECT night_id, version, withdrawn FROM night ORDER BY night_id",
    );

  await pointTo(second);
  await using follower = await startServe(["--data", mine.path, "--follow", source.url, "--every", "1s"]);
  expect(pointerOf(mine.path).version).toBe(second);
  expect((await history(mine.path)).code).toBe(0);
  bring(first);
  expect((await fold()).code).toBe(0);
  expect(nightsOf(mine.path).map(({ version }) => version)).toEqual([first, second]);

  // The follower misses the third night, which is brought and folded while the fourth is pulled.
  bring(third);
  await pointTo(fourth);
  expect((await fold()).code).toBe(0);
  await expect.poll(() => pointerOf(mine.path).version).toBe(fourth);
  expect([0, 2]).toContain((await fold()).code);
  expect((await fold()).code).toBe(2);

  expect((await history(all.path)).code).toBe(0);
  expect(nightsOf(mine.path)).toEqual(nightsOf(all.path));
  // A night that comes from an archive has no place in the order of publication.
  const [{ night: _, ...ours }, { night: __, ...theirs }] = [mine, all].map(({ path }) =>
    readHistory(join(path, "history.sqlite")),
  ) as [Record<string, string[]>, Record<string, string[]>];
  expect(ours).toEqual(theirs);
  expect(Object.values(ours).flat().length).toBeGreaterThan(100);
  const answer = await fetch(`${follower.url}/api/heroes`);
  expect([answer.status, answer.headers.get("x-snapshot-version")]).toEqual([200, fourth]);
});
