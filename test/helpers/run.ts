import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { loadCommand } from "../../scripts/cli/call.ts";
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { sanitizeLines } from "../../src/api/sanitize.ts";

const ROOT = join(import.meta.dirname, "..", "..");

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  /** The words of a terminal. */
  stderr: string;
  /** The lines of JSON on stdout, without the times of a log. */
  events: { event: string; [fact: string]: unknown }[];
}

/**
 * Runs a command within this process, which starts no other for it. What is about signals, memory or the end of a process
 * wants one: `runProcess`.
 */
export async function runCommand(name: string, words: string[], env: Record<string, string> = {}): Promise<Ended> {
  const { call } = await loadCommand(name);
  // It reads its environment before it waits for anything.
  const before = { ...process.env };
  Object.assign(process.env, env);
  const called = call(words);
  for (const variable of Object.keys(env)) delete process.env[variable];
  Object.assign(process.env, before);
  const { code, stdout, stderr } = await called;
  return toEnded(code, null, stdout, stderr);
}

/** True for the loader of TypeScript, which the Node that runs the tests does not need, and is quicker without. */
const isLoader = (word: string) => word === "--import" || word.endsWith("/typescript.js");

const toLine = (name: string, args: string[]) => [
  process.execPath,
  ...commandLine(name).filter((word) => !isLoader(word)),
  ...args,
];

/** Starts a command as a process of its own. */
export const startCommand = (name: string, args: string[], env?: NodeJS.ProcessEnv) => start(toLine(name, args), env);

function start([program = "", ...rest]: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(program, rest, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  return { child, ended: collect(child) };
}

interface Started {
  child: ChildProcess;
  ended: Promise<{ stderr: string }>;
}

/** The address in the line that a server prints once it listens: `… on http://…, …`; `waits`: also if it has nothing to serve yet. */
export async function readUrl({ child, ended }: Started, waits = false): Promise<string> {
  let url: string | undefined;
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    url ??= / on (http:\S+),/.exec(line)?.[1];
    if (url && (waits || !/answering 503|^ |^download |^verifying /.test(line))) return url;
  }
  throw new Error(`ended before it listened: ${(await ended).stderr}`);
}

/**
 * Runs a command as a process of its own; `fileLimit` (blocks of 1024 bytes) makes any larger file fail as on a full disk.
 */
export function runProcess(name: string, args: string[], env?: NodeJS.ProcessEnv, fileLimit?: number): Promise<Ended> {
  // A shell of POSIX counts in blocks of 512 bytes, and bash would complain of a locale that is not there.
  const limit = fileLimit ? ["sh", "-c", `ulimit -f ${fileLimit * 2}; exec "$@"`, "sh"] : [];
  return start([...limit, ...toLine(name, args)], env).ended;
}

/** Runs a command as `npm run` does, with what translates TypeScript. */
export const runScript = (name: string, args: string[], env?: NodeJS.ProcessEnv): Promise<Ended> =>
  start([process.execPath, ...commandLine(name), ...args], env).ended;

async function collect(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once("close", (...end) => resolve(end)),
  );
  return toEnded(code, signal, stdout, stderr);
}

function toEnded(code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string): Ended {
  // What ends with an ellipsis is the begin of an answer.
  const events = stdout.split("\n").flatMap((line) => (/^\{.*[^…]$/.test(line) ? [readEvent(line)] : []));
  return {
    code,
    signal,
    stdout,
    stderr: stderr.replaceAll(/^\{"time":.*"event":"(failed|warning)".*$/gm, toWords),
    events,
  };
}

/** A line of JSON; one of a log without its time, which it must have. */
function readEvent(line: string): Ended["events"][number] {
  const { time, ...event } = JSON.parse(line);
  if ("event" in event && !/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/.test(time)) throw new Error(`has no time: ${line}`);
  return event;
}

/** Turns a failure in a line of a log into the words of a terminal. */
function toWords(line: string): string {
  const { message, hint } = readEvent(line);
  const words = hint === "--help lists the options" ? `${message}\n(${hint})` : hint ? `${message}; ${hint}` : message;
  return sanitizeLines(String(words));
}

/** A folder that is gone when the test is over: `using folder = temporaryFolder()`. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "metasnap-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A crawl of an upstream of our own, which need not be spared. */
export const crawlOptions = (upstream: string, data: string) => [
  ...["--upstream", upstream, "--data", data],
  ...["--rate", "5000", "--concurrency", "8"],
];

/** A seventh of the questions, for what is about neither languages nor ranks nor windows. */
export const LITTLE = ["--languages", "en,ja", "--ranks", "all,glory", "--days", "1,7"];

/** The heroes and their rates, for tests that do not look at the rest of a snapshot. */
export const RATES = ["--endpoints", "heroes,rank"];
