import Table from "cli-table3";
import { describeFault, describePart } from "../../src/api/parts.ts";
import { sanitizeLine } from "../../src/api/sanitize.ts";
import { describeDuration } from "../../src/base/words.ts";
import type { ParityRow } from "../../src/extra/parity/parity.ts";
import { isPoor, type QualityRow } from "../../src/snapshot/build/quality.ts";
import type { Misfit } from "../../src/snapshot/derive/misfits.ts";
import type { Drift } from "../../src/snapshot/documents/drift-document.ts";
import type { Ages } from "../../src/snapshot/read/ages.ts";
import type { CoverageSummary, StaleRow } from "../../src/snapshot/read/summary.ts";
import type { ClosedPartRow, Coverage } from "../../src/snapshot/schema/row-types.ts";
import type { Check } from "../../src/snapshot/verify/checks.ts";
import type { Verification } from "../../src/snapshot/verify/verify.ts";
import { io } from "./io.ts";
import { say } from "./say.ts";

export const print = (text: string) => io().stdout.write(`${text}\n`);

/** Prints rows of text for people; columns of numbers are aligned right. */
export function printTable(head: string[], rows: (string | number)[][]) {
  const colAligns = head.map(
    (_, column) => (typeof rows[0]?.[column] === "number" ? "right" : "left") as "right" | "left",
  );
  const table = new Table({ head, colAligns, style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => row.map((cell) => (typeof cell === "string" ? sanitizeLine(cell) : cell))));
  print(table.toString());
}

/** Prints the coverage by endpoint; languages with the same figures share a row. */
export function printCoverage(coverage: readonly CoverageSummary[]) {
  const byDataset = Map.groupBy(coverage, ({ dataset }) => dataset);
  const rows = [...byDataset].flatMap(([dataset, summaries]) => {
    const alike = Map.groupBy(summaries, ({ slices, captured, empty, failed }) =>
      [slices, captured, empty, failed].join(),
    );
    return [...alike.values()].map((group) => {
      const sum = (pick: (row: CoverageSummary) => number) => group.reduce((total, row) => total + pick(row), 0);
      const slices = sum((row) => row.slices);
      const held = slices - sum((row) => row.failed);
      const percent = `${((100 * held) / slices).toFixed(held === slices ? 0 : 2)} %`;
      const languages = group.map(({ lang }) => lang).join(" ");
      return [
        dataset,
        languages,
        slices,
        sum((row) => row.captured),
        sum((row) => row.empty),
        sum((row) => row.failed),
        sum((row) => row.records),
        percent,
      ];
    });
  });
  printTable(["dataset", "languages", "slices", "captured", "empty", "failed", "records", "held"], rows);
}

/** Prints how old the answers of each endpoint are, the oldest first. */
export function printAges(ages: readonly Ages[]) {
  print("age of the answers");
  const say = (seconds: number | null) => (seconds === null ? "" : describeDuration(seconds));
  printTable(
    ["dataset", "answers", "half", "95 of 100", "oldest", "never asked", "closed", "may have changed"],
    ages
      .toSorted((a, b) => b.never_asked - a.never_asked || (b.oldest ?? 0) - (a.oldest ?? 0))
      .map(({ dataset, slices, p50, p95, oldest, never_asked, closed, suspect }) => [
        dataset,
        slices,
        say(p50),
        say(p95),
        say(oldest),
        never_asked,
        closed,
        suspect,
      ]),
  );
}

/** Prints languages with poor texts, if there are any. */
export function printQuality(quality: readonly QualityRow[]) {
  const poor = quality.filter(isPoor);
  if (poor.length === 0) return;
  print("warning: poor texts");
  const rows = poor.map((row) => [
    row.dataset,
    row.lang,
    row.texts,
    row.missing,
    row.same_as_english,
    row.wrong_script,
    row.placeholder,
  ]);
  printTable(["dataset", "lang", "texts", "missing", "same as English", "wrong script", "placeholder"], rows);
}

