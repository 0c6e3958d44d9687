import { harmless } from "../src/api/harmless.ts";

/** Lines for people on stdout, whatever words they quote. */
export const say = (...lines: string[]) =>
  void process.stdout.write(lines.map((line) => `${harmless(line)}\n`).join(""));
