import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Program {
  child: ChildProcess;
  /** The match of the pattern in its output. */
  found: string;
  ended: Promise<unknown>;
  stop(): Promise<unknown>;
}

/** Starts node with these words, and with more variables; resolves when a line of its output matches. */
export async function startProgram(words: string[], ready: RegExp, env: Record<string, string> = {}): Promise<Program> {
  const cwd = join(import.meta.dirname, "..", "..");
  const child = spawn(process.execPath, words, {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const ended = once(child, "exit").then(() => process.off("exit", end));
  const lines = createInterface({ input: child.stdout });
  const match = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      const match = ready.exec(line);
      if (match) resolve(match[1] ?? match[0]);
    });
    lines.once("close", () => reject(new Error(`${words.join(" ")}: ended before it was ready`)));
  });
  const stop = () => {
    child.kill();
    return ended;
  };
  return { child, found: match, ended, stop };
}

/** Returns the CPU time that all threads of a process have used so far. */
export const cpuSeconds = (pid: number): number => secondsAt(pid, 11);

/** Returns the CPU time of those of our children, and of theirs, that have ended and were waited for. */
export const endedCpuSeconds = (): number => secondsAt(process.pid, 13);

/** Adds up user and system time (proc(5); the fields are counted from behind the name). */
function secondsAt(pid: number, field: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const TICKS = 100;
  return (Number(fields[field]) + Number(fields[field + 1])) / TICKS;
}

/** Returns the megabytes that a process holds in memory now, or held at most. */
export function residentMegabytes(pid: number, when: "now" | "peak" = "now"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kibibytes] = (when === "now" ? /^VmRSS:\s+(\d+) kB$/m : /^VmHWM:\s+(\d+) kB$/m).exec(status) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}
