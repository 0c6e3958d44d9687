import { Presets, SingleBar } from "cli-progress";
import { describeDuration } from "../api/duration.ts";
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
/** Slices after which their pace says more about the time that is left than the rate that is allowed. */
const ENOUGH_SLICES = 100;

/**
 * A line of JSON for each event; or lines for people and a bar with rate, failures and time left, which where it cannot
 * move is a line now and then. `rate`: requests a second at most.
 */
export function createProgress(
  out: NodeJS.WritableStream & { isTTY?: boolean },
  json: boolean,
  rate: number,
): Progress {
  if (json) return createLines((event, facts) => void out.write(`${toSanitizedJson({ event, ...facts })}\n`), rate);
  const log: Log = (event, facts) => {
    if (event !== "fault") out.write(`${sanitizeLine(`${event} ${describeFacts(facts)}`.trim())}\n`);
  };
  return out.isTTY ? createBar(out, log, rate) : createLines(log, rate);
}

/** How far a crawl is. */
interface State {
  done: number;
  total: number;
  failed: number;
  /** Slices a second. */
  rate: number;
  seconds_left: number;
}

function createState(allowed: number) {
  let [begun, before] = [0, 0];
  const state: State = { done: 0, total: 0, failed: 0, rate: 0, seconds_left: 0 };
  function estimate() {
    const asked = state.done - before;
    const seconds = Math.max(0.001, (performance.now() - begun) / 1000);
    const pace = asked < ENOUGH_SLICES ? allowed : asked / seconds;
    state.rate = Number((asked / seconds).toFixed(1));
    state.seconds_left = Math.ceil((state.total - state.done) / pace);
  }
  return {
    state,
    begin(total: number, done: number) {
      [begun, before] = [performance.now(), done];
      Object.assign(state, { total, done });
      estimate();
    },
    advance(failed: boolean) {
      state.done += 1;
      state.failed += failed ? 1 : 0;
      estimate();
    },
  };
}

const FORMAT = "crawl {bar} {percentage}% {value}/{total} | {rate}/s | {failed} failed | {left} left";

function createBar(stream: NodeJS.WritableStream, log: Log, allowed: number): Progress {
  const bar = new SingleBar({ format: FORMAT, hideCursor: true, stream }, Presets.shades_classic);
  const { state, begin, advance } = createState(allowed);
  const facts = () => ({
    rate: Math.round(state.rate),
    failed: state.failed,
    left: describeDuration(state.seconds_left),
  });
  return {
    log,
    begin(total, done) {
      begin(total, done);
      bar.start(total, done, facts());
    },
    advance(failed) {
      advance(failed);
      bar.increment(1, facts());
    },
    end: () => bar.stop(),
  };
}

function createLines(log: Log, allowed: number): Progress {
  const { state, begin, advance } = createState(allowed);
  let last = performance.now();
  const tell = () => log("progress", state);
  return {
    log,
    begin(total, done) {
      begin(total, done);
      tell();
    },
    advance(failed) {
      advance(failed);
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
