import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isPrivate } from "../../src/extra/nights/pull/addresses.ts";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import { analystsFileOf } from "../../src/snapshot/published/folder.ts";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import { copyOf, fileOf, manifestOf, pointerOf, published, vouchForLatest } from "../helpers/data-folder.ts";
import { copyOfFirst, fewNights } from "../helpers/few-nights.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { toPattern } from "../helpers/pages.ts";
import { plainFile, pretendLoss, pullFrom, QUICK } from "../helpers/pulling.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { type Fault, sendFile, startSource } from "../helpers/upstream/source.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

/** What a pull tells of a night on its way. */
const FETCHED = "download … 0% 0.0/…\n…\nverifying …\n";

const { data: nights, versions } = fewNights;

describe("pull", () => {
  test.for(["mirror", "static"] as const)(
    "fetches the latest from a %s, byte for byte, by either address",
    async (layout) => {
      await using source = await startSource(nights, layout);
      using folder = temporaryFolder();
      const [path, other] = layout === "mirror" ? ["", "/snapshots/"] : ["/", "/snapshots"];
      const { changed, version } = await pull(new URL(source.url + path), folder.path, QUICK);
      expect([changed, version]).toEqual([true, versions[2]]);
      for (const name of ["latest.json", `snapshots/${version}.sqlite`])
        expect(readFileSync(join(folder.path, name))).toEqual(readFileSync(join(nights, name)));
      expect(published(folder.path)).toEqual([`${version}.json`, `${version}.sqlite`]);
      expect((await pull(new URL(source.url + other), folder.path, QUICK)).changed).toBe(false);
    },
  );

  test("prefers the compressed copy, keeps it with --compress, and then is a source like the first", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights);
    await pullFrom(source, folder.path, { compress: true });
    expect(source.asked.map(({ path }) => path.replace(/^.*\./, ""))).toEqual(["json", "json", "json", "zst"]);
    expect(published(folder.path)).toHaveLength(3);
    for (const name of published(folder.path).filter((one) => !one.endsWith(".json")))
      expect(readFileSync(join(folder.path, "snapshots", name))).toEqual(readFileSync(join(nights, "snapshots", name)));
    // The night before is not here to be compared with.
    const { changes, ...manifest } = manifestOf(nights, pointerOf(folder.path).version);
    expect(manifestOf(folder.path)).toEqual(manifest);
    const { size } = statSync(`${fileOf(folder.path)}.zst`);
    expect(size).toBeLessThan(statSync(fileOf(folder.path)).size / 4);
  });

  test("that was cut short while it compressed does so again", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights);
    source.fault = ({ path, res }) => path.endsWith(".zst") && Boolean(res.writeHead(404).end());
    mkdirSync(join(folder.path, "snapshots"));
    writeFileSync(join(folder.path, "snapshots", `.pull-${versions[2]}.sqlite.zst`), "half of it");
    await pullFrom(source, folder.path, { compress: true });
    const copy = `${fileOf(nights)}.zst`;
    expect(readFileSync(`${fileOf(folder.path)}.zst`).equals(readFileSync(copy))).toBe(true);
  });

  test("makes the analysts' file that the first has, with --analysts-file, and hands it out", async () => {
    using folder = temporaryFolder();
    using first = copyOf(nights);
    const { version } = pointerOf(first.path);
    const words = ["--format", "sqlite", "--out", join(first.path, "snapshots"), "--data", first.path];
    expect((await runCommand("export", words)).code).toBe(0);
    const bytes = readFileSync(analystsFileOf(fileOf(first.path)));
    await using source = await startSource(first.path);
    const pulled = await runCommand("pull", [source.url, "--data", folder.path, "--analysts-file"]);
    expect([pulled.code, pulled.stderr]).toEqual([0, ""]);
    expect(readFileSync(analystsFileOf(fileOf(folder.path))).equals(bytes)).toBe(true);
    expect(published(folder.path)).toEqual([`${version}.analysts.sqlite`, `${version}.json`, `${version}.sqlite`]);
    await using mirror = await startFollowing(folder.path);
    const path = `/snapshots/${version}.analysts.sqlite`;
    const answer = await fetch(mirror.url + path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/vnd.sqlite3"]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const { data } = (await (await fetch(`${mirror.url}/snapshots/`)).json()) as {
      data: { records: { urls: Record<string, string> }[] };
    };
    expect(data.records.map(({ urls }) => urls.analysts)).toEqual([path]);
    // What no manifest names is not served: there it lies only in the folder.
    await using other = await startFollowing(first.path);
    expect((await fetch(other.url + path)).status).toBe(404);
  });

  test("takes the plain file where the copy is not handed out", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights);
    source.fault = plainFile(() => false);
    expect((await pullFrom(source, folder.path)).changed).toBe(true);
  });

  test("fetches nothing but the pointer when there is nothing new, and ends with 2", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights);
    const args = [source.url, "--data", folder.path];
    expect(await runCommand("pull", args)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(toPattern(`${FETCHED}published ${fileOf(folder.path)}\n`)),
      stderr: "",
    });
    source.asked.length = 0;
    expect(await runCommand("pull", args)).toMatchObject({ code: 2, stdout: `unchanged ${fileOf(folder.path)}\n` });
    expect(source.asked.map(({ path }) => path)).toEqual(["/snapshots/latest.json", "/latest.json"]);
  });

  test("does not undo a rollback", async () => {
    using folder = copyOf(nights);
    rollback(folder.path);
    await using source = await startSource(nights);
    expect((await pullFrom(source, folder.path)).changed).toBe(false);
    expect(pointerOf(folder.path).version).toBe(versions[1]);
  });

  test("follows the shrink gate as a build does", async () => {
    await using source = await startSource(nights);
    using folder = copyOfFirst(1);
    pretendLoss(folder.path);
    await expect(pullFrom(source, folder.path)).rejects.toMatchObject({ exit: 5 });
    expect((await pullFrom(source, folder.path, { maxLoss: 100 })).changed).toBe(true);
  });

  test("of a first night says what it lacks", async () => {
    using other = temporaryFolder();
    await using upstream = await startUpstream(3, undefined, (path, body) => (path.includes("version") ? "?" : body));
    const options = ["--upstream", upstream.url, "--data", other.path, "--rate", "5000", "--allow-partial"];
    const endpoints = ["--endpoints", "versions,roles", "--languages", "en", "--attempts", "1"];
    expect((await runCommand("crawl", [...options, ...endpoints])).code).toBe(0);
    await using source = await startSource(other.path);
    using folder = temporaryFolder();
    const { code, stdout, stderr } = await runCommand("pull", [source.url, "--data", folder.path]);
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(
        toPattern(`${FETCHED}1 slice is missing: versions (not-json)\npublished ${fileOf(folder.path)}\n`),
      ),
      "",
    ]);
  });

  test("remembers what was refused, after a restart too, until it is told to try again or the source has another", async () => {
    using other = copyOf(nights);
    using folder = temporaryFolder();
    editFile(fileOf(other.path), "UPDATE coverage SET batch = '1' WHERE dataset = 'rank'");
    await vouchForLatest(other.path);
    await using source = await startSource(other.path);
    const args = [source.url, "--data", folder.path];
    const fetched = () => source.asked.splice(0).filter(({ path }) => path.includes(".sqlite")).length;
    const first = await runCommand("pull", args);
    expect([first.code, first.stderr, fetched()]).toEqual([
      64,
      expect.stringMatching(/^\S+ does not hold what it says, archive hash: [^\n]*; [^\n]*\n$/),
      1,
    ]);
    const again = await runCommand("pull", args);
    expect([again.code, again.stderr, fetched()]).toEqual([
      64,
      expect.stringMatching(/^\S+ was refused before, and is still the same: .*archive hash.*--retry-refused[^\n]*\n$/),
      0,
    ]);
    expect([(await runCommand("pull", [...args, "--retry-refused"])).code, fetched()]).toEqual([64, 1]);
    source.data = nights;
    expect((await runCommand("pull", args)).code).toBe(0);
  });
});

