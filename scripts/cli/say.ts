import { sanitizeLine } from "../../src/api/sanitize.ts";
import { io } from "./io.ts";

const toText = (lines: readonly string[]) => lines.map((line) => `${sanitizeLine(line)}\n`).join("");

/** Lines for people on stdout, whatever words they quote. */
export const say = (...lines: string[]) => void io().stdout.write(toText(lines));

/** What is wrong and does not end the command, on stderr. */
export const complain = (...lines: string[]) => void io().stderr.write(toText(lines));
