import { sanitizeLine } from "../../src/api/sanitize.ts";
import { priority } from "../../src/server/operate/log.ts";
import { io } from "./io.ts";

const toText = (lines: readonly string[]) => lines.map((line) => `${sanitizeLine(line)}\n`).join("");

/** Lines for people on stdout, whatever words they quote. */
export const say = (...lines: string[]) => void io().stdout.write(toText(lines));

/** On stderr, where a journal is told that it is an error. */
export function tell(text: string): void {
  const { stderr } = io();
  const begin = stderr === process.stderr ? priority("error", process.stderr.fd) : "";
  stderr.write(text.replaceAll(/^(?=.)/gm, begin));
}

/** What is wrong and does not end the command. */
export const complain = (...lines: string[]) => tell(toText(lines));
