import { EXIT } from "../src/api/failure.ts";
import { toSanitizedJson } from "../src/api/sanitize.ts";
import { describeBytes, describeDuration } from "../src/base/words.ts";
import { hintWithoutSnapshot } from "../src/snapshot/published/folder.ts";
import type { LastCrawl } from "../src/snapshot/published/last-crawl.ts";
import { type FolderState, type OpenJournal, readFolderState } from "../src/snapshot/read/folder-state.ts";
import type { LineKinds, Report } from "../src/snapshot/report/report.ts";
import { asCalled } from "./bin/called.ts";
import { createMain, dataFolder, defineCommand, runMain } from "./cli/command.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { print, printReports } from "./cli/print.ts";
import { complain, say } from "./cli/say.ts";

const defineNights = () => defineCommand("nights", { Options: [dataFolder(), jsonFlag()] });

export const main = createMain(defineNights, async ({ data, json }: { data: string; json: boolean }) => {
  const state = readFolderState(data, Date.now());
  if (json) print(toSanitizedJson(state));
  else printState(state);
  return EXIT.done;
});

function printState({ data, nights, journals, last_crawl, bytes, damaged }: FolderState) {
  printReports(nightsReport(nights));
  const latest = nights.find(({ state }) => state === "latest");
  complain(...damaged);
  say(
    latest
      ? `latest: ${latest.version}, ${describeDuration(latest.age_seconds)} old`
      : asCalled(`latest: none; ${hintWithoutSnapshot(data, "`npm run crawl` or `npm run pull` brings the first")}`),
    ...journals.map(describeJournal),
    last_crawl ? describeCrawl(last_crawl) : "last crawl: none has ended here",
    `space: ${describeBytes(bytes.snapshots)} of snapshots, ${describeBytes(bytes.journals)} of journals, ${describeBytes(bytes.free)} are free`,
  );
}

const nightsReport = (rows: FolderState["nights"]): Report<FolderState["nights"][number], LineKinds> => ({
  caption: "Nights",
  columns: [
    { head: "Night", kind: "text", of: "version" },
    { head: "Age", kind: "age", of: "age_seconds" },
    { head: "Captured", kind: "count", of: ({ slices }) => slices?.captured },
    { head: "Carried over", kind: "count", of: ({ slices }) => slices?.carried },
    { head: "Missing", kind: "count", of: ({ slices }) => slices?.missing },
    { head: "Closed parts", kind: "count", of: "closed_parts" },
    { head: "Size", kind: "bytes", of: "size" },
    { head: "", kind: "text", of: describeNight },
  ],
  rows,
});

const describeNight = ({ state, slices }: FolderState["nights"][number]) =>
  slices === null ? `${state}, unreadable` : state === "earlier" ? "" : state;

const describeJournal = ({ file, state, began_at, written_at, size }: OpenJournal) =>
  asCalled(
    `${state}: ${file}, begun ${began_at}, last written ${written_at}, ${describeBytes(size)}; ${state === "unfinished" ? "the same crawl continues it" : "`npm run build` publishes it"}`,
  );

function describeCrawl({ began_at, ended_at, exit_code, version }: LastCrawl): string {
  const took = describeDuration(Math.max(0, Date.parse(ended_at) - Date.parse(began_at)) / 1000);
  return `last crawl: ended with ${exit_code} at ${ended_at}, after ${took}, and published ${version ?? "nothing"}`;
}

if (import.meta.main) await runMain(main);
