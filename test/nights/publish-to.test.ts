import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hideSecrets, hideSecretsIn } from "../../src/extra/nights/publish-to/rclone.ts";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import {
  copyOf,
  copyUntil,
  manifestFileOf,
  manifestOf,
  pointerOf,
  published,
  withdrawnOf,
} from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { bytesOf, publicOf } from "../helpers/public-files.ts";
import { RATES, runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";

const folder = temporaryFolder();
const nights = folder.path;
let versions: string[] = [];
beforeAll(async () => {
  versions = await publishDays(nights, [0, 1, 2], ...RATES, "--compress", "--analysts-file");
});
afterAll(() => folder[Symbol.dispose]());

const publishTo = (data: string, place: string, ...more: string[]) =>
  runCommand("publish-to", [place, "--data", data, ...more]);

describe("a folder", () => {
  test("whose disk is full is named, and not the file that goes there", async () => {
    using place = temporaryFolder();
    const { code, stderr } = await runProcess("publish-to", [place.path, "--data", nights], undefined, 100);
    expect([code, stderr.startsWith(`${place.path}/snapshots/`)], stderr).toEqual([64, true]);
    expect(stderr).toMatch(/^[^\n]*: cannot be written: [^\n]*; free space[^\n]*\n$/);
  });

  test("has what a static host needs, once, and then nothing is done", async () => {
    using place = temporaryFolder();
    using before = copyUntil(nights, versions[1]);
    const first = await publishTo(before.path, place.path);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(publicOf(place.path)).toEqual(publicOf(before.path));
    const inodes = () => published(place.path).map((name) => statSync(join(place.path, "snapshots", name)).ino);
    const were = inodes();
    expect(await publishTo(before.path, place.path)).toMatchObject({
      code: 2,
      stdout: `unchanged ${versions[1]} at ${place.path}\n`,
    });
    expect(inodes()).toEqual(were);
    const [version] = versions.slice(2);
    expect((await publishTo(nights, place.path)).stdout.split("\n")).toEqual([
      ...["sqlite", "sqlite.zst", "analysts.sqlite", "changes.json", "json"].map(
        (ending) => `put snapshots/${version}.${ending}`,
      ),
      "put latest.json",
      `published ${version} at ${place.path}`,
      "",
    ]);
    expect(publicOf(place.path)).toEqual(publicOf(nights));
  });

  test("keeps as many as it is told, and what is not ours", async () => {
    using place = temporaryFolder();
    await publishTo(nights, place.path);
    const strange = ["snapshots/notes.txt", `snapshots/${versions[0]}.sqlite.bak`, "index.html"];
    for (const name of strange) writeFileSync(join(place.path, name), "");
    writeFileSync(join(place.path, `snapshots/${versions[2]}.sqlite.draft`), "half");
    const { code, stdout } = await publishTo(nights, place.path, "--keep", "1");
    expect(code).toBe(0);
    const gone = stdout.split("\n").filter((line) => line.startsWith("removed "));
    expect(gone).toEqual(
      versions
        .slice(0, 2)
        .flatMap((version, night) =>
          ["analysts.sqlite", "changes.json", "json", "sqlite", "sqlite.zst"]
            .filter((ending) => night > 0 || ending !== "changes.json")
            .map((ending) => `removed snapshots/${version}.${ending}`),
        ),
    );
    const left = [
      "latest.json",
      ...strange,
      ...published(nights)
        .filter((name) => name.startsWith(versions[2] ?? ""))
        .map((name) => `snapshots/${name}`),
    ];
    expect(Object.keys(bytesOf(place.path)).sort()).toEqual(left.sort());
    expect((await publishTo(nights, place.path, "--keep", "1")).code).toBe(2);
  });

  test("follows a rollback, with its marks, and a way forward again", async () => {
    using place = temporaryFolder();
    using data = copyOf(nights);
    await publishTo(data.path, place.path);
    rollback(data.path);
    expect((await publishTo(data.path, place.path)).stdout.split("\n")).toEqual([
      "put latest.json",
      "put withdrawn.json",
      `published ${versions[1]} at ${place.path}`,
      "",
    ]);
    expect(withdrawnOf(place.path)).toEqual([versions[2]]);
    rollback(data.path, versions[2]);
    await publishTo(data.path, place.path);
    expect(publicOf(place.path)).toEqual(publicOf(data.path));
    expect(pointerOf(place.path)).toEqual(pointerOf(nights));
  });

  test("passes a signature on after the manifest, and takes it back", async () => {
    using place = temporaryFolder();
    using data = copyOf(nights);
    await publishTo(data.path, place.path);
    const [file, signature] = [manifestFileOf(data.path), `snapshots/${versions[2]}.json.minisig`];
    writeFileSync(join(data.path, signature), "signed");
    writeFileSync(file, `${readFileSync(file, "utf8")}\n`);
    expect((await publishTo(data.path, place.path)).stdout.split("\n").slice(0, -2)).toEqual([
      `put snapshots/${versions[2]}.json`,
      `put ${signature}`,
    ]);
    rmSync(join(data.path, signature));
    expect((await publishTo(data.path, place.path)).stdout.split("\n")[0]).toBe(`removed ${signature}`);
  });

  test("never goes back for a folder that has not seen what lies there", async () => {
    using place = temporaryFolder();
    using behind = copyUntil(nights, versions[1]);
    await publishTo(nights, place.path);
    const before = bytesOf(place.path);
    expect(await publishTo(behind.path, place.path)).toMatchObject({
      code: 64,
      stdout: "",
      stderr: expect.stringMatching(
        new RegExp(
          `^[^\\n]* points to ${versions[2]}, which is not of this folder, and is later than ${versions[1]}[^\\n]*--take-over\\n$`,
        ),
      ),
    });
    expect(bytesOf(place.path)).toEqual(before);
    expect((await publishTo(behind.path, place.path, "--take-over")).code).toBe(0);
    expect(pointerOf(place.path)).toEqual(pointerOf(behind.path));
    // The other one goes on.
    expect((await publishTo(nights, place.path)).code).toBe(0);
    expect(pointerOf(place.path)).toEqual(pointerOf(nights));
  });

  test("gets a subset beside the nights, which is never the latest", async () => {
    using place = temporaryFolder();
    using data = copyOf(nights);
    const file = manifestFileOf(data.path, versions[0]);
    writeFileSync(file, JSON.stringify({ ...manifestOf(data.path, versions[0]), latest: false }));
    await publishTo(data.path, place.path, "--keep", "1");
    const kept = new Set(published(place.path).map((name) => name.split(".")[0]));
    expect([...kept]).toEqual([versions[0], versions[2]]);
    expect(pointerOf(place.path).version).toBe(versions[2]);
  });

  test("that was published again with other bytes has all of them anew", async () => {
    using place = temporaryFolder();
    using data = copyOf(nights);
    await publishTo(data.path, place.path);
    const name = `snapshots/${versions[2]}`;
    // As a newer program would build it of the same journal: same name, and same size.
    const other = Buffer.from(readFileSync(join(data.path, `${name}.sqlite`)));
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
    writeFileSync(join(data.path, `${name}.sqlite`), other);
    const sha256 = createHash("sha256").update(other).digest("hex");
    for (const file of [manifestFileOf(data.path, versions[2]), join(data.path, "latest.json")]) {
      const { compressed, ...said } = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...said, sha256 }));
    }
    expect((await publishTo(data.path, place.path)).stdout.split("\n")).toEqual([
      `put ${name}.sqlite`,
      `put ${name}.json`,
      "put latest.json",
      `removed ${name}.sqlite.zst`,
      `published ${versions[2]} at ${place.path}`,
      "",
    ]);
  });

  test.for([
    [
      "its pointer is another's",
      (place: string) => writeFileSync(join(place, "latest.json"), '{"version":"1.2.3"}'),
      /not a pointer of metasnap; nothing was put there; name another place/,
    ],
    [
      "its pointer is another's, and large",
      (place: string) => writeFileSync(join(place, "latest.json"), "[]".padEnd(5_000_000)),
      /not a pointer of metasnap; nothing was put there; name another place/,
    ],
    [
      "its numbers are real",
      (place: string) => {
        cpSync(nights, place, { recursive: true });
        writeFileSync(join(place, "latest.json"), JSON.stringify({ ...pointerOf(nights), sample: false }));
      },
      /has snapshots of real numbers, and those of \S+ are made-up/,
    ],
  ] as const)("is left alone where %s", async ([, prepare, why]) => {
    using place = temporaryFolder();
    prepare(place.path);
    const before = bytesOf(place.path);
    expect(await publishTo(nights, place.path)).toMatchObject({
      code: 64,
      stdout: "",
      stderr: expect.stringMatching(why),
    });
    expect(bytesOf(place.path)).toEqual(before);
  });

  test.for([
    ["has no pointer", (data: string) => rmSync(join(data, "latest.json")), 64, /latest\.json: does not exist/],
    [
      "has no manifest of its latest",
      (data: string) => rmSync(manifestFileOf(data)),
      64,
      /whose file or manifest is not here/,
    ],
    [
      "has another file than it says",
      (data: string) => writeFileSync(join(data, "snapshots", `${versions[2]}.sqlite`), "x"),
      64,
      /is not what its manifest says/,
    ],
  ] as const)("gets no pointer from a folder that %s", async ([, damage, code, why]) => {
    using place = temporaryFolder();
    using data = copyOf(nights);
    damage(data.path);
    expect(await publishTo(data.path, place.path)).toMatchObject({ code, stderr: expect.stringMatching(why) });
    expect(existsSync(join(place.path, "latest.json"))).toBe(false);
  });
});

