/** Day windows that the rates of rank, counters and compatibility are taken over. The wire form is a string. */
export const DAY_WINDOWS = ["1", "3", "7", "15", "30"] as const;

/** Lengths of the daily series of a trend. */
export const TREND_WINDOWS = ["7", "15", "30"] as const;
