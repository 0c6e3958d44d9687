import { Presets, SingleBar } from "cli-progress";
import { sanitizeLine, toSanitizedJson } from "../api/sanitize.ts";

/** What happens in a run, as one line of JSON each: `{"event":"fault","dataset":"stats",…}`. */
export type Log = (event: string, facts?: object) => void;

export interface Progress {
  log: Log;
  begin(total: number, done: number): void;
  advance(failed: boolean): void;
  end(): void;
}

const INTERVAL_MS = 5000;

/** A line of JSON for each event, or a bar with rate, failures and time left, which is a line now and then where it cannot move. */
export function createProgress(out: NodeJS.WritableStream, json: boolean): Progress {
  return json ? createLines(out) : createBar(out);
}

const BAR = {
  format: "crawl {bar} {percentage}% {value}/{total} | {rate}/s | {failed} failed | {eta_formatted} left",
  hideCursor: true,
  etaBuffer: 200,
  noTTYOutput: true,
  notTTYSchedule: INTERVAL_MS,
};

function createBar(out: NodeJS.WritableStream): Progress {
  const bar = new SingleBar({ ...BAR, stream: out }, Presets.shades_classic);
  const started = performance.now();
  let asked = 0;
  let failed = 0;
  return {
    log(event, facts) {
      if (event !== "fault") out.write(`${sanitizeLine(`${event} ${describeFacts(facts)}`)}\n`);
    },
    begin: (total, done) => bar.start(total, done, { rate: 0, failed }),
    advance(isFailure) {
      asked += 1;
      failed += isFailure ? 1 : 0;
      const rate = Math.round((asked * 1000) / (performance.now() - started));
      bar.increment(1, { rate, failed });
    },
    end: () => bar.stop(),
  };
}

const describeFacts = (facts: object = {}) =>
  Object.entries(facts)
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join(", ");

function createLines(out: NodeJS.WritableStream): Progress {
  const log: Log = (event, facts) => void out.write(`${toSanitizedJson({ event, ...facts })}\n`);
  const state = { done: 0, total: 0, failed: 0 };
  let last = performance.now();
  return {
    log,
    begin(total, done) {
      Object.assign(state, { total, done });
      log("progress", state);
    },
    advance(isFailure) {
      state.done += 1;
      state.failed += isFailure ? 1 : 0;
      if (performance.now() - last < INTERVAL_MS) return;
      last = performance.now();
      log("progress", state);
    },
    end: () => log("progress", state),
  };
}
