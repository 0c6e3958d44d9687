import { createMeter } from "../../../base/meter.ts";
import { describeDuration } from "../../../base/words.ts";
import type { PullStep } from "./pull.ts";

const MB = 1e6;

/** Tells how far pulls are, one after another. */
interface PullProgress extends Disposable {
  tell(step: PullStep): void;
  /** Ends what is shown of a pull that has ended. */
  end(): void;
}

/** A bar on a terminal, and elsewhere a line now and then. */
export function createPullProgress(out: NodeJS.WritableStream & { isTTY?: boolean }): PullProgress {
  let [begun, before] = [0, 0];
  let version: string | undefined;
  const meter = createMeter(out, (done, total) => {
    const seconds = Math.max(0.001, (performance.now() - begun) / 1000);
    const pace = (done - before) / seconds;
    const left = Math.ceil((total - done) / pace);
    return {
      step: `download ${version}`,
      amount: `${(done / MB).toFixed(1)}/${(total / MB).toFixed(1)} MB`,
      ...(pace > 0 && { beside: `${(pace / MB).toFixed(1)} MB/s | ${describeDuration(left)} left` }),
    };
  });

  function end() {
    if (version !== undefined) meter.end();
    version = undefined;
  }

  function tell(step: PullStep) {
    if (step.step === "download" && step.version === version) return meter.move(step.bytes);
    end();
    if (step.step === "verify") return void out.write(`verifying ${step.version}\n`);
    version = step.version;
    [begun, before] = [performance.now(), step.bytes];
    meter.begin(step.total, step.bytes);
  }

  return { tell, end, [Symbol.dispose]: end };
}
