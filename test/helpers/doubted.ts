import { runCommand } from "./run.ts";

export const PART = ["--ranks", "all,glory", "--days", "1,7", "--allow-partial"];

export function crawlOn(date: string, upstream: string, data: string, ...more: string[]) {
  const words = ["--upstream", upstream, "--data", data, "--rate", "5000", ...PART, ...more];
  return runCommand("crawl", words, { SOURCE_DATE_EPOCH: String(Date.parse(date) / 1000) });
}

/** Requests for answers that were there already. */
export function countAgain(asked: readonly string[], path: RegExp) {
  const matching = asked.filter((one) => path.test(one));
  return matching.length - new Set(matching).size;
}
