/** Bytes that all answers under way have taken together. */
export interface Budget {
  limit: number;
  use(bytes: number): void;
  free(bytes: number): void;
  isExceeded(): boolean;
}

export function createBudget(limit: number): Budget {
  let used = 0;
  return {
    limit,
    use(bytes) {
      used += bytes;
    },
    free(bytes) {
      used -= bytes;
    },
    isExceeded: () => used > limit,
  };
}
