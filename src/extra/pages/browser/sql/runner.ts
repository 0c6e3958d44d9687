import type { Answer, Question } from "./messages.ts";

/** A worker that answers one query after the other. */
export interface Runner {
  /** Undefined if it was stopped before. */
  ask(question: Question): Promise<Answer | undefined>;
  /** Ends what runs at once: a worker that is busy hears no message. The next query gets a new one. */
  stop(): void;
}

export function createRunner(script: string): Runner {
  let worker: Worker | undefined;
  let settle: ((answer: Answer | undefined) => void) | undefined;

  function finish(answer: Answer | undefined) {
    settle?.(answer);
    settle = undefined;
  }

  function stop() {
    worker?.terminate();
    worker = undefined;
    finish(undefined);
  }

  function start(): Worker {
    const started = new Worker(script, { type: "module" });
    started.addEventListener("message", ({ data }: MessageEvent<Answer>) => finish(data));
    started.addEventListener("error", (event) => {
      const text = `The console has failed: ${event.message || "its script cannot be loaded"}.`;
      finish({ kind: "fault", text, cost: { requests: 0, bytes: 0, milliseconds: 0 } });
      stop();
    });
    return started;
  }

  return {
    stop,
    ask: (question) =>
      new Promise((resolve) => {
        settle = resolve;
        worker ??= start();
        worker.postMessage(question);
      }),
  };
}
