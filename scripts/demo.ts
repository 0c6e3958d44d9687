import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { cutTo } from "../src/api/body/bounds.ts";
import { EXIT, Failure } from "../src/api/failure.ts";
import { lockFolder } from "../src/journal/lock.ts";
import { findToContinue } from "../src/journal/runs.ts";
import type { Header } from "../src/journal/schema.ts";
import { nameForShell } from "../src/snapshot/published/folder.ts";
import { readPointer } from "../src/snapshot/published/pointer.ts";
import { readProvenance } from "../src/snapshot/published/provenance.ts";
import { SCHEMA_VERSION } from "../src/snapshot/schema/version.ts";
import { asCalled } from "./bin/called.ts";
import { createMain, dataFolder, defineCommand, flag, number, runMain } from "./cli/command.ts";
import { commandLineAnywhere } from "./cli/command-line.cjs";
import { MEANINGS } from "./cli/options/variables.ts";
import { say } from "./cli/say.ts";

interface DemoFlags {
  data: string;
  port: number;
  fresh: boolean;
}

const EXAMPLES = [
  "/api/heroes/rank?rank=mythic&days=7&size=1",
  "/api/heroes/miya/counters?rank=glory&days=30",
  "/api/heroes/positions?role=mage&lane=mid&size=1&lang=ja",
  "/api/heroes/Мия?lang=ru",
  "/api/heroes/1/trends?past-days=30&rank=epic",
];

/** The begin of an answer: two lines of a terminal. */
const MAX_SHOWN_CHARS = 160;

const defineDemo = () =>
  defineCommand("demo", {
    Options: [
      dataFolder(".demo"),
      number("--port <n>", `${MEANINGS.port}; if it is taken, one of the next`, [1, 65_000]).default(3000),
      flag("--fresh", "crawl the sample again, even if an earlier demo has left data"),
    ],
  });

export const main = createMain(defineDemo, async ({ data, port, fresh }: DemoFlags) => {
  refuseReal(data);
  const { sample, isSame } = await startSample(fresh ? undefined : findUnfinished(data));
  try {
    const kept = fresh || isSame ? undefined : keptVersion(data);
    if (kept) say(`${data} has the sample from an earlier demo, ${kept}: serving that; --fresh crawls it anew`);
    const ended = kept ? EXIT.done : await crawlSample(sample.url, data, isSame);
    if (ended === EXIT.interrupted) return EXIT.interrupted;
    const server = await serveNear(port, data, sample.url);
    const gone = once(server.child, "exit");
    // A reader of the line that it serves may stop it at once.
    await Promise.race([showExamples(server.url, data), gone]);
    await gone;
  } finally {
    sample.child.kill();
  }
  return EXIT.done;
});

function findUnfinished(data: string): Header | undefined {
  using _ = lockFolder(data);
  return findToContinue(data);
}

/** Refuses a folder of real numbers before anything is started; a crawl would refuse it too. */
function refuseReal(data: string) {
  if (readProvenance(data) !== false) return;
  throw new Failure(
    EXIT.usage,
    `${data}: holds snapshots of real numbers, and those of the demo are made-up`,
    "name another folder with --data, or METASNAP_DATA=demo make demo",
  );
}

/** The version that an earlier demo has published, if this program makes such files. */
function keptVersion(data: string): string | undefined {
  const pointer = readPointer(data);
  return pointer?.schema_version === SCHEMA_VERSION ? pointer.version : undefined;
}

/** Starts the sample at the address of the crawl to resume, which continues no other upstream; elsewhere if that is taken. */
async function startSample(unfinished: Header | undefined) {
  const start = (port: string) => startProcess("sample", ["--port", port], /sample upstream on (\S+),/);
  const { port = "" } = unfinished?.upstreams[0] === undefined ? {} : new URL(unfinished.upstreams[0]);
  const again = port === "" ? undefined : await start(port).catch(() => undefined);
  return { sample: again ?? (await start("0")), isSame: again !== undefined };
}

async function crawlSample(upstream: string, data: string, isSame: boolean): Promise<number | null> {
  const pace = ["--rate", "100000", "--concurrency", "8"];
  const options = ["--upstream", upstream, "--data", data, "--no-json", ...pace, ...(isSame ? [] : ["--fresh"])];
  const [code, signal] = (await once(start("crawl", options, "inherit"), "exit")) as [number | null, string | null];
  // A second Ctrl-C ends it at once.
  if (signal === "SIGINT") return EXIT.interrupted;
  if (code === EXIT.done || code === EXIT.unchanged || code === EXIT.interrupted) return code;
  throw new Failure(EXIT.incomplete, "the crawl of the sample did not end well", "see its message above");
}

async function serveNear(first: number, data: string, upstream: string) {
  for (let port = first; port < first + 20; port += 1) {
    const options = ["--port", String(port), "--data", data, "--upstream", upstream];
    const server = await startProcess("serve", options, /serving \S+ on (\S+),/).catch(() => undefined);
    if (server) return server;
  }
  throw new Failure(EXIT.usage, `ports ${first} to ${first + 19} are all taken`, "name another with METASNAP_PORT");
}

/** Commands for the snapshot of the demo, which no other folder has. */
const nextSteps = (data: string) => [
  `npm run verify -- --data ${data}`,
  `npm run --silent serve -- --data ${data} --get '/api/heroes/rank?rank=all&days=7&size=3&lang=ja'`,
  `npm run export -- --data ${data} --out ${data}/export --views`,
];

async function showExamples(url: string, data: string) {
  for (const path of EXAMPLES) {
    const response = await fetch(url + encodeURI(path)).catch(() => undefined);
    if (!response) return;
    const text = await response.text();
    const shown = text.length > MAX_SHOWN_CHARS ? `${cutTo(MAX_SHOWN_CHARS, text)}…` : text;
    say("", `$ curl -s '${url}${encodeURI(path)}'`, shown);
  }
  const next = nextSteps(nameForShell(data)).map(asCalled);
  say("", "now try, in another terminal:", ...next, "", `stop with Ctrl-C; open in a browser: ${url}/`);
}

/**
 * Starts a command with the words that `npm run` would use, in another process group: a Ctrl-C reaches this process alone, which passes
 * it on, so that the command gets it once.
 */
function start(command: string, options: string[], stdout: "inherit" | "pipe"): ChildProcess {
  const line = [...commandLineAnywhere(command), ...options];
  const child = spawn(process.execPath, line, { stdio: ["ignore", stdout, "inherit"], detached: true });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  process.once("exit", () => child.kill());
  return child;
}

/** Starts a command that goes on, and reads its address from its first line. */
async function startProcess(command: string, options: string[], ready: RegExp) {
  const child = start(command, options, "pipe");
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const url = ready.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Failure(EXIT.internal, `${command} did not start`, "see its message above");
}

if (import.meta.main) await runMain(main);