describe("addresses", () => {
  test.for([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "0.0.0.0",
    "100.64.0.1",
    "::1",
    "[::1]",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
  ])("%s is inside", (address) => expect(isPrivate(address)).toBe(true));
  test.for(["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1", "mirror.example"])("%s is not", (address) =>
    expect(isPrivate(address)).toBe(false),
  );
});

test("a token in the address of a source stays with its host, and is in no line", async () => {
  const token = "?token=S3CRET";
  using folder = temporaryFolder();
  await using source = await startSource(nights);
  await using other = await startSource(nights);
  const isTold = (path: string) => path.endsWith(token);
  const answer =
    (isMoved: (file: string) => boolean): Fault =>
    ({ path, req, res }) => {
      const file = join(nights, path.slice(0, -token.length));
      if (!isTold(path)) return Boolean(res.writeHead(403).end());
      if (isMoved(file)) return Boolean(res.writeHead(302, { location: other.url }).end());
      if (!existsSync(file)) return Boolean(res.writeHead(404).end());
      sendFile(file, "", req, res);
      return true;
    };
  const pulled = () => runCommand("pull", [source.url + token, "--data", folder.path]);
  const ends = [];
  for (const moved of [/latest\.json$/, /\d\.json$/, /\.sqlite(?:\.zst)?$/]) {
    source.fault = answer((file) => moved.test(file));
    ends.push(await pulled());
  }
  source.fault = answer(() => false);
  ends.push(await pulled());
  expect(ends.map(({ code }) => code)).toEqual([64, 64, 64, 0]);
  expect(ends[0]?.stderr).toContain("redirects into this network");
  expect(ends.map(({ stdout, stderr }) => stdout + stderr).join()).not.toContain("S3CRET");
  expect([source.asked.every(({ path }) => isTold(path)), other.asked]).toEqual([true, []]);
  const kept = [
    "latest.json",
    ...published(folder.path)
      .filter((name) => name.endsWith("json"))
      .map((name) => `snapshots/${name}`),
  ];
  for (const name of kept) expect(readFileSync(join(folder.path, name), "utf8")).not.toContain("S3CRET");
});

describe("a mirror", () => {
  test("hands out the compressed copy, in parts too", async () => {
    await using mirror = await startFollowing(nights);
    const copy = readFileSync(`${fileOf(nights)}.zst`);
    const url = `${mirror.url}/snapshots/${pointerOf(nights).version}.sqlite.zst`;
    const whole = await fetch(url);
    expect(whole.headers.get("content-type")).toBe("application/zstd");
    expect(Buffer.from(await whole.arrayBuffer()).equals(copy)).toBe(true);
    const part = await fetch(url, { headers: { range: "bytes=1000-", "if-range": whole.headers.get("etag") ?? "" } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(copy.subarray(1000))).toBe(true);
    using folder = temporaryFolder();
    expect((await pull(new URL(mirror.url), folder.path, QUICK)).changed).toBe(true);
    expect((await fetch(url.replace(/\d{8}T/, "19990101T"))).status).toBe(404);
  });
});