/** Prints slices of another batch than the rest of their table, if there are any. */
export function printStale(stale: readonly StaleRow[]) {
  if (stale.length === 0) return;
  print("stale at the upstream: of another batch than most of the table, and the same when asked again");
  printTable(
    ["dataset", "rank", "days", "lane", "lang", "slices", "of", "batch", "most", "example"],
    stale.map(({ dataset, rank, days, lane, lang, slices, of, batch, most, example }) => [
      dataset,
      rank ?? "",
      days === null ? "" : String(days),
      lane ?? "",
      lang,
      slices,
      of,
      batch,
      most,
      example,
    ]),
  );
}

/** Prints fields of other types than in the snapshot before, needed ones first, if there are any. */
export function printDrift(drift: readonly Drift[]) {
  if (drift.length === 0) return;
  print("the upstream's shape has drifted since the snapshot before");
  printTable(
    ["dataset", "path", "before", "now", "count", "example", ""],
    drift.map(({ dataset, path, before, now, count, example, needed }) => [
      dataset,
      path,
      before,
      now,
      count,
      example,
      needed ? "needed" : "",
    ]),
  );
}

/** Prints values that are not in the tables as they came, if there are any. */
export function printMisfits(misfits: readonly Misfit[]) {
  if (misfits.length === 0) return;
  print("values that do not fit the tables; the archive and the server have them as they came");
  printTable(
    ["table", "column", "dataset", "path", "kind", "count", "example"],
    misfits.map(({ table_name, column_name, dataset, path, kind, count, example }) => [
      table_name,
      column_name ?? "",
      dataset,
      path,
      kind,
      count,
      example,
    ]),
  );
}

/** Prints the closed parts, if there are any. */
export function printClosed(parts: readonly ClosedPartRow[]) {
  if (parts.length === 0) return;
  print("closed parts; what is carried is of an earlier night");
  printTable(
    ["part", "since", "answer", "planned", "missing", "carried"],
    parts.map((part) => [
      describePart(part),
      part.since,
      describeFault(part),
      part.planned,
      part.missing,
      part.carried,
    ]),
  );
}

/** Prints the slices that a snapshot lacks, with the reason. */
export function printHoles(holes: readonly Coverage[]) {
  if (holes.length === 0) return;
  printTable(
    ["dataset", "slice", "reason"],
    holes.map(({ dataset, slice, reason }) => [dataset, slice, reason ?? ""]),
  );
}

/** Prints one line for each check of a snapshot. */
export function printChecks(checks: readonly Check[]) {
  printTable(
    ["check", "result", "figure"],
    checks.map(({ name, state, figure }) => [name, state, figure]),
  );
}

/** Says what only a manifest can prove, with the figures that it would have. */
export function printMissingManifest(
  manifest: string,
  { head, sha256, size }: Pick<Verification, "head" | "sha256" | "size">,
) {
  say(
    `NOT PROVED: that this is the file that was published. There is no ${manifest}.`,
    "Whoever changes records can make the tables and hashes in a file again. The manifest would have proved",
    `  version       ${head.version}`,
    `  content hash  ${head.content_hash}`,
    `  sha256        ${sha256}`,
    `  size          ${size} bytes`,
    `Compare them with /snapshots/${head.version}.json of a mirror that you trust, or put that beside the file and verify again.`,
  );
}

/** Prints how each endpoint compares with the live upstream: newer numbers are no fault, all other differences are. */
export function printParity(rows: readonly ParityRow[]) {
  const asked = rows.filter((row) => row.asked > 0);
  const score = ({ asked: all, equal, newer }: ParityRow) => `${((100 * (equal + newer)) / all).toFixed(1)} %`;
  printTable(
    ["dataset", "asked", "equal", "newer", "wrong", "failed", "score", "example"],
    asked.map((row) => [
      row.dataset,
      row.asked,
      row.equal,
      row.newer,
      row.wrong,
      row.failed,
      score(row),
      row.example ?? "",
    ]),
  );
}
