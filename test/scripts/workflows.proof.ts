import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { findUnlike, listFiles, readIndex } from "../helpers/api-files.ts";
import { manifestOf, pointerOf } from "../helpers/data-folder.ts";
import { readWorkflow, type Step, type Workflow } from "../helpers/github/workflow.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServer } from "../helpers/server.ts";
import { sendFile } from "../helpers/upstream/source.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const NIGHTLY = join(ROOT, "scripts/deploy/github/nightly.yml");

interface Release {
  tag: string;
  draft: boolean;
  notes: string;
  target: string;
  number: number;
}

const readReleases = (store: string): Release[] =>
  readdirSync(store)
    .filter((tag) => existsSync(join(store, tag, "release.json")))
    .map((tag) => JSON.parse(readFileSync(join(store, tag, "release.json"), "utf8")))
    .sort((a, b) => a.number - b.number);

/** What `gh` keeps in a folder, at the addresses of GitHub: drafts are not there, the latest is a redirect. */
const serveReleases = (store: string, repository: string) =>
  startServer((req, res) => {
    const at = `/${repository}/releases/`;
    const path = req.url?.startsWith(at) ? req.url.slice(at.length) : "";
    const published = readReleases(store).filter(({ draft }) => !draft);
    const [, latest] = /^latest\/download\/([\w.-]+)$/.exec(path) ?? [];
    const newest = published.at(-1)?.tag;
    if (latest && newest) return res.writeHead(302, { location: `${at}download/${newest}/${latest}` }).end();
    const [, tag = "", name = ""] = /^download\/([\w.-]+)\/([\w.-]+)$/.exec(path) ?? [];
    const file = join(store, tag, "assets", name);
    if (!published.some((one) => one.tag === tag) || !existsSync(file)) return res.writeHead(404).end();
    sendFile(file, "", req, res);
  });

/** What a run has of each step that has an id. */
interface Outcome {
  outcome: "success" | "failure" | "skipped";
  outputs: Record<string, string>;
}

/** What stands for a step that uses an action, or that cannot run here; its outputs. */
type Instead = (step: Step) => Record<string, string> | undefined;

interface Run {
  failed: boolean;
  /** What the steps wrote, by name; the last is that of the end. */
  logs: Record<string, string>;
  /** The names of those that ran. */
  ran: string[];
}

/**
 * Runs the steps of a workflow one after another in a folder, as a runner does: by bash, with their conditions, outputs and
 * environment. Expressions are those of `steps`, `github` and `secrets`.
 */
async function runSteps(
  workflow: Workflow,
  folder: string,
  context: Omit<Contexts, "steps"> & {
    env: Record<string, string>;
    /** Of single steps, by name. */
    more: Record<string, Record<string, string>>;
  },
  instead: Instead,
): Promise<Run> {
  const steps: Record<string, Outcome> = {};
  const run: Run = { failed: false, logs: {}, ran: [] };
  const contexts = { ...context, steps };
  const variables = fill(workflow.env, contexts);
  for (const step of Object.values(workflow.jobs).flatMap((job) => job.steps)) {
    const name = step.name ?? step.uses ?? "";
    const outputs: Record<string, string> = {};
    const done: Outcome = { outcome: "skipped", outputs };
    if (step.id) steps[step.id] = done;
    if (!isDue(step.if, contexts, run.failed)) continue;
    const stands = instead(step);
    if (stands) Object.assign(outputs, stands);
    else {
      const output = join(folder, "..", "output");
      writeFileSync(output, "");
      const own = { ...fill(step.env ?? {}, contexts), ...context.more[name] };
      const env = { ...context.env, ...variables, ...own, GITHUB_OUTPUT: output };
      const { code, said } = await runBash(step.run ?? "", folder, env);
      run.logs[name] = said;
      for (const [, key = "", value = ""] of readFileSync(output, "utf8").matchAll(/^(\w+)=(.*)$/gm))
        outputs[key] = value;
      done.outcome = code === 0 ? "success" : "failure";
      run.failed ||= code !== 0;
    }
    run.ran.push(name);
  }
  return run;
}

async function runBash(script: string, cwd: string, env: Record<string, string>) {
  const file = join(cwd, "..", "step.sh");
  writeFileSync(file, script);
  if (!existsSync(cwd)) throw new Error(`${cwd} is gone`);
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", file], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, said: stdout + stderr };
}

type Contexts = {
  steps: Record<string, Outcome>;
  github: Record<string, string>;
  secrets: Record<string, string>;
};

function lookUp(path: string, contexts: Contexts): string {
  const found = path
    .split(".")
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], contexts);
  return typeof found === "string" ? found : "";
}

const fill = (env: Record<string, string>, contexts: Contexts): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      String(value).replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, path) => lookUp(path, contexts)),
    ]),
  );

/** A condition without a word about failures is also that nothing has failed. */
function isDue(condition: string | undefined, contexts: Contexts, failed: boolean): boolean {
  if (condition === undefined) return !failed;
  const expression = condition
    .replace(/^\$\{\{ (.*) \}\}$/, "$1")
    .replaceAll("failure()", String(failed))
    .replaceAll("cancelled()", "false")
    .replaceAll(/steps[\w.-]+/g, (path) => JSON.stringify(lookUp(path, contexts)));
  if (!/^[\s\w"'().!=&|-]*$/.test(expression)) throw new Error(`cannot be evaluated: ${expression}`);
  const holds = Boolean(new Function(`return ${expression}`)());
  return holds && (!failed || /failure\(\)|cancelled\(\)/.test(condition));
}

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
      METASNAP_CRAWL_LANGUAGES: "en,ja",
      METASNAP_ALLOW_PARTIAL: "1",
      METASNAP_CONCURRENCY: "32",
      METASNAP_CLOSING_PAUSE: "0s",
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
    const steps = { Crawl: { METASNAP_CRAWL_RATE: "5000" } };
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
      runCommand("pull", [repository.url, "--data", mirror, "--key", join(folder.path, "secret.pub")]);
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
    expect(third.told).toContain("::warning::Newly closed: rank glory in rank: 422\n");
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
      stdout: expect.stringContaining("newly closed: rank glory in rank: 422\n"),
    });
    expect(pointerOf(mirror).version).toBe(next);

    const logs = [first, second, third].flatMap((run) => Object.values(run.logs));
    expect(logs.join("\n")).toContain("set-output name=version");
    expect(logs.flatMap(commandsIn)).toEqual([
      "::notice::Nothing has changed since the last night: no release.",
      "::warning::Newly closed: rank glory in rank: 422",
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
