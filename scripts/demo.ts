import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { EXIT, Failure } from "../src/api/failure.ts";
import { pointerFile } from "../src/snapshot/published/folder.ts";
import { createMain, dataFolder, defineCommand, number, runMain } from "./cli/command.ts";
import { commandLine } from "./cli/command-line.ts";
import { say } from "./cli/say.ts";

interface DemoFlags {
  data: string;
  port: number;
}

const EXAMPLES = [
  "/api/heroes/rank?rank=mythic&days=7&size=1",
  "/api/heroes/miya/counters?rank=glory&days=30",
  "/api/heroes/positions?role=mage&lane=mid&size=1&lang=ja",
  "/api/heroes/Мия?lang=ru",
  "/api/heroes/1/trends?past-days=30&rank=epic",
];

const defineDemo = () =>
  defineCommand("demo", "The whole story: sample upstream, full crawl, server, five queries.")
    .addOption(dataFolder())
    .addOption(number("--port <n>", "first port to try for the server", [1, 65_000]).default(3000));

export const main = createMain(defineDemo, async ({ data: folder, port }: DemoFlags) => {
  const data = resolve(folder);
  claimFolder(data);
  const sample = await startProcess("sample", ["--port", "0"], /sample upstream on (\S+),/);
  try {
    await crawlSample(sample.url, data);
    const server = await serveNear(port, data, sample.url);
    // Whoever reads that it serves may stop it at once.
    const stopped = new Promise<void>((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
    await showExamples(server.url);
    await stopped;
    server.child.kill();
  } finally {
    sample.child.kill();
  }
  return EXIT.done;
});

/** Made-up numbers must never become the latest snapshot of somebody's real ones. */
function claimFolder(data: string) {
  const marker = join(data, ".demo");
  if (existsSync(pointerFile(data)) && !existsSync(marker)) {
    throw new Failure(
      EXIT.usage,
      `${data}: holds snapshots of your own`,
      "name another folder: METASNAP_DATA=demo make demo",
    );
  }
  mkdirSync(data, { recursive: true });
  writeFileSync(marker, "made-up numbers of the sample upstream\n");
}

async function crawlSample(upstream: string, data: string) {
  const pace = ["--rate", "100000", "--concurrency", "8"];
  const options = ["--upstream", upstream, "--data", data, "--fresh", "--no-json", ...pace];
  const child = start("crawl", options, "inherit");
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (code !== EXIT.done && code !== EXIT.unchanged) {
    throw new Failure(EXIT.incomplete, "the crawl of the sample did not end well", "see its message above");
  }
}

async function serveNear(first: number, data: string, upstream: string) {
  for (let port = first; port < first + 20; port += 1) {
    const options = ["--port", String(port), "--data", data, "--upstream", upstream];
    const server = await startProcess("serve", options, /serving \S+ on (\S+),/).catch(() => undefined);
    if (server) return server;
  }
  throw new Failure(EXIT.usage, `ports ${first} to ${first + 19} are all taken`, "name another with METASNAP_PORT");
}

async function showExamples(url: string) {
  for (const path of EXAMPLES) {
    const response = await fetch(url + encodeURI(path));
    const text = await response.text();
    say("", `$ curl -s '${url}${encodeURI(path)}'`, `${text.slice(0, 300)}${text.length > 300 ? "…" : ""}`);
  }
  say("", `serving on ${url}, stop with Ctrl-C`);
}

/** With the words that `npm run` would use. */
function start(command: string, options: string[], stdout: "inherit" | "pipe"): ChildProcess {
  const cwd = join(import.meta.dirname, "..");
  return spawn(process.execPath, [...commandLine(command), ...options], { cwd, stdio: ["ignore", stdout, "inherit"] });
}

/** Starts a command that goes on, and reads from its first line where it listens. */
async function startProcess(command: string, options: string[], ready: RegExp) {
  const child = start(command, options, "pipe");
  process.once("exit", () => child.kill());
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const url = ready.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Failure(EXIT.internal, `${command} did not start`, "see its message above");
}

if (import.meta.main) await runMain(main);
