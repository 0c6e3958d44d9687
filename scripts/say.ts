import { harmless } from "../src/api/harmless.ts";

const write = (out: NodeJS.WritableStream, lines: readonly string[]) =>
  void out.write(lines.map((line) => `${harmless(line)}\n`).join(""));

/** Lines for people on stdout, whatever words they quote. */
export const say = (...lines: string[]) => write(process.stdout, lines);

/** What is wrong and does not end the command, on stderr. */
export const complain = (...lines: string[]) => write(process.stderr, lines);
