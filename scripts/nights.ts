import { EXIT } from "../src/api/failure.ts";
import { toSanitizedJson } from "../src/api/sanitize.ts";
import { describeDuration } from "../src/base/words.ts";
import { hintWithoutSnapshot } from "../src/snapshot/published/folder.ts";
import type { LastCrawl } from "../src/snapshot/published/last-crawl.ts";
import { type FolderState, type OpenJournal, readFolderState } from "../src/snapshot/read/folder-state.ts";
import { asCalled } from "./bin/called.ts";
import { createMain, dataFolder, defineCommand, runMain } from "./cli/command.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { print, printTable } from "./cli/print.ts";
import { complain, say } from "./cli/say.ts";

const defineNights = () => defineCommand("nights", { Options: [dataFolder(), jsonFlag()] });

export const main = createMain(defineNights, async ({ data, json }: { data: string; json: boolean }) => {
  const state = readFolderState(data, Date.now());
  if (json) print(toSanitizedJson(state));
  else printState(state);
  return EXIT.done;
});

function printState({ data, nights, journals, last_crawl, bytes, damaged }: FolderState) {
  if (nights.length > 0) printNights(nights);
  const latest = nights.find(({ state }) => state === "latest");
  complain(...damaged);
  say(
    latest
      ? `latest: ${latest.version}, ${describeDuration(latest.age_seconds)} old`
      : asCalled(`latest: none; ${hintWithoutSnapshot(data, "`npm run crawl` or `npm run pull` brings the first")}`),
    ...journals.map(describeJournal),
    last_crawl ? describeCrawl(last_crawl) : "last crawl: none has ended here",
    `space: ${toMegabytes(bytes.snapshots)} of snapshots, ${toMegabytes(bytes.journals)} of journals, ${toMegabytes(bytes.free)} are free`,
  );
}

const printNights = (nights: FolderState["nights"]) =>
  printTable(
    ["night", "age", "captured", "carried", "missing", "closed parts", "MB", ""],
    nights.map(({ version, age_seconds, slices, closed_parts, size, state }) => [
      version,
      describeDuration(age_seconds),
      ...(slices ? [slices.captured, slices.carried, slices.missing, closed_parts ?? ""] : ["?", "?", "?", "?"]),
      (size / MB).toFixed(1),
      slices === null ? `${state}, damaged` : state === "earlier" ? "" : state,
    ]),
  );

const describeJournal = ({ file, state, began_at, written_at, size }: OpenJournal) =>
  asCalled(
    `${state}: ${file}, begun ${began_at}, last written ${written_at}, ${toMegabytes(size)}; ${state === "unfinished" ? "the same crawl continues it" : "`npm run build` publishes it"}`,
  );

function describeCrawl({ began_at, ended_at, exit_code, version }: LastCrawl): string {
  const took = describeDuration(Math.max(0, Date.parse(ended_at) - Date.parse(began_at)) / 1000);
  return `last crawl: ended with ${exit_code} at ${ended_at}, after ${took}, and published ${version ?? "nothing"}`;
}

const MB = 1e6;
const toMegabytes = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`;

if (import.meta.main) await runMain(main);
