import { runCommand } from "./run.ts";

export const PART = ["--ranks", "all,glory", "--days", "1,7", "--allow-partial"];

export function crawlOn(date: string, upstream: string, data: string, ...more: string[]) {
  const words = ["--upstream", upstream, "--data", data, "--rate", "5000", ...PART, ...more];
  return runCommand("crawl", words, { SOURCE_DATE_EPOCH: String(Date.parse(date) / 1000) });
}

/** Requests for answers that were there already. */
export const countAgain = (asked: readonly string[], path: RegExp) =>
  [
    ...Map.groupBy(
      asked.filter((one) => path.test(one)),
      (one) => one,
    ).values(),
  ].reduce((sum, times) => sum + times.length - 1, 0);
