import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { runCommand, runProcess, runScript, temporaryFolder } from "../helpers/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");

describe("wrong usage ends with 64 and one line that says what is allowed", () => {
  const UP = ["--upstream", "http://127.0.0.1:9"];
  const cases: [command: string, args: string[], env: Record<string, string>, message: RegExp][] = [
    ["crawl", [], {}, /--upstream: is missing/],
    ["crawl", ["--upstream", "ftp://x"], {}, /must be an http or https URL/],
    ["crawl", ["--upstream", "http://u:p@x"], {}, /must not carry a user name or password/],
    ["crawl", [...UP, "--languages", "en,xx"], {}, /Allowed are en, id, ru/],
    ["crawl", [...UP, "--ranks", "bronze"], {}, /Allowed are all, epic/],
    ["crawl", [...UP, "--days", "2"], {}, /Allowed are 1, 3, 7, 15, 30/],
    ["crawl", [...UP, "--endpoints", "nothing"], {}, /Allowed are heroes, \/api\/heroes, rank/],
    ["crawl", [...UP, "--heroes", ""], {}, /must not be empty/],
    ["crawl", [...UP, "--rate", "0"], {}, /number from 0.01/],
    ["crawl", [...UP, "--concurrency", "1.5"], {}, /whole number from 1 to 256/],
    ["crawl", [...UP, "--contact", "me"], {}, /must be a mail address, or an http or https URL/],
    ["crawl", [...UP, "--contact", "a@b.org\r\nx: y"], {}, /must be a mail address/],
    ["crawl", [...UP, "--contact", "https://b.org/)"], {}, /must be a mail address/],
    ["crawl", [...UP, "--contact", "https://u:p@b.org"], {}, /must be a mail address/],
    ["crawl", [...UP, "--contact", `https://b.org/${"x".repeat(200)}`], {}, /must be a mail address/],
    ["pull", ["http://x", "--contact", "ftp://b.org"], {}, /must be a mail address/],
    ["crawl", UP, { METASNAP_CONTACT: "nobody" }, /METASNAP_CONTACT.*must be a mail address/],
    ["crawl", [...UP, "--fast"], {}, /unknown option '--fast'/],
    ["crawl", [...UP, "--budget", "500", "--max-age-of", "counters=7d"], {}, /unknown option '--max-age-of'/],
    ["crawl", [...UP, "more"], {}, /too many arguments/],
    ["crawl", UP, { METASNAP_CRAWL_RATE: "quick" }, /METASNAP_CRAWL_RATE.*number from 0.01/],
    ["crawl", UP, { SOURCE_DATE_EPOCH: "soon" }, /SOURCE_DATE_EPOCH: soon is not a time/],
    ["serve", ["--port", "70000"], {}, /whole number from 0 to 65535/],
    ["serve", ["--follow", "file:///etc"], {}, /must be an http or https URL/],
    ["serve", ["--every", "10"], {}, /must be a number with s, m or h/],
    [
      "serve",
      ["--snapshot", "x.sqlite", "--follow", "http://x"],
      {},
      /--follow: is for a folder, and --snapshot names/,
    ],
    ["pull", [], {}, /missing required argument 'url'/],
    ["pull", ["http://u:p@x"], {}, /must not carry a user name or password/],
    ["export", [], {}, /required option '--out <dir>' not specified/],
    ["export", ["--out", "x", "--all", "--partition", "night.sqlite"], {}, /--all is for all nights .* leave one out/],
    ["diff", ["--top", "0"], {}, /whole number from 1/],
    ["serve", ["--trust-proxy", "10.0.0.0/33"], {}, /must be a number of hops, or addresses and ranges/],
    ["serve", ["--log", "loud"], {}, /Allowed choices are off, error, info, debug/],
    ["serve", ["--max-age", "0"], {}, /number from 0.001 to/],
    ["serve", ["--max-age-of", "counters=7d,heros=2d"], {}, /heros is not a dataset. Allowed are heroes, rank, /],
    ["serve", ["--max-age-of", "counters=7d,counters=2d"], {}, /names counters twice/],
    ["serve", ["--max-age-of", "win-rate-index=7d"], {}, /win-rate-index is not a dataset/],
    [
      "verify",
      ["--max-age-of", "counters=7"],
      {},
      /neither a file nor an entry such as counters=7d. An age has s, m, h or d and is at most 3650d/,
    ],
    ["verify", ["--max-age-of", "counters=3651d"], {}, /neither a file nor an entry/],
    ["verify", ["--max-age-of", "no\u001b[31m/file.txt"], {}, /no\[31m\/file.txt is neither a file nor/],
    ["verify", ["--max-age-of", "test"], {}, /must be a file of at most 65536 bytes/],
    ["verify", ["--max-age-of", "package.json"], {}, /\{ is neither a file nor an entry/],
    ["verify", [], { METASNAP_MAX_AGE_OF: "hero=0d" }, /METASNAP_MAX_AGE_OF.*hero=0d is neither a file/],
    ["serve", [], { METASNAP_AUTH_RATE: "many" }, /METASNAP_AUTH_RATE.*whole number from 1 to 100000/],
    ["serve", [], { METASNAP_GRACE: "-1" }, /METASNAP_GRACE.*number from 0 to 600/],
    ["sample", ["--heroes", "0"], {}, /whole number from 1 to 133/],
    ["sample", ["--trouble", "ratings,votes: code"], {}, /votes is no endpoint\./],
    ["sample", ["--trouble", "ratings"], {}, /must be in the form WHERE: FORM\./],
    ["sample", ["--trouble", "lang=xx: code"], {}, /no answer has lang xx\./],
    ["sample", ["--trouble", "all share=: code"], {}, /share NaN bounds no trouble\./],
    [
      "sample",
      [],
      { METASNAP_TROUBLE: "all: code; all: closed" },
      /METASNAP_TROUBLE.*closed is none of the forms code, /,
    ],
    ["sample", ["--unresolved", "-1"], {}, /whole number from 0 to 132/],
    ["sample", ["--heroes", "3", "--unresolved", "3"], {}, /^--unresolved: 3 of 3 heroes leaves none; give a smaller/],
  ];
  test.for(cases)("%s %j", async ([command, args, env, message]) => {
    const { code, stderr, stdout } = await runCommand(command, args, env);
    expect(code).toBe(64);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(stderr).not.toMatch(/at \w+ \(|node_modules/);
  });

  test("options that npm has taken for its own are not ignored", async () => {
    const npm = { npm_lifecycle_event: "crawl", npm_config_rate: "1", npm_config_json: "true" };
    const { code, stdout, stderr } = await runCommand("crawl", UP, npm);
    expect([code, stdout]).toEqual([64, ""]);
    expect(stderr).toBe(
      "--rate: npm has taken it for an option of its own; put -- before the options: npm run crawl -- --rate …\n",
    );
    const short = { npm_config_parseable: "true", npm_config_long: "true", npm_config_all: "true" };
    const plan = await runCommand("crawl", UP, { npm_lifecycle_event: "crawl", ...short });
    expect([plan.code, plan.stderr]).toEqual([64, expect.stringMatching(/^--plan: npm has taken it/)]);
    const other = await runCommand("crawl", [...UP, "--rate", "0"], { ...npm, npm_lifecycle_event: "demo" });
    expect(other.stderr).toMatch(/number from 0.01/);
    // npm says in any case where its own cache is.
    const cached = { npm_lifecycle_event: "serve", npm_config_cache: "/root/.npm" };
    expect((await runCommand("serve", ["--port", "x"], cached)).stderr).toMatch(/whole number from 0/);
  });

  test("a relative folder is named as what it is", async () => {
    const { code, stderr } = await runCommand("serve", ["--data", "test/none"]);
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(
        /^\/.*\/test\/none\/latest\.json: does not exist; .*run `npm run crawl` or `npm run pull` first/,
      ),
    ]);
  });

  test("a folder without a journal cannot be built from", async () => {
    using folder = temporaryFolder();
    const build = await runCommand("build", ["--data", folder.path]);
    expect(build).toMatchObject({ code: 64 });
    expect(build.stderr).toMatch(/holds no finished journal of this version; run `npm run crawl` first/);
  });
});

describe("an older Node", () => {
  test.for(COMMANDS)("is looked at first of all by %s", (command) => {
    const words = commandLine(command);
    expect(words[words.indexOf("--import") + 1]).toBe("./scripts/cli/typescript.js");
  });

  // It lacks what a program imports, so that none of it must be read before.
  test.for(["crawl", "serve"])("is refused by %s before anything can crash", async (command) => {
    const pretend = `
      import module from "node:module";
      Object.defineProperty(process.versions, "node", { value: "20.20.2" });
      module.registerHooks({
        load(url, context, next) {
          if (url.endsWith(".ts")) throw new Error("too early: " + url);
          return next(url, context);
        },
      });`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(pretend)}`;
    const { code, stderr } = await runScript(command, ["--help"], { NODE_OPTIONS });
    expect(code).toBe(64);
    expect(stderr).toMatch(
      /^metasnap needs Node 22\.19 or newer, this is 20\.20\.2; start it with `npm run …` or `metasnap …`,/,
    );
  });
});

test("what Node 22 starts of our own has a loader, as it does not know all of TypeScript's words", () => {
  const pretend = 'Object.defineProperty(process.versions, "node", { value: "22.19.0" })';
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(pretend)}`;
  const show = 'console.log((await import("./src/base/processes.ts")).LOADER.join(" "))';
  const words = ["--import", "./scripts/cli/typescript.js", "--input-type=module", "-e", show];
  const said = (env: NodeJS.ProcessEnv) =>
    execFileSync(process.execPath, words, { cwd: ROOT, encoding: "utf8", env: { ...process.env, ...env } });
  expect(said({ NODE_OPTIONS })).toBe("--import ./scripts/cli/typescript.js\n");
});

describe("the environment", () => {
  test("of another command does not keep a process from its work", async () => {
    using folder = temporaryFolder();
    const { code, stderr } = await runProcess("build", ["--data", folder.path], { METASNAP_AUTH_RATE: "60" });
    expect([code, stderr]).toEqual([64, expect.stringMatching(/holds no finished journal/)]);
  });

  test("names a variable that is misspelt, and none that another command has", async () => {
    using folder = temporaryFolder();
    const env = { METASNAP_KEP: "3", METASNAP_AUTH_RATE: "60", METASNAP_BIN: "" };
    const { code, stderr } = await runCommand("build", ["--data", folder.path], env);
    const [first, ...others] = stderr.split("\n");
    expect(first).toBe("METASNAP_KEP: is not a setting, and has no effect; did you mean METASNAP_KEEP?");
    expect([code, others]).toEqual([64, [expect.stringMatching(/holds no finished journal/), ""]]);
  });
});

test.for(COMMANDS)("%s tells the version with --version and -V", async (command) => {
  for (const word of ["--version", "-V"])
    expect(await runCommand(command, [word])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});
