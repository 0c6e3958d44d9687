import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
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
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../../scripts/bench/nginx.ts";
import { hideSecrets, hideSecretsIn } from "../../src/nights/publish-to/rclone.ts";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import { copyOf, manifestFileOf, manifestOf, pointerOf, published, withdrawnOf } from "../helpers/data-folder.ts";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { publishDays } from "../helpers/mirror.ts";
import { RATES, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startS3 } from "../helpers/s3-server.ts";
import { startSource } from "../helpers/upstream/source.ts";

const folder = temporaryFolder();
const nights = folder.path;
let versions: string[] = [];
beforeAll(async () => {
  // rclone asks for minutes what does not answer, and finds remotes where it runs.
  vi.stubEnv("RCLONE_LOW_LEVEL_RETRIES", "1").stubEnv("RCLONE_RETRIES", "1");
  vi.stubEnv("RCLONE_CONFIG", "/nowhere/rclone.conf").stubEnv("AWS_CA_BUNDLE", undefined);
  versions = await publishDays(nights, [0, 1, 2], ...RATES, "--compress");
});
afterAll(() => {
  vi.unstubAllEnvs();
  folder[Symbol.dispose]();
});

const publishTo = (data: string, place: string, ...more: string[]) =>
  runCommand("publish-to", [place, "--data", data, ...more]);

const pull = (url: string, data: string) => runCommand("pull", [url, "--data", data, "--allow-partial"]);

/** As the folder was when that night had just been published. */
function untilNight(night: number) {
  const copy = copyOf(nights);
  for (const version of versions.slice(night + 1))
    for (const name of published(copy.path).filter((one) => one.startsWith(version)))
      rmSync(join(copy.path, "snapshots", name));
  const { latest, follows, game_version, licence, attribution, compressed, changes, ...rest } = manifestOf(
    nights,
    versions[night],
  );
  const { coverage, ages, quality, stale, drift, misfits, crawl, ...pointer } = rest;
  writeFileSync(join(copy.path, "latest.json"), `${JSON.stringify(pointer, null, 2)}\n`);
  return copy;
}

/** Every file that is not hidden, with its bytes. */
const bytesOf = (place: string) =>
  Object.fromEntries(
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((file) => [relative(place, file), createHash("sha256").update(readFileSync(file)).digest("hex")]),
  );

/** What of a data folder is for others. */
function publicOf(data: string) {
  const { "proofs.json": _, ...files } = bytesOf(data);
  return Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith("journals/")));
}

