/**
 * A process of its own, so that what the tests do cannot be taken for a stall of the server: asks /health again and again
 * on one connection, and remembers the longest wait.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { residentMegabytes } from "../../../scripts/bench/process.ts";
import { createReader } from "./answers.ts";

export interface Lap {
  asked: number;
  /** Milliseconds that the slowest took, and how many of them the server is to blame for. */
  slowest: number;
  blamed: number;
  /** What was answered instead of 200. */
  odd: string[];
  /** Megabytes at the most. */
  peak: number;
}

const EVERY = 20;
const [url = "", pid = ""] = process.argv.slice(2);
const REQUEST = "GET /health HTTP/1.1\r\nhost: watch\r\n\r\n";

let lap: Lap;
let asking: { since: number; before: Waits } | undefined;
const begin = () => {
  lap = { asked: 0, slowest: 0, blamed: 0, odd: [], peak: 0 };
};

interface Waits {
  /** The thread that serves was ready to run and another had its core. */
  server: number;
  own: number;
  /** The machine itself had to wait for its host. */
  stolen: number;
  /** Any thread of the server had a core. */
  ran: number;
}

const CORES = availableParallelism();
const TICK = 10;
/** What only a server does that waits for something else before it answers. */
const MOST_EXCUSED = 5000;

/** Milliseconds that a process's first thread has waited for a core. */
const readWait = (process: string) => Number(readFileSync(`/proc/${process}/schedstat`, "utf8").split(" ")[1]) / 1e6;

function readWaits(): Waits {
  const stolen = Number(readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/ +/)[8]);
  // After the name, which may hold anything: utime and stime are fields 14 and 15 (proc_pid_stat(5)).
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?!.*\) )/);
  const [user, system] = rest.split(" ").slice(11, 13).map(Number);
  const ran = ((user ?? 0) + (system ?? 0)) * TICK;
  return { server: readWait(pid), own: readWait("self"), stolen: (stolen * TICK) / CORES, ran };
}

/**
 * That others had the machine is not the server's fault: it was busy for as long as it ran, and what its threads, or those of
 * the kernel that read and send for it, waited for a core besides is told by nobody.
 */
function note(since: number, before: Waits) {
  const wait = performance.now() - since;
  const after = readWaits();
  const excused = after.server - before.server + (after.own - before.own) + (after.stolen - before.stolen);
  lap.slowest = Math.max(lap.slowest, wait);
  const left = wait - excused;
  const busy = left > MOST_EXCUSED ? left : Math.min(left, after.ran - before.ran + TICK);
  lap.blamed = Math.max(lap.blamed, busy);
}

async function watch(): Promise<never> {
  for (;;) {
    try {
      await watchConnection();
    } catch (error) {
      if (lap.odd.length < 5) lap.odd.push((error as Error).message);
      await sleep(100);
    }
  }
}

async function watchConnection() {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  let answered: (status: number) => void = () => {};
  const reader = createReader(
    () => "GET",
    ({ status }) => answered(status),
  );
  const broken = new Promise<never>((_, reject) => {
    socket.on("error", reject);
    socket.once("close", () => reject(new Error("closed")));
    socket.on("data", (chunk: Buffer) => {
      try {
        reader.feed(chunk);
      } catch (error) {
        reject(error);
      }
    });
  });
  broken.catch(() => {});
  try {
    for (;;) {
      asking = { since: performance.now(), before: readWaits() };
      const answer = new Promise<number>((resolve) => {
        answered = resolve;
      });
      socket.write(REQUEST);
      const status = await Promise.race([answer, broken]);
      note(asking.since, asking.before);
      lap.asked += 1;
      if (status !== 200 && lap.odd.length < 5) lap.odd.push(`status ${status}`);
      await sleep(EVERY);
    }
  } finally {
    asking = undefined;
    socket.destroy();
  }
}

process.on("message", () => {
  try {
    if (asking) note(asking.since, asking.before);
    lap.peak = residentMegabytes(Number(pid), "peak");
    // The kernel's own mark of the highest: from here on that of the next lap.
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    lap.odd.push("the process is gone");
  }
  process.send?.(lap);
  begin();
});
process.on("disconnect", () => process.exit());
begin();
void watch();
