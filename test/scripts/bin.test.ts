import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const BIN = join(ROOT, manifest.bin.metasnap);

function start(words: string[], cwd = "/", bin = BIN) {
  const child = spawn(process.execPath, [bin, ...words], { cwd });
  child.stdin.end();
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(
    ([stdout, stderr, [code, signal]]) => ({ code, signal, stdout, stderr }),
  );
  return { child, ended };
}

/** The one command, with nothing beside it but this program as `build`. */
function lay(folder: string, program: string) {
  const build = "node scripts/build.cjs";
  for (const file of [
    "bin/metasnap.cjs",
    "bin/run.cjs",
    "bin/commands.json",
    "cli/command-line.cjs",
    "bin/compile-cache.cjs",
    "cli/node-version.cjs",
  ])
    cpSync(join(ROOT, "scripts", file), join(folder, "scripts", file));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { build } }));
  writeFileSync(join(folder, "scripts/build.cjs"), program);
  return join(folder, "scripts/bin/metasnap.cjs");
}

describe("the one command", () => {
  test("lists the commands, each with what its own help says", async () => {
    const { code, stdout } = await start(["--help"]).ended;
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}(\S+) +(.*)$/gm)].map(([, name = "", summary]) => [name, summary]);
    expect(listed.map(([name]) => name)).toEqual(COMMANDS);
    for (const [name = "", summary] of listed) {
      expect(manifest.scripts).toHaveProperty(name, expect.stringMatching(/ scripts\/\S+\.ts$/));
      expect((await runCommand(name, ["--help"])).stdout.split("\n")[2]).toBe(summary);
    }
  });

  test.for([["-v"], ["-V"], ["--version"], ["version"]])("tells its version with %s", async (words) => {
    expect(await start(words).ended).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  });

  test.for([
    ["help", "keys"],
    ["--help", "keys"],
    ["-h", "keys"],
    ["keys", "-h"],
    ["keys", "--help"],
  ])("explains a command with %s %s", async (words) => {
    const { code, stdout } = await start(words).ended;
    const said = await runCommand("keys", ["--help"], { METASNAP_BIN: "1" });
    expect([code, stdout]).toEqual([0, said.stdout]);
  });

  test("explains all of a command with --all, and itself without a name", async () => {
    const [whole, itself] = [start(["help", "crawl", "--all"]), start(["help"])];
    expect((await whole.ended).stdout).toBe(
      (await runCommand("crawl", ["--help", "--all"], { METASNAP_BIN: "1" })).stdout,
    );
    expect(await itself.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: metasnap <command>/) });
  });

  test.for([
    [[], /^Usage: metasnap <command>/],
    [["crwal"], /^"crwal": is no command; did you mean crawl; metasnap --help lists the commands\n$/],
    [["help", "crwal"], /^"crwal": is no command; did you mean crawl; metasnap --help lists the commands\n$/],
    [["--data", "x"], /^"--data": options come after a command; metasnap --help lists the commands\n$/],
    [["\u001b[31m"], /^"\\u001b\[31m": is no command/],
    [["__proto__"], /^"__proto__": is no command/],
    [["test"], /^"test": is no command/],
  ] as const)("refuses %j with 64", async ([words, message]) => {
    const { code, stdout, stderr } = await start([...words]).ended;
    expect([code, stdout]).toEqual([64, ""]);
    expect(stderr).toMatch(message);
  });

  test("names commands in usages and hints as it was called, and folders as the caller sees them", async () => {
    using folder = temporaryFolder();
    const { code, stderr } = await start(["build"], folder.path).ended;
    expect([code, stderr]).toEqual([
      64,
      `${folder.path}/data/journals: holds no finished journal of this version; run \`metasnap crawl\` first, or name one with --journal\n`,
    ]);
    const called = { METASNAP_BIN: "1" };
    expect((await runCommand("crawl", ["--help"], called)).stdout).toMatch(/^Usage: metasnap crawl \[options\]\n/);
    expect((await runCommand("crawl", ["--fast"], called)).stderr).toMatch(/^unknown option '--fast'\n/);
  });

  test("passes on a signal and an end", async () => {
    using folder = temporaryFolder();
    const wait = 'process.on("SIGTERM", () => process.exit(3)); setInterval(() => {}, 1000); console.log(process.pid);';
    const bin = lay(folder.path, wait);
    const [told, killed] = [start(["build"], "/", bin), start(["build"], "/", bin)];
    const [, pid] = await Promise.all([told, killed].map(({ child }) => once(child.stdout, "data")));
    told.child.kill("SIGTERM");
    process.kill(Number(pid), "SIGKILL");
    expect(await told.ended).toMatchObject({ code: 3, signal: null, stderr: "" });
    expect(await killed.ended).toMatchObject({ code: null, signal: "SIGKILL" });
  });

  test("does not send again what a terminal has sent to all", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(2, () => true);
    const line = `${process.execPath} ${BIN} crawl --plan --upstream ${upstream.url} --data ${folder.path}`;
    // It outlives its end by a moment, so that a second signal would come in time to be counted.
    const count = `
      if (process.argv[1]?.endsWith("crawl.ts")) {
        let signals = 0;
        process.on("SIGINT", () => void (signals += 1)).on("exit", () => console.log("signals: " + signals));
        setInterval(() => {}, 1000);
      }`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(count)}`;
    const child = spawn("script", ["-qec", line, "/dev/null"], { env: { ...process.env, NODE_OPTIONS } });
    const said = text(child.stdout);
    await expect.poll(() => upstream.asked.length).toBeGreaterThan(0);
    child.stdin.write("\u0003");
    expect(await once(child, "close")).toEqual([130, null]);
    expect(await said).toMatch(/interrupted .*; run the same command again\r\nsignals: 1\r\n$/);
  });
});

describe("the Node that a command runs on", () => {
  const run = promisify(execFile);
  const TELL = "process.stdout.write(process.execPath); process.exitCode = 7;";

  /** As npm would leave the package; the program in it cannot be started where the C library is another. */
  function layPackage(folder: string, program: string) {
    const packaged = join(folder, `node_modules/node-${process.platform}-${process.arch}`);
    mkdirSync(join(packaged, "bin"), { recursive: true });
    writeFileSync(join(packaged, "package.json"), "{}");
    symlinkSync(program, join(packaged, "bin/node"));
    return join(packaged, "bin/node");
  }

  test("is its own where the packaged one is missing or cannot be started", async () => {
    using folder = temporaryFolder();
    const bin = lay(folder.path, TELL);
    const own = await run(process.execPath, [bin, "build"]).catch((error) => error);
    expect([own.code, own.stdout]).toEqual([7, process.execPath]);
    layPackage(folder.path, "/nowhere/node");
    const unusable = await run(process.execPath, [bin, "build"]).catch((error) => error);
    expect([unusable.code, unusable.stdout, unusable.stderr]).toEqual([7, process.execPath, ""]);
  });

  test("must not be an older one", async () => {
    using folder = temporaryFolder();
    const bin = lay(folder.path, TELL);
    const pretend = 'Object.defineProperty(process.versions, "node", { value: "20.20.2" })';
    const old = [`--import=data:text/javascript,${encodeURIComponent(pretend)}`, bin, "build"];
    const refused = await run(process.execPath, old).catch((error) => error);
    expect([refused.code, refused.stdout]).toEqual([64, ""]);
    expect(refused.stderr).toMatch(/^metasnap needs Node 22\.19 or newer, this is 20\.20\.2; start it with .*\n$/);
    layPackage(folder.path, process.execPath);
    const saved = await run(process.execPath, old).catch((error) => error);
    expect([saved.code, saved.stdout]).toEqual([7, process.execPath]);
  });
});

test("completion in bash has commands, options, words, and else files", async () => {
  const { stdout: script } = await runCommand("completion", ["bash"]);
  const complete = async (...words: string[]) => {
    const line = words.map((word) => `'${word}'`).join(" ");
    const ask = `COMP_WORDS=(metasnap ${line}); COMP_CWORD=${words.length}; _metasnap; echo "\${COMPREPLY[*]}"`;
    const { stdout } = await promisify(execFile)("bash", ["-uc", `${script}\n${ask}`]);
    return stdout.trim().split(" ");
  };
  expect(await complete("")).toEqual([...COMMANDS, "--help", "--version"]);
  expect(await complete("crawl", "--max")).toEqual(["--max-time", "--max-missing", "--max-loss"]);
  expect(await complete("serve", "--log", "")).toEqual(["off", "error", "info", "debug"]);
  expect(await complete("completion", "")).toEqual(["bash", "zsh", "fish"]);
  expect(await complete("crawl", "--data", "")).toEqual([""]);
});
