import { Presets, SingleBar } from "cli-progress";

/** The progress of something, in words. */
export interface Told {
  step: string;
  /** The part that is done, and the whole: "12/20 MB". */
  amount: string;
  /** Pace and time left, if there is anything to say. */
  beside?: string;
}

/** Shows how far something is. */
export interface Meter {
  begin(total: number, done: number): void;
  move(done: number): void;
  end(): void;
}

const FORMAT = "{step} {bar} {percentage}% {rest}";
/** A night takes hours, and its log is read by people. */
const INTERVAL_MS = 60_000;

/** A bar on a terminal. A bar that cannot move is a line now and then. */
export const createMeter = (
  out: NodeJS.WritableStream & { isTTY?: boolean },
  tell: (done: number, total: number) => Told,
): Meter =>
  out.isTTY
    ? createBar(out, tell)
    : createLines((done, total) => void out.write(toLine(tell(done, total), done, total)));

/** The line of the bar without the bar. */
const toLine = ({ step, ...told }: Told, done: number, total: number) =>
  `${step} ${Math.floor((100 * done) / total)}% ${toRest(told)}\n`;

const toRest = ({ amount, beside }: Omit<Told, "step">) => (beside ? `${amount} | ${beside}` : amount);

function createBar(stream: NodeJS.WritableStream, tell: (done: number, total: number) => Told): Meter {
  const toPayload = (told: Told) => ({ step: told.step, rest: toRest(told) });
  const bar = new SingleBar({ format: FORMAT, hideCursor: true, stream }, Presets.shades_classic);
  return {
    begin: (total, done) => bar.start(total, done, toPayload(tell(done, total))),
    move: (done) => bar.update(done, toPayload(tell(done, bar.getTotal()))),
    end: () => bar.stop(),
  };
}

/** Calls `write` at the begin, at the end, and once a minute. */
export function createLines(
  write: (done: number, total: number) => void,
  clock: () => number = () => performance.now(),
): Meter {
  let [done, total, last] = [0, 0, 0];
  function now() {
    last = clock();
    write(done, total);
  }
  return {
    begin(all, already) {
      [total, done] = [all, already];
      now();
    },
    move(reached) {
      done = reached;
      if (clock() - last >= INTERVAL_MS) now();
    },
    end: now,
  };
}
