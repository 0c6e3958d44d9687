import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Program {
  child: ChildProcess;
  /** What the pattern found in its output. */
  found: string;
  ended: Promise<unknown>;
  stop(): void;
}

/** Starts node on these words and gives it the input; resolves when a line of its output matches. */
export async function startProgram(words: string[], ready: RegExp, input = ""): Promise<Program> {
  const cwd = join(import.meta.dirname, "..");
  const child = spawn(process.execPath, words, { cwd, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(input);
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const ended = once(child, "exit").then(() => process.off("exit", end));
  const lines = createInterface({ input: child.stdout });
  const found = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      const match = ready.exec(line);
      if (match) resolve(match[1] ?? match[0]);
    });
    lines.once("close", () => reject(new Error(`${words.join(" ")}: ended before it was ready`)));
  });
  return { child, found, ended, stop: () => child.kill() };
}
