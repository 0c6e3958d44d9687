/** Bytes of the largest record, and of all records of a slice: many times what any upstream has sent. */
export const LARGEST_RECORD = 4 * 1024 * 1024;
export const LARGEST_SLICE = 16 * 1024 * 1024;
