import { sanitizeLine, toLogLine } from "../../src/api/sanitize.ts";
import { priority } from "../../src/server/operate/log.ts";
import { io } from "./io.ts";

const toText = (lines: readonly string[]) => lines.map((line) => `${sanitizeLine(line)}\n`).join("");

/** Writes lines for people to stdout, whatever words they quote. */
export const say = (...lines: string[]) => void io().stdout.write(toText(lines));

/** Makes a function that tells what has happened: in lines for people, or with `--json` as an event. */
export const createTeller =
  (json: boolean) =>
  (event: string, facts: object, ...lines: string[]) =>
    json ? void io().stdout.write(toLogLine({ event, ...facts })) : say(...lines);

export type Teller = ReturnType<typeof createTeller>;

/** Writes to stderr; the journal of the system learns that it is an error, and in a log it is an event. */
export function tell(text: string, event: object): void {
  const { stderr, isLog } = io();
  const begin = stderr === process.stderr ? priority("error", process.stderr.fd) : "";
  stderr.write((isLog ? toLogLine(event) : text).replaceAll(/^(?=.)/gm, begin));
}

/** Warns of trouble that does not end the command. */
export function complain(...lines: string[]) {
  for (const line of lines) tell(toText([line]), { event: "warning", message: line });
}
