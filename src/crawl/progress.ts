import { Presets, SingleBar } from "cli-progress";
import { sanitizeLine, toSanitizedJson } from "../api/sanitize.ts";
import { describeDuration } from "../base/words.ts";
import type { Purpose } from "../journal/schema.ts";

/** What happens in a run, as one line of JSON each: `{"event":"fault","dataset":"stats",…}`. */
export type CrawlLog = (event: string, facts?: object) => void;

export interface Progress {
  log: CrawlLog;
  begin(total: number, done: number, purpose: Purpose): void;
  advance(failed: boolean): void;
  end(): void;
}

const INTERVAL_MS = 5000;
/** Slices after which their pace says more about the time that is left than the rate that is allowed. */
const ENOUGH_SLICES = 100;
/** Slices a second that this program gets through if the upstream is on the same machine. */
const FASTEST = 1000;

/**
 * A line of JSON for each event; or lines for people and a bar with rate, failures and time left. A bar that cannot
 * move is a line now and then. `rate`: requests a second at most.
 */
export function createProgress(
  out: NodeJS.WritableStream & { isTTY?: boolean },
  json: boolean,
  rate: number,
): Progress {
  if (json) {
    const write: CrawlLog = (event, facts) => void out.write(`${toSanitizedJson({ event, ...facts })}\n`);
    return createLines(write, (facts) => write("progress", facts), rate);
  }
  const log: CrawlLog = (event, facts) => {
    if (event !== "fault") out.write(`${sanitizeLine(`${event} ${describeFacts(facts)}`.trim())}\n`);
  };
  return out.isTTY ? createBar(out, log, rate) : createLines(log, (facts) => void out.write(describe(facts)), rate);
}

/** How far a crawl is; `rate`: slices a second. */
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
    advance(isFailure: boolean) {
      done += 1;
      failed += isFailure ? 1 : 0;
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

const FORMAT = "{step} {bar} {percentage}% {value}/{total} | {rate}/s | {failed} failed | {left} left";

/** In words: the step, and what stands beside it. */
const toWords = ({ purpose, rate, failed, seconds_left }: Facts) => ({
  step: purpose === "answer" ? "crawl" : "proof",
  rate: Math.round(rate),
  failed,
  left: describeDuration(seconds_left),
});

/** The line of the bar without the bar. */
function describe(facts: Facts): string {
  const { step, rate, failed, left } = toWords(facts);
  const { done, total } = facts;
  return `${step} ${Math.floor((100 * done) / total)}% ${done}/${total} | ${rate}/s | ${failed} failed | ${left} left\n`;
}

function createBar(stream: NodeJS.WritableStream, log: CrawlLog, allowed: number): Progress {
  const bar = new SingleBar({ format: FORMAT, hideCursor: true, stream }, Presets.shades_classic);
  const counter = createCounter(allowed);
  const facts = () => toWords(counter.facts());
  return {
    log,
    begin(total, done, purpose) {
      counter.begin(total, done, purpose);
      bar.start(total, done, facts());
    },
    advance(failed) {
      counter.advance(failed);
      bar.increment(1, facts());
    },
    end: () => bar.stop(),
  };
}

function createLines(log: CrawlLog, write: (facts: Facts) => void, allowed: number): Progress {
  const counter = createCounter(allowed);
  let last = performance.now();
  const tell = () => write(counter.facts());
  return {
    log,
    begin(total, done, purpose) {
      counter.begin(total, done, purpose);
      tell();
    },
    advance(failed) {
      counter.advance(failed);
      if (performance.now() - last < INTERVAL_MS) return;
      last = performance.now();
      tell();
    },
    end: tell,
  };
}

const describeFacts = (facts: object = {}) =>
  Object.entries(facts)
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join(", ");
