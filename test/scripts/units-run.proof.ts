import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../../scripts/bench/nginx.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { publishDays } from "../helpers/mirror.ts";
import { installPackage, linkCommand } from "../helpers/package.ts";
import { blocksOf } from "../helpers/pages.ts";
import { RATES, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

/*
 * The units as they are, started by a systemd of their own: what the sandbox forbids is forbidden here. It takes a minute and a
 * systemd-nspawn.
 */
const ROOT = join(import.meta.dirname, "..", "..");

/** A container has this machine's /usr, and all else is empty and gone with it. */
const CONTAINER = ["--quiet", "--register=no", "--keep-unit", "--directory=/", "--volatile=yes"];

const READ: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];

/** Boots a systemd that has a user, units and what is bound into it, as `from:to`. Nothing else is started. */
async function boot(folder: string, { units, bound }: { units: string; bound: string[] }) {
  const users = join(folder, "users.conf");
  writeFileSync(users, "u metasnap - - /var/lib/metasnap\n");
  const binds = [`${users}:/etc/sysusers.d/metasnap.conf`, `${units}:/etc/systemd/system`, ...bound];
  const words = [...CONTAINER, "--console=pipe", ...binds.map((bind) => `--bind-ro=${bind}`)];
  const child = spawn("systemd-nspawn", [...words, "--boot", "systemd.unit=basic.target"], { stdio: "ignore" });
  const ended = once(child, "exit");
  /** Its first process: of nspawn itself the others would outlive the end. */
  const first = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ")[0]);
  /** Runs a command in it, and tells what that printed. */
  async function run(...command: string[]) {
    const { stdout } = spawn("nsenter", ["--all", `--target=${first()}`, "--", ...command], { stdio: READ });
    return (await text(stdout)).trim();
  }
  const machine = {
    run,
    async [Symbol.asyncDispose]() {
      process.kill(first(), "SIGKILL");
      await ended;
    },
  };
  const isRunning = async () => expect(await run("systemctl", "is-system-running")).toMatch(/^(running|degraded)$/);
  await vi.waitFor(isRunning, { timeout: 240_000 }).catch(async (error) => {
    await machine[Symbol.asyncDispose]();
    throw error;
  });
  return machine;
}

/** Where the command comes from; tells what of it is bound into the container. */
const FORMS: [string, (folder: string) => Promise<string[]>][] = [
  ["a checkout", async (folder) => [`${ROOT}:/srv/metasnap`, `${linkCommand("/srv/metasnap", folder)}:/usr/local/bin`]],
  [
    "the package",
    async (folder) => {
      await installPackage(join(folder, "local"));
      return [`${join(folder, "local")}:/usr/local`];
    },
  ],
];

