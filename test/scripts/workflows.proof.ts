import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findUnlike, listFiles, readIndex } from "../helpers/api-files.ts";
import { manifestOf, pointerOf } from "../helpers/data-folder.ts";
import { readReleases, serveReleases } from "../helpers/github/releases.ts";
import { readWorkflow, runSteps, type Step } from "../helpers/github/workflow.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const NIGHTLY = join(ROOT, "scripts/deploy/github/nightly.yml");

/** A repository with its releases, and runners that forget all. */
async function startRepository(upstream: string) {
  const folder = temporaryFolder();
  const [origin, store, bin] = ["origin", "store", "bin"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  for (const name of [store, bin]) mkdirSync(name);
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: folder.path, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  git("init", "--quiet", "--initial-branch=main", "seed");
  git(
    "-C",
    "seed",
    "-c",
    "user.name=x",
    "-c",
    "user.email=x@x.example",
    "commit",
    "--quiet",
    "--allow-empty",
    "-m",
    "Begin",
  );
  git("clone", "--quiet", "--bare", "seed", origin);
  const gh = join(bin, "gh");
  writeFileSync(gh, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, "test/helpers/github/gh.ts")}" "$@"\n`);
  chmodSync(gh, 0o755);
  const releases = await serveReleases(store, "me/nights");
  let runs = 0;

  /** A night on a new runner. */
  async function run(more: Record<string, string> = {}, secrets: Record<string, string> = {}, languages?: string) {
    runs += 1;
    const runner = join(folder.path, `run${runs}`);
    const workspace = join(runner, "nights");
    mkdirSync(runner);
    git("clone", "--quiet", origin, workspace);
    const env = {
      PATH: `${bin}:${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`,
      HOME: folder.path,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
      RUNNER_TEMP: runner,
      RELEASES: store,
      GITHUB_SERVER_URL: releases.url,
      GITHUB_REPOSITORY: "me/nights",
      GITHUB_SHA: git("-C", workspace, "rev-parse", "HEAD").trim(),
      // What a small upstream is asked, and at once.
      METASNAP_ENDPOINTS: "heroes,rank",
      METASNAP_LANGUAGES: "en,ja",
      METASNAP_ALLOW_PARTIAL: "1",
      METASNAP_CONCURRENCY: "32",
      METASNAP_CONFIRM_AFTER: "0s",
      ...more,
    };
    const instead = (step: Step) => {
      if (step.name === "Install metasnap") {
        symlinkSync(ROOT, join(workspace, "metasnap"));
        return {};
      }
      if (step.id !== "attest") return step.uses ? {} : undefined;
      writeFileSync(join(runner, "bundle.json"), "{}");
      return { "bundle-path": join(runner, "bundle.json") };
    };
    const workflow = readWorkflow(NIGHTLY);
    workflow.env.UPSTREAM = upstream;
    if (languages !== undefined) workflow.env.PAGES_LANGUAGES = languages;
    const github = { workspace, repository: "me/nights", token: "t0ken" };
    const steps = { Crawl: { METASNAP_RATE: "5000" } };
    const done = await runSteps(workflow, workspace, { github, secrets, env, more: steps }, instead);
    const log = git("-C", origin, "show", "main:nights.tsv")
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t").slice(1));
    const told = Object.entries(done.logs)
      .map(([step, said]) => `${step}:\n${said}\n`)
      .join("");
    return { ...done, told, log, data: join(workspace, "data") };
  }

  return {
    run,
    store,
    git,
    origin,
    url: `${releases.url}/me/nights/releases/latest/download/latest.json`,
    async [Symbol.asyncDispose]() {
      await releases[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The lines of a step's log that a runner takes for commands: all but those between `stop-commands` and its word. */
function commandsIn(log: string): string[] {
  let stop: string | undefined;
  return log.split("\n").filter((line) => {
    const [, name = "", value = ""] = /^\s*::([^:]*)::(.*)$/.exec(line) ?? [];
    if (stop !== undefined) {
      if (name === stop) stop = undefined;
      return false;
    }
    if (name === "stop-commands") stop = value;
    else return name !== "" || line.includes("##[");
    return false;
  });
}

describe("nightly.yml, run night by night", () => {
  test("publishes what is new and whole, says what it is, and mirrors follow", async () => {
    const COMMANDS = "##[set-output name=version]v ::set-output name=version::v";
    let isRefusing = false;
    await using upstream = await startUpstream(3, ({ url = "" }, response) => {
      if (!isRefusing || !url.includes("rank=glory")) return false;
      response.writeHead(422, { "content-type": "application/json" }).end(`{"detail":${JSON.stringify(COMMANDS)}}`);
      return true;
    });
    await using repository = await startRepository(upstream.url);
    using folder = temporaryFolder();
    const secretKey = join(folder.path, "secret.key");
    await runCommand("keys", ["--out", secretKey]);
    const secrets = { SIGNING_KEY: readFileSync(secretKey, "utf8").trimEnd() };
    const mirror = join(folder.path, "mirror");
    const follow = () =>
      runCommand("pull", [
        repository.url,
        "--data",
        mirror,
        "--allow-partial",
        "--key",
        join(folder.path, "secret.pub"),
      ]);
    const night = (env = {}) => repository.run(env, secrets);
    expect(await follow()).toMatchObject({ code: 64, stderr: expect.stringMatching(/has no latest\.json/) });

    const first = await night();
    expect(first.failed, first.told).toBe(false);
    const { version } = pointerOf(first.data);
    expect(first.log).toEqual([["0", version]]);
    expect(readReleases(repository.store)).toMatchObject([
      { tag: version, draft: false, notes: expect.stringMatching(/^The first night\.\n\n\S/) },
    ]);
    const files = ["json", "json.minisig", "sqlite", "sqlite.zst", "sigstore.json"].map(
      (ending) => `${version}.${ending}`,
    );
    const assets = readdirSync(join(repository.store, version, "assets"));
    expect(assets).toEqual(expect.arrayContaining([...files, "latest.json", "hero.parquet", "hero_rate.parquet"]));
    const site = join(first.data, "..", "site");
    expect(findUnlike(site)).toEqual([]);
    expect(readIndex(site).version).toBe(version);
    expect(listFiles(site)).toContain("api/heroes/rank/glory/7.json");
    expect(first.ran).toContain("Hand the files to GitHub Pages");
    expect(await follow()).toMatchObject({ code: 0, stderr: "" });
    expect(pointerOf(mirror).version).toBe(version);

    const second = await night();
    expect(second.failed, second.told).toBe(false);
    expect(second.told).toContain("::notice::Nothing has changed");
    expect(second.ran).not.toContain("Hand the files to GitHub Pages");
    expect(second.log).toEqual([...first.log, ["2", "-"]]);
    expect(readReleases(repository.store)).toHaveLength(1);
    expect((await follow()).code).toBe(2);

    upstream.sample.set({ day: 1 });
    isRefusing = true;
    const third = await night();
    expect(third.failed, third.told).toBe(false);
    const next = pointerOf(third.data).version;
    expect(third.log).toEqual([...second.log, ["7", next]]);
    expect(third.told).toContain("::warning::The upstream newly refuses: rank glory in rank: 422\n");
    expect(readReleases(repository.store)).toMatchObject([
      { tag: version },
      { tag: next, draft: false, notes: expect.stringContaining(version) },
    ]);
    const manifest = manifestOf(third.data, next);
    expect(manifest).toMatchObject({ sequence: 2, follows: version });
    expect(JSON.parse(repository.git("-C", repository.origin, "show", "main:manifest.json"))).toEqual(manifest);
    expect(await follow()).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("newly refused by the upstream: rank glory in rank: 422\n"),
    });
    expect(pointerOf(mirror).version).toBe(next);

    const logs = [first, second, third].flatMap((run) => Object.values(run.logs));
    expect(logs.join("\n")).toContain("set-output name=version");
    expect(logs.flatMap(commandsIn)).toEqual([
      "::notice::Nothing has changed since the last night: no release.",
      "::warning::The upstream newly refuses: rank glory in rank: 422",
    ]);
    const told = [first, second, third].map((run) => run.told).join("");
    expect(told).not.toContain(secrets.SIGNING_KEY.split("\n")[1]);
  });

  test("publishes a release whose files of the API have a wrong language, and is red", async () => {
    await using sample = await startUpstream(3);
    await using repository = await startRepository(sample.url);
    const night = await repository.run({}, {}, "en,xx");
    expect(night.failed).toBe(true);
    expect(night.logs["Write /api as files"]).toContain("xx");
    expect(night.ran).not.toContain("Hand the files to GitHub Pages");
    const { version } = pointerOf(night.data);
    expect(readReleases(repository.store)).toMatchObject([{ tag: version, draft: false }]);
    expect(night.log).toEqual([["0", version]]);
  });

  test("publishes nothing that came up damaged, and is not red while the upstream is away", async () => {
    let isAway = false;
    // It hangs up. A port that was closed may be another server's a moment later.
    await using upstream = await startUpstream(3, ({ socket }) => {
      if (isAway) socket.destroy();
      return isAway;
    });
    await using repository = await startRepository(upstream.url);
    const damaged = await repository.run({ DAMAGE: ".sqlite.zst" });
    expect(damaged.failed).toBe(true);
    expect(damaged.logs["Download them again and compare"]).toMatch(/^[<>] \S+ {2}\S+\.sqlite\.zst$/m);
    expect(damaged.log).toEqual([["0", "-"]]);
    expect(readReleases(repository.store)).toEqual([]);

    isAway = true;
    const away = await repository.run({ METASNAP_ATTEMPTS: "1" });
    expect(away.failed, away.told).toBe(false);
    expect(away.told).toContain("::warning::The upstream is away");
    expect(away.log).toEqual([
      ["0", "-"],
      ["4", "-"],
    ]);
    expect(readReleases(repository.store)).toEqual([]);
  });
});
