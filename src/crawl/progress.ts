import { sanitizeLine, toLogLine } from "../api/sanitize.ts";
import { createLines, createMeter, type Told } from "../base/meter.ts";
import { describeDuration } from "../base/words.ts";
import type { Purpose } from "../journal/schema.ts";

/** Logs an event of a run as a line of JSON: `{"time":"…","event":"fault","dataset":"stats",…}`. */
export type CrawlLog = (event: string, facts?: object) => void;

export interface Progress {
  log: CrawlLog;
  begin(total: number, done: number, purpose: Purpose): void;
  advance(failed: boolean): void;
  end(): void;
}

/** Slices after which their pace says more about the time that is left than the rate that is allowed. */
const ENOUGH_SLICES = 100;
/** Slices a second that this program gets through if the upstream is on the same machine. */
const FASTEST = 1000;

/**
 * A line of JSON for each event; or lines for people and a bar with rate, failures and time left. `rate`: requests a second at
 * most.
 */
export function createProgress(
  out: NodeJS.WritableStream & { isTTY?: boolean },
  json: boolean,
  rate: number,
): Progress {
  const log: CrawlLog = json
    ? (event, facts) => void out.write(toLogLine({ event, ...facts }))
    : (event, facts) => {
        if (event !== "fault") out.write(`${sanitizeLine(`${event} ${describeFacts(facts)}`.trim())}\n`);
      };
  const counter = createCounter(rate);
  const meter = json
    ? createLines(() => log("progress", counter.facts()))
    : createMeter(out, () => toWords(counter.facts()));
  return {
    log,
    begin(total, done, purpose) {
      counter.begin(total, done, purpose);
      meter.begin(total, done);
    },
    advance: (failed) => meter.move(counter.advance(failed)),
    end: meter.end,
  };
}

/** The progress of a crawl; `rate`: slices a second. */
interface Facts {
  purpose: Purpose;
  done: number;
  total: number;
  failed: number;
  rate: number;
  seconds_left: number;
}

function createCounter(allowed: number) {
  let purpose: Purpose = "answer";
  let [begun, before] = [0, 0];
  let [done, total, failed] = [0, 0, 0];
  return {
    begin(slices: number, already: number, what: Purpose) {
      purpose = what;
      [begun, before] = [performance.now(), already];
      [total, done] = [slices, already];
    },
    /** The number of slices that are over. */
    advance(isFailure: boolean): number {
      failed += isFailure ? 1 : 0;
      done += 1;
      return done;
    },
    facts(): Facts {
      const asked = done - before;
      const seconds = Math.max(0.001, (performance.now() - begun) / 1000);
      const pace = asked < ENOUGH_SLICES ? Math.min(allowed, FASTEST) : asked / seconds;
      const rate = Number((asked / seconds).toFixed(1));
      return { purpose, done, total, failed, rate, seconds_left: Math.ceil((total - done) / pace) };
    },
  };
}

const toWords = ({ purpose, done, total, rate, failed, seconds_left }: Facts): Told => ({
  step: purpose === "answer" ? "crawl" : "proof",
  amount: `${done}/${total}`,
  beside: `${Math.round(rate)}/s | ${failed} failed | ${describeDuration(seconds_left)} left`,
});

const describeFacts = (facts: object = {}) =>
  Object.entries(facts)
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join(", ");