describe.each(FORMS)("the units with %s", (_, lay) => {
  const folder = temporaryFolder();
  const settings = join(folder.path, "settings");
  let machine: Awaited<ReturnType<typeof boot>>;
  let port: number;

  beforeAll(async () => {
    mkdirSync(settings);
    const units = join(ROOT, "scripts", "deploy", "systemd");
    const bound = await lay(folder.path);
    machine = await boot(folder.path, { units, bound: [...bound, `${settings}:/etc/metasnap`] });
    port = await freePort();
    configure("all", { METASNAP_CONTACT: "ops@mirror.example", METASNAP_PORT: String(port) });
  });
  afterAll(async () => {
    await machine?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const configure = (unit: string, variables: Record<string, string>) =>
    writeFileSync(
      join(settings, `${unit}.env`),
      Object.entries(variables)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
    );
  const configureCrawl = (upstream: string) =>
    configure("metasnap-crawl", {
      METASNAP_CRAWL_UPSTREAM: upstream,
      METASNAP_ENDPOINTS: "heroes,rank",
      METASNAP_CRAWL_LANGUAGES: "en,ja",
      METASNAP_RANKS: "all",
      METASNAP_CRAWL_DAYS: "1,7",
      METASNAP_CRAWL_RATE: "5000",
      METASNAP_ATTEMPTS: "1",
      METASNAP_ALLOW_PARTIAL: "1",
    });

  /** Starts a unit, for a night until its end, and tells what became of it. */
  async function start(unit: string) {
    const code = await machine.run("sh", "-c", `systemctl start ${unit}; echo $?`);
    return `${code}: ${await show(unit)}`;
  }
  async function show(unit: string) {
    const names = ["SubState", "Result", "ExecMainStatus"];
    const stdout = await machine.run("systemctl", "show", `--property=${names}`, unit);
    const said = new Map(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split("=") as [string, string]),
    );
    return names.map((name) => said.get(name)).join(" ");
  }

  test("make a night, are content with one that has nothing new, ask again after 4, and leave 64 to a person", async () => {
    const sample = await startSample({ heroes: 1 });
    configureCrawl(sample.url);
    // Of what ended well systemd forgets the code; the log has it, below.
    expect(await start("metasnap-crawl.service")).toBe("0: dead success 0");
    expect(await start("metasnap-crawl.service")).toBe("0: dead success 0");
    await sample.close();
    await machine.run("systemctl", "start", "--no-block", "metasnap-crawl.service");
    await expect.poll(() => show("metasnap-crawl.service")).toBe("auto-restart exit-code 4");
    await machine.run("systemctl", "stop", "metasnap-crawl.service");
    configureCrawl("nowhere");
    expect(await start("metasnap-crawl.service")).toBe("1: failed exit-code 64");

    const stdout = await machine.run(
      "journalctl",
      "--unit=metasnap-crawl",
      "--identifier=metasnap-crawl",
      "--output=cat",
    );
    const lines = stdout.split("\n");
    const said = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    const ends = said.filter(({ event }) => /published|unchanged|failed/.test(event));
    expect(ends.map(({ event }) => event)).toEqual(["published", "unchanged", "failed", "failed"]);
    const errors = await machine.run(
      "journalctl",
      "--unit=metasnap-crawl",
      "--identifier=metasnap-crawl",
      "--output=cat",
      "--priority=err",
    );
    expect(errors.trimEnd().split("\n")).toEqual(lines.filter((line) => line.includes('"event":"failed"')));
    expect(errors).toMatch(/gave no hero list [\s\S]*'nowhere' from env 'METASNAP_CRAWL_UPSTREAM' is invalid/);
  });

  test("end a night in order that is told to stop", async () => {
    await using upstream = await startUpstream(1, ({ url = "" }) => url.includes("rank?"));
    configureCrawl(upstream.url);
    await machine.run("systemctl", "start", "--no-block", "metasnap-crawl.service");
    await expect.poll(() => upstream.asked.some((path) => path.includes("rank?"))).toBe(true);
    await machine.run("systemctl", "stop", "metasnap-crawl.service");
    expect(await show("metasnap-crawl.service")).toBe("dead success 0");
    const unit = ["--unit=metasnap-crawl", "--identifier=metasnap-crawl", "--output=cat", "--priority=err"];
    expect(await machine.run("journalctl", ...unit, "--lines=1")).toMatch(
      /"exit":130,"message":"interrupted .*","hint":"run the same command again/,
    );
  });

  test("leave nights that are proved by hand as the page says", async () => {
    const line = blocksOf("scripts/deploy/README.md", "bash").find((block) => block.startsWith("runuser")) ?? "";
    // The container has no PAM, which `runuser` asks.
    const other = line.replace("runuser -u", "setpriv --clear-groups --regid metasnap --reuid");
    const path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin";
    // Root begins in a folder that no other user may read.
    const proved = await machine.run("env", "-i", path, "sh", "-c", `cd /root && chmod 700 . && ${other}`);
    expect(proved).toMatch(/content hash +│ ok/);
  });

  test("serve it, prove it, and end in order, without any right", async () => {
    expect(await start("metasnap.service")).toBe("0: running success 0");
    await expect.poll(async () => (await health()).verified).toBe(true);
    const pid = await machine.run("systemctl", "show", "--property=MainPID", "--value", "metasnap.service");
    const status = await machine.run("cat", `/proc/${pid}/status`);
    for (const line of [/^CapBnd:\t0+$/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m]) expect(status).toMatch(line);
    await machine.run("systemctl", "stop", "metasnap.service");
    expect(await show("metasnap.service")).toBe("dead success 0");
  });

  test("follow another mirror, in the place of the first", async () => {
    using night = temporaryFolder();
    const [version] = await publishDays(night.path, [0], ...RATES);
    await using source = await startServe(["--data", night.path]);
    configure("metasnap-follow", { METASNAP_FOLLOW: source.url, METASNAP_ALLOW_PARTIAL: "1" });
    await machine.run("rm", "-r", "/var/lib/metasnap/snapshots", "/var/lib/metasnap/latest.json");
    expect(await start("metasnap-follow.service")).toBe("0: running success 0");
    await expect.poll(async () => (await health()).version).toBe(version);
    await start("metasnap.service");
    expect(await show("metasnap-follow.service")).toBe("dead success 0");
  });

  test("have a night every night", async () => {
    await machine.run("systemctl", "start", "metasnap-crawl.timer");
    const stdout = await machine.run("systemctl", "show", "--property=NextElapseUSecRealtime", "metasnap-crawl.timer");
    expect(stdout).toMatch(/ 02:(1[7-9]|2\d|3[0-7]):\d\d /);
  });

  async function health(): Promise<{ version?: string; verified?: boolean }> {
    const { body } = await request(`http://127.0.0.1:${port}/health`);
    return ((await body.json()) as { data: { snapshot: object } }).data.snapshot;
  }
});
