export interface Times {
  /** Milliseconds: for an answer to begin, and for a small one to end. */
  timeout: number;
  /** Milliseconds for everything together; infinite for none. */
  total?: number;
}

/** A file of the largest size at the slowest pace that is borne takes 18 hours. */
export const TOTAL = 86_400_000;
