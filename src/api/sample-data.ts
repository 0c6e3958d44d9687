/** On every answer with made-up numbers: of the sample upstream, and of a mirror of its data. */
export const SAMPLE_HEADERS = { "x-sample-data": "made-up" } as const;

/** Whether the numbers of an answer are made up. One that does not say so has real ones. */
export const isMadeUp = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  headers["x-sample-data"] === SAMPLE_HEADERS["x-sample-data"];

export const nameProvenance = (sample: boolean) => (sample ? "made-up" : "real");

/** Whether a snapshot, its manifest or a pointer is of made-up numbers. */
export const isSample = ({ sample }: { sample?: number | boolean | null | undefined }): boolean =>
  sample === 1 || sample === true;