describe("the place must be another folder, or a remote", () => {
  test("and no URL, with its password hidden", async () => {
    expect(await publishTo(nights, "https://me:pw@x.example/")).toMatchObject({
      code: 64,
      stderr: expect.not.stringMatching(/pw/),
    });
    expect(await publishTo(nights, "")).toMatchObject({ code: 64 });
  });

  test("and not the data folder by any name, nor what is in it or around it", async () => {
    using before = copyUntil(nights, versions[2]);
    using other = temporaryFolder();
    const data = before.path;
    const link = join(other.path, "link");
    symlinkSync(data, link);
    const around = join(other.path, "around");
    mkdirSync(join(around, "far"), { recursive: true });
    renameSync(join(data, "snapshots"), join(around, "far", "snapshots"));
    symlinkSync(join(around, "far", "snapshots"), join(data, "snapshots"));
    const whole = bytesOf(around);
    const places = [data, `${data}/`, link, join(data, "snapshots"), join(data, "new", "er"), join(link, "x"), "/"];
    const far = [
      join(around, "far"),
      join(around, "far", "snapshots"),
      around,
      `:local:${data}`,
      `:local,links:${link}`,
    ];
    for (const place of [...places, ...far])
      expect(await publishTo(data, place, "--keep", "1"), place).toMatchObject({
        code: 64,
        stdout: "",
        stderr: expect.stringMatching(/^[^\n]*: (?:is the data folder itself|and the data folder overlap) [^\n]*\n$/),
      });
    expect(bytesOf(around)).toEqual(whole);
    expect(readdirSync(data)).not.toContain("new");
  });

  test("that writes through no link", async () => {
    using place = temporaryFolder();
    using elsewhere = temporaryFolder();
    const beside = join(place.path, "snapshots");
    symlinkSync(elsewhere.path, beside);
    expect(await publishTo(nights, place.path)).toMatchObject({
      code: 64,
      stderr: `${beside}: is a link to another folder; name a place that has a folder there\n`,
    });
    rmSync(beside);
    const precious = join(elsewhere.path, "precious");
    writeFileSync(precious, "mine");
    symlinkSync(precious, join(place.path, "latest.json.draft"));
    symlinkSync(precious, join(place.path, "latest.json"));
    expect(await publishTo(nights, place.path, "--take-over")).toMatchObject({ code: 64 });
    rmSync(join(place.path, "latest.json"));
    expect(await publishTo(nights, place.path)).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(precious, "utf8")).toBe("mine");
  });

  test("and no option of rclone", async () => {
    expect(await runCommand("publish-to", ["--data", nights, "--", "--config=x:foo"])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("--config=x:foo: rclone: "),
    });
  });
});

