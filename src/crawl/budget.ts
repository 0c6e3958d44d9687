/** What many take of one thing together, in bytes. */
export interface Budget {
  limit: number;
  use(bytes: number): void;
  /** Begins anew with what is known to be used. */
  set(bytes: number): void;
  free(bytes: number): void;
  used(): number;
}

export function createBudget(limit: number): Budget {
  let used = 0;
  return {
    limit,
    use(bytes) {
      used += bytes;
    },
    set(bytes) {
      used = bytes;
    },
    free(bytes) {
      used -= bytes;
    },
    used: () => used,
  };
}
