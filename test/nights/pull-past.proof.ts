import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  copyOf,
  fileOf,
  manifestFileOf,
  manifestOf,
  pointerOf,
  published,
  withdrawnOf,
} from "../helpers/data-folder.ts";
import { fewNights } from "../helpers/few-nights.ts";
import { publishDays } from "../helpers/mirror.ts";
import { breakOff } from "../helpers/pulling.ts";
import { RATES, runCommand, temporaryFolder } from "../helpers/run.ts";
import { editText, signedTexts, signNights } from "../helpers/signed.ts";
import { type Fault, type FileSource, startSource } from "../helpers/upstream/source.ts";

const { data: nights, versions } = fewNights;

/** The lines that tell what came of each night. */
async function pullPast(source: FileSource, data: string, ...words: string[]) {
  const { code, stdout, stderr } = await runCommand("pull", [source.url, "--data", data, ...words]);
  const lines = stdout.split("\n").filter((line) => !/^(?:download|verifying) |^$/.test(line));
  return { code, lines, stderr };
}

const said = (data: string, ...of: (string | undefined)[]) => of.map((version) => `published ${fileOf(data, version)}`);
const namesOf = (...of: (string | undefined)[]) => of.map((version) => `${version}.sqlite`);
const filesIn = (data: string) => published(data).filter((name) => name.endsWith(".sqlite"));