describe("a folder", () => {
  test("has what a static host needs, once, and then nothing is done", async () => {
    using place = temporaryFolder();
    using before = untilNight(1);
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
      ...["sqlite", "sqlite.zst", "changes.json", "json"].map((ending) => `put snapshots/${version}.${ending}`),
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
          ["changes.json", "json", "sqlite", "sqlite.zst"]
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
    using behind = untilNight(1);
    await publishTo(nights, place.path);
    const before = bytesOf(place.path);
    expect(await publishTo(behind.path, place.path)).toMatchObject({
      code: 64,
      stdout: "",
      stderr: expect.stringMatching(
        new RegExp(
          `^[^\\n]* points to ${versions[2]}, which is not of this folder and later than ${versions[1]}[^\\n]*--take-over\\n$`,
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
        const { sample, ...real } = pointerOf(nights);
        writeFileSync(join(place, "latest.json"), JSON.stringify(real));
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
    using before = untilNight(2);
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

/** Reads as a pull does, as fast as it can, and tells of every night that was not whole. */
function readAlways(url: string, stop: AbortSignal) {
  const get = async (path: string) => {
    const { statusCode, body } = await request(`${url}/${path}`);
    return { statusCode, bytes: Buffer.from(await body.arrayBuffer()) };
  };
  const seen = new Map<string, number>();
  const faults: string[] = [];
  async function read() {
    const pointer = await get("latest.json");
    if (pointer.statusCode === 404 && seen.size === 0) return;
    const { version, sha256 } = JSON.parse(pointer.bytes.toString());
    const manifest = JSON.parse((await get(`snapshots/${version}.json`)).bytes.toString());
    const [file, copy, changes] = await Promise.all(
      [`${version}.sqlite`, `${version}.sqlite.zst`, `${version}.changes.json`].map((name) => get(`snapshots/${name}`)),
    );
    const hash = (bytes?: Buffer) =>
      createHash("sha256")
        .update(bytes ?? "")
        .digest("hex");
    if (manifest.sha256 !== sha256 || hash(file?.bytes) !== sha256) faults.push(`${version}: another file`);
    if (hash(copy?.bytes) !== manifest.compressed.sha256) faults.push(`${version}: another copy`);
    if (manifest.changes && hash(changes?.bytes) !== manifest.changes.sha256) faults.push(`${version}: other changes`);
    seen.set(version, (seen.get(version) ?? 0) + 1);
  }
  const done = (async () => {
    while (!stop.aborted) {
      await read().catch((error: Error) => void faults.push(error.message));
      await sleep(1);
    }
  })();
  return { seen, faults, done };
}

describe("whoever reads all the time", () => {
  test(`finds every night whole, whenever a publication is killed (${drawn})`, async () => {
    using place = temporaryFolder();
    using before = untilNight(1);
    await using host = await startSource(place.path);
    await publishTo(before.path, place.path);
    const stop = new AbortController();
    const reader = readAlways(host.url, stop.signal);
    const draw = createDraw("publish-to");
    const kills = draw.some([1, 2, 3, 4, 5, 6], 2);
    for (const at of kills) {
      const { child, ended } = startCommand("publish-to", [place.path, "--data", nights, "--keep", "2"]);
      await killAtLine(child, at);
      await ended;
      expect((await publishTo(nights, place.path, "--keep", "2")).stderr).toBe("");
      const done = bytesOf(place.path);
      expect(pointerOf(place.path).version).toBe(versions[2]);
      expect(Object.keys(done).filter((name) => name.includes(versions[0] ?? "-"))).toEqual([]);
      expect((await publishTo(nights, place.path, "--keep", "2")).code).toBe(2);
      // Back to the night before, by the same command.
      await publishTo(before.path, place.path, "--take-over");
      await waitFor(() => (reader.seen.get(versions[1] ?? "") ?? 0) > 0);
    }
    stop.abort();
    await reader.done;
    expect(reader.faults).toEqual([]);
    expect([...reader.seen.keys()]).toContain(versions[1]);
  });
});

const waitFor = (condition: () => boolean) => expect.poll(condition).toBe(true);

/** Kills it when it has said so much, or lets it end before. */
async function killAtLine(child: ChildProcess, at: number) {
  let count = 0;
  for await (const _ of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    count += 1;
    if (count === at) child.kill("SIGKILL");
  }
}

const absent = spawnSync("rclone", ["version"]).error !== undefined;
if (absent)
  process.stderr.write(
    "what is about remotes in publish-to.test.ts is skipped: rclone is not installed, run `apt-get install rclone`\n",
  );

describe.skipIf(absent)("a remote", () => {
  drawTests(1);

  /** A server of rclone over a folder, when it answers. */
  async function serve(kind: "http" | "webdav", path: string, ...more: string[]) {
    const port = await freePort();
    const words = ["serve", kind, path, "--addr", `127.0.0.1:${port}`, "--dir-cache-time", "0s", ...more];
    const child = spawn("rclone", words, { stdio: "ignore" });
    // A test that is out of time disposes of nothing.
    const end = () => child.kill();
    process.once("exit", end);
    const ended = once(child, "close").then(() => process.off("exit", end));
    await expect
      .poll(() =>
        request(`http://127.0.0.1:${port}`).then(
          ({ body }) => body.dump(),
          () => "silent",
        ),
      )
      .not.toBe("silent");
    return {
      url: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        end();
        await ended;
      },
    };
  }

  test("that is a bucket gets the files, the manifest and the pointer in this order, and is pulled from", async () => {
    using objects = temporaryFolder();
    using before = untilNight(1);
    using pulled = temporaryFolder();
    await using s3 = await startS3(objects.path);
    const first = await publishTo(before.path, s3.remote);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    s3.changes.length = 0;
    const stop = new AbortController();
    const reader = readAlways(`${s3.url}/bucket`, stop.signal);
    const again = await publishTo(nights, s3.remote, "--keep", "2");
    expect(again).toMatchObject({ code: 0, stderr: "" });
    const ofNight = (version = "", endings: string[], verb: string) =>
      endings.map((ending) => `${verb} snapshots/${version}.${ending}`);
    expect(s3.changes).toEqual([
      ...ofNight(versions[2], ["sqlite", "sqlite.zst", "changes.json", "json"], "PUT"),
      "PUT latest.json",
      ...ofNight(versions[0], ["json", "sqlite", "sqlite.zst"], "DELETE"),
    ]);
    expect(s3.headers.get("latest.json")?.["cache-control"]).toBe("no-cache");
    expect(s3.headers.get(`snapshots/${versions[2]}.sqlite`)?.["cache-control"]).toBe(
      "public, max-age=31536000, immutable",
    );
    s3.changes.length = 0;
    expect(await publishTo(nights, s3.remote, "--keep", "2")).toMatchObject({
      code: 2,
      stderr: "",
      stdout: `unchanged ${versions[2]} at :s3,***:bucket\n`,
    });
    expect(s3.changes).toEqual([]);
    await waitFor(() => reader.seen.has(versions[2] ?? ""));
    stop.abort();
    await reader.done;
    expect(reader.faults).toEqual([]);
    expect(`${first.stdout}${again.stdout}`).not.toMatch(/KEY|a5ecret/);
    expect(await pull(`${s3.url}/bucket`, pulled.path)).toMatchObject({ code: 0, stderr: "" });
    expect(pointerOf(pulled.path).version).toBe(versions[2]);
  });

  test("that is a folder behind WebDAV gets the same, and rclone serves it to pull from", async () => {
    using place = temporaryFolder();
    using pulled = temporaryFolder();
    await using dav = await serve("webdav", place.path);
    await using host = await serve("http", place.path, "--read-only");
    const remote = `:webdav,url='${dav.url}':`;
    expect(await publishTo(nights, remote)).toMatchObject({ code: 0, stderr: "" });
    expect(publicOf(place.path)).toEqual(publicOf(nights));
    expect((await publishTo(nights, remote)).code).toBe(2);
    expect(await pull(host.url, pulled.path)).toMatchObject({ code: 0, stderr: "" });
    expect(pointerOf(pulled.path).version).toBe(versions[2]);
  });

  test.for([
    [
      "is away",
      ":s3,provider=Other,access_key_id=KEY,secret_access_key=a5ecret,endpoint='http://127.0.0.1:9':bucket",
      4,
      /^:s3,\*\*\*:bucket: rclone: .*connection refused/,
    ],
    [
      "is away, with its password in quotes",
      `:webdav,url='http://127.0.0.1:9',bearer_token="a5e,c:ret":x`,
      4,
      /^:webdav,\*\*\*:x: rclone: .*refused/,
    ],
    ["is not configured", "nope:x", 64, /^nope:x: rclone: .*didn't find section in config file/],
    ["is of no kind that there is", ":nope,key=a5ecret:x", 64, /^:nope,\*\*\*:x: rclone: .*didn't find backend/],
  ] as const)("that %s is one line without its secrets", async ([, remote, code, why]) => {
    const ended = await publishTo(nights, remote);
    expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(why) });
    expect(ended.stderr.split("\n")).toHaveLength(2);
    expect(ended.stderr).not.toMatch(/KEY|a5e/);
  });

  test("that refuses the key is one line, too", async () => {
    using objects = temporaryFolder();
    await using s3 = await startS3(objects.path);
    const ended = await publishTo(nights, s3.remote.replace("=KEY", "=OTHER"));
    expect(ended).toMatchObject({ code: 4, stdout: "", stderr: expect.stringMatching(/no such key/) });
    expect(ended.stderr).not.toMatch(/OTHER|a5ecret/);
  });

  test("is left whole by whoever tells it to stop", async () => {
    using objects = temporaryFolder();
    await using s3 = await startS3(objects.path);
    s3.hold.held = true;
    const { child, ended } = startCommand("publish-to", [s3.remote, "--data", nights]);
    await waitFor(() => s3.hold.waiting > 0);
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({
      code: 130,
      stdout: "",
      stderr: expect.stringMatching(/^:s3,\*\*\*:bucket: interrupted, [^\n]*\n$/),
    });
    await waitFor(() => s3.hold.waiting === 0);
    expect(s3.changes).toEqual([]);
  });

  test("without rclone is one line", async () => {
    const ended = await runCommand("publish-to", ["nope:x", "--data", nights], { PATH: "/nowhere" });
    expect(ended).toMatchObject({
      code: 64,
      stdout: "",
      stderr: expect.stringMatching(/^rclone: is not installed, and a remote needs it; install it/),
    });
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
