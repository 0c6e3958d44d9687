import { harmless } from "../../src/api/harmless.ts";

const toText = (lines: readonly string[]) => lines.map((line) => `${harmless(line)}\n`).join("");

/** Lines for people on stdout, whatever words they quote. */
export const say = (...lines: string[]) => void process.stdout.write(toText(lines));

/** What is wrong and does not end the command, on stderr. */
export const complain = (...lines: string[]) => void process.stderr.write(toText(lines));