describe("past nights of a source", () => {
  test.for(["mirror", "static"] as const)(
    "come from a %s into an empty folder, the oldest first, as they lie there",
    async (layout) => {
      await using source = await startSource(nights, layout);
      using folder = temporaryFolder();
      const whole = { code: 0, lines: said(folder.path, ...versions), stderr: "" };
      expect(await pullPast(source, folder.path, "--all", "--compress")).toEqual(whole);
      expect(published(folder.path)).toEqual(published(nights));
      for (const name of published(nights)) {
        const [theirs, ours] = [nights, folder.path].map((data) => readFileSync(join(data, "snapshots", name)));
        if (/(?<!changes)\.json$/.test(name)) expect(JSON.parse(String(ours))).toEqual(JSON.parse(String(theirs)));
        else expect(ours?.equals(theirs ?? Buffer.alloc(0)), name).toBe(true);
      }
      expect(pointerOf(folder.path)).toEqual(pointerOf(nights));
      source.asked.length = 0;
      expect(await pullPast(source, folder.path, "--all", "--compress")).toMatchObject({ code: 2 });
      // What is here is not asked for.
      expect(source.asked.every(({ path }) => /(?:latest|[0-9a-f]{8})\.json$/.test(path))).toBe(true);
      expect(source.asked.filter(({ path }) => path.includes(versions[1] ?? ""))).toEqual([]);
    },
  );

  test("come beside a latest that is here, and the pointer stays", async () => {
    await using source = await startSource(nights);
    using folder = temporaryFolder();
    expect(await pullPast(source, folder.path)).toMatchObject({ code: 0, lines: said(folder.path, versions[2]) });
    const pointer = pointerOf(folder.path);
    const { code, lines } = await pullPast(source, folder.path, "--all");
    expect([code, lines]).toEqual([
      0,
      [...said(folder.path, ...versions.slice(0, 2)), `unchanged ${fileOf(folder.path, versions[2])}`],
    ]);
    expect(pointerOf(folder.path)).toEqual(pointer);
    expect(filesIn(folder.path)).toEqual(namesOf(...versions));
    expect(withdrawnOf(folder.path)).toEqual([]);
    expect(manifestOf(folder.path, versions[1]).changes).toEqual(manifestOf(nights, versions[1]).changes);
    const rolled = await runCommand("rollback", ["--data", folder.path]);
    expect(rolled.stdout).toContain(versions[1]);
  });

  test("begin on a day of UTC with --since", async () => {
    await using source = await startSource(nights);
    using folder = temporaryFolder();
    const { started_at } = manifestOf(nights, versions[1]);
    const { code, lines } = await pullPast(source, folder.path, "--since", started_at.slice(0, 10));
    expect([code, lines]).toEqual([0, said(folder.path, ...versions.slice(1))]);
  });

  test("are not fetched if --keep would let them go, and that is said", async () => {
    await using source = await startSource(nights);
    using folder = temporaryFolder();
    const keep = ["--all", "--keep", "2"];
    const beyond = `${versions[0]} and older are left there: --keep would let them go`;
    const { code, lines } = await pullPast(source, folder.path, ...keep);
    expect([code, lines]).toEqual([0, [beyond, ...said(folder.path, ...versions.slice(1))]]);
    expect(source.asked.filter(({ path }) => path.includes(versions[0] ?? ""))).toEqual([]);
    expect(await pullPast(source, folder.path, ...keep)).toMatchObject({ code: 2 });
    expect(filesIn(folder.path)).toEqual(namesOf(...versions.slice(1)));
  });

  test("go on where a source broke off in the middle of a night", async () => {
    await using source = await startSource(nights);
    using folder = temporaryFolder();
    const second = `${versions[1]}.sqlite.zst`;
    let isBroken = false;
    source.fault = ({ path, file, res }) => {
      if (!path.endsWith(second)) return false;
      if (isBroken) return Boolean(res.destroy());
      isBroken = true;
      const bytes = readFileSync(file);
      const half = bytes.subarray(0, bytes.length / 2);
      res.writeHead(200, { "content-length": bytes.length, etag: `"${second}"` }).write(half);
      breakOff(res, folder.path, half.length);
      return true;
    };
    const broken = await pullPast(source, folder.path, "--all");
    expect([broken.code, broken.lines]).toEqual([4, said(folder.path, versions[0])]);
    source.fault = () => false;
    source.asked.length = 0;
    const { code, lines } = await pullPast(source, folder.path, "--all");
    expect([code, lines]).toEqual([0, said(folder.path, ...versions.slice(1))]);
    expect(source.asked.find(({ path }) => path.endsWith(second))?.range).toMatch(/^bytes=\d+-$/);
  });

  test.for<[what: string, fault: Fault]>([
    ["are damaged", ({ file, res }) => Boolean(res.writeHead(200).end(readFileSync(file).fill("?", 1000, 2000)))],
    ["have lost their file", ({ res }) => Boolean(res.writeHead(404).end())],
  ])("that %s at the source are left out, the others come, and the code is 3", async ([, fault]) => {
    await using source = await startSource(nights);
    using folder = temporaryFolder();
    source.fault = (exchange) => exchange.path.includes(`${versions[1]}.sqlite`) && fault(exchange);
    const { code, lines, stderr } = await pullPast(source, folder.path, "--all");
    expect([code, lines]).toEqual([3, said(folder.path, versions[0], ...versions.slice(2))]);
    expect(stderr).toMatch(new RegExp(`^${versions[1]}: its night is skipped: .+\n$`));
  });

  test("are not put among nights with other numbers", async () => {
    using folder = temporaryFolder();
    const [own] = await publishDays(folder.path, [9], ...RATES);
    await using source = await startSource(nights);
    const { code, stderr } = await pullPast(source, folder.path, "--all");
    const message = `${versions[0]} is number 1 at the source, and the nights here are numbered otherwise`;
    expect([code, stderr]).toEqual([64, `${message}; pull past nights into a folder of their own with --data\n`]);
    expect(filesIn(folder.path)).toEqual(namesOf(own));
  });

  test("end where the source has no more", async () => {
    using other = copyOf(nights);
    for (const ending of ["sqlite", "json"]) rmSync(join(other.path, "snapshots", `${versions[1]}.${ending}`));
    await using pruned = await startSource(other.path);
    using folder = temporaryFolder();
    const { code, lines } = await pullPast(pruned, folder.path, "--all");
    expect([code, lines]).toEqual([0, said(folder.path, ...versions.slice(2))]);
  });

  test.for([
    [["--since", "2026-13-01"], "It must be a day, as 2026-11-27."],
    [["--since", "2026-11-27", "--all"], "--since"],
  ] as const)("are asked for in a form that can be read: %j", async ([words, complaint]) => {
    using folder = temporaryFolder();
    const { code, stderr } = await runCommand("pull", ["http://127.0.0.1:9", "--data", folder.path, ...words]);
    expect([code, stderr]).toEqual([64, expect.stringContaining(complaint)]);
  });
});

test("past nights are signed if the latest has to be, and one that is not ends them", async () => {
  using signed = await signNights();
  const { path, first, second, pub } = signed;
  await using source = await startSource(path);
  using folder = temporaryFolder();
  const taken = await pullPast(source, folder.path, "--all", "--key", pub);
  expect(taken).toEqual({ code: 0, lines: said(folder.path, first, second), stderr: "" });
  for (const version of [first, second]) expect(signedTexts(folder.path, version)).toEqual(signedTexts(path, version));
  editText(manifestFileOf(path, first), (text) => text.replace('"heroes": 3', '"heroes": 4'));
  using other = temporaryFolder();
  const { code, lines, stderr } = await pullPast(source, other.path, "--all", "--key", pub);
  expect([code, lines]).toEqual([3, said(other.path, second)]);
  expect(stderr).toMatch(new RegExp(`^${first}: its night is skipped: the manifest of ${first} .+\n$`));
});