test("a remote without rclone is one line", async () => {
  const ended = await runCommand("publish-to", ["nope:x", "--data", nights], { PATH: "/nowhere" });
  expect(ended).toMatchObject({
    code: 64,
    stdout: "",
    stderr: expect.stringMatching(/^rclone: is not installed, and a remote needs it; install it/),
  });
});

describe("secrets of a remote", () => {
  test.for([
    ["name:path/x", "name:path/x"],
    [":s3,secret_access_key=abc,endpoint='http://h:1':b/p", ":s3,***:b/p"],
    [`name,pass="a:b,c""d":p`, "name,***:p"],
    [":webdav,url='http://me:pw@h/':", ":webdav,***:"],
    ["name,half='open:p", "name,***"],
    [":s3,flag:b", ":s3,***:b"],
  ])("%s is printed as %s", ([remote = "", shown]) => {
    expect(hideSecrets(remote)).toBe(shown);
    expect(hideSecretsIn(`cannot open "${remote}": no`, remote)).toBe(`cannot open "${shown}": no`);
  });

  test("are hidden where only a part of it is quoted", () => {
    const remote = `:x,pass="a:b,c",endpoint='http://me:pw@h/':p`;
    expect(hideSecretsIn("Get http://me:pw@h/p with a:b,c", remote)).toBe("Get http://***@h/p with ***");
  });
});
