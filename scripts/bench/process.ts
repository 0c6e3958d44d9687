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

/** Starts node, or another program, with these words; resolves when a line of its output matches. */
export async function startProgram(
  words: string[],
  ready: RegExp,
  { program = process.execPath, input = "" } = {},
): Promise<Program> {
  const cwd = join(import.meta.dirname, "..", "..");
  const child = spawn(program, words, { cwd, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(input);
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

/** Returns the CPU time that all threads of a process have used so far (proc(5); the fields are counted from behind the name). */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const TICKS = 100;
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Returns the megabytes that a process holds in memory now, or held at most. */
export function residentMegabytes(pid: number, when: "now" | "peak" = "now"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kibibytes] = (when === "now" ? /^VmRSS:\s+(\d+) kB$/m : /^VmHWM:\s+(\d+) kB$/m).exec(status) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}
