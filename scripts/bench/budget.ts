/** One line of the table. */
export interface Budget {
  name: string;
  /** The method of the measurement, for the page. */
  how: string;
  /** The causes of the time or memory used, for the page; it must be given for a budget that is missed. */
  cost?: string;
  bound: "≥" | "≤";
  limit: number;
  unit: string;
  /** True if it takes a client that asks as fast as it can. */
  load?: boolean;
  measure(bench: Bench): Promise<Figure>;
}

export interface Figure {
  /** The figure that is compared with the limit. */
  value: number;
  /** The figures of each server in a ratio, and how busy they and the client were. */
  beside?: Record<"mirror" | "bare" | "nginx" | "busy", string>;
  /** The reason why it proves nothing: the client was too slow, or others had the machine. */
  doubt?: "client-bound" | "disturbed" | undefined;
  /** Requests without a correct answer. */
  failed?: number;
}

/** Makes a measurement that runs once, however many budgets need a figure of it. */
export function inOneRun<Args extends unknown[], T>(measure: (...args: Args) => Promise<T>): typeof measure {
  let run: Promise<T> | undefined;
  return (...args) => {
    run ??= measure(...args);
    return run;
  };
}

/** The setting of a measurement. */
export interface Bench {
  /** A folder with one complete snapshot of the sample. */
  data: string;
  rounds: number;
}
