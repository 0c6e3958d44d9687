/** One line of the table. */
export interface Budget {
  name: string;
  /** What is measured, for the page. */
  how: string;
  /** Where the time or memory goes, for the page; it must say so of a budget that is missed. */
  cost?: string;
  bound: "≥" | "≤";
  limit: number;
  unit: string;
  /** Whether it takes a client that asks as fast as it can. */
  load?: boolean;
  measure(bench: Bench): Promise<Figure>;
}

export interface Figure {
  /** What is held against the limit. */
  value: number;
  /** Where it is a ratio of servers: what each of them did, and how busy they and the client were. */
  beside?: Record<"mirror" | "bare" | "nginx" | "fastapi" | "busy", string>;
  /** Why it proves nothing: the client was too slow, others had the machine, or the other server is not there. */
  doubt?: "client-bound" | "disturbed" | "not installed" | undefined;
  /** Requests that were not answered as they should be. */
  failed?: number;
}

/** What there is to measure with. */
export interface Bench {
  /** A folder with one whole snapshot of the sample. */
  data: string;
  rounds: number;
}
