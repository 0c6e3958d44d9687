/** The header on every answer with made-up numbers, of the sample upstream and of a mirror of its data. */
export const SAMPLE_HEADERS = { "x-sample-data": "made-up" } as const;

/** Tells whether the numbers of an answer are made up. An answer without the header has real ones. */
export const isMadeUp = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  headers["x-sample-data"] === SAMPLE_HEADERS["x-sample-data"];

export const nameProvenance = (sample: boolean) => (sample ? "made-up" : "real");

/** Tells whether a snapshot, a manifest or a pointer is of made-up numbers. */
export const isSample = ({ sample }: { sample?: number | boolean | null | undefined }): boolean =>
  sample === 1 || sample === true;
