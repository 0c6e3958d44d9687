import { MAX_BODY_BYTES } from "../../api/request/upstream-request.ts";

/**
 * Limits of the memory for a slice, and for all that is in flight together. Brackets give the most in a complete night of 133 heroes in 17
 * languages: the limit of a slice leaves ten times as much and more.
 */

/** Bytes of all pages of a slice (260 thousand). */
export const MAX_SLICE_BYTES = MAX_BODY_BYTES;
/** Values in them, each of which costs memory, however short its text is (10 thousand). */
export const MAX_VALUES = 200_000;
/** Records in them (184). */
export const MAX_RECORDS = 2000;
/** Characters of the facts of a slice (9 thousand), and of all slices, in memory at once (3 million). */
export const MAX_FACTS_CHARS = 256 * 1024;
export const MAX_ALL_FACTS_CHARS = 24 * 1024 * 1024;
/** Bytes of answers that have begun and not ended (24 million, if the 256 largest came at once). */
export const MAX_IN_FLIGHT_BYTES = 32 * 1024 * 1024;

const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** Counts at least as many values as there are in a JSON text: commas and brackets, also those within texts. */
export function countValues(body: Buffer): number {
  let count = 1;
  for (const byte of body) if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1;
  return count;
}

/** Memory that many users share, in bytes or characters. */
export interface MemoryBudget {
  limit: number;
  use(amount: number): void;
  /** Begins anew with an amount that is known to be used. */
  set(amount: number): void;
  free(amount: number): void;
  used(): number;
}

export function createMemoryBudget(limit: number): MemoryBudget {
  let used = 0;
  return {
    limit,
    use(amount) {
      used += amount;
    },
    set(amount) {
      used = amount;
    },
    free(amount) {
      used -= amount;
    },
    used: () => used,
  };
}
