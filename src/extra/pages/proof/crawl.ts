import * as z from "zod";
import type { Figures } from "../figures.ts";
import { nameIn, table } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

const counts = z.record(z.string(), z.number()).catch({});

/** What a manifest says of its crawl, as far as it is shown; other programs may say less. */
const report = z.object({
  crawl: z.object({
    started_at: z.string(),
    finished_at: z.string().nullable().catch(null),
    answers: z.number(),
    failed_attempts: z.number(),
    faults: counts,
    hosts: counts,
  }),
  stale: z.array(z.object({ slices: z.number() })).catch([]),
  drift: z
    .array(
      z.object({
        dataset: z.string(),
        path: z.string(),
        before: z.string(),
        now: z.string(),
        count: z.number().optional(),
      }),
    )
    .catch([]),
});

const MOST_ROWS = 100;

/** How the crawl went; it is in the manifest alone, as it depends on luck. */
export function crawlReport({ published, figures }: PageContext): Html | undefined {
  const { count, time } = figures;
  const report = parse(published()?.manifest);
  if (!report) return undefined;
  const { crawl, stale, drift } = report;
  const { started_at, finished_at, answers, failed_attempts } = crawl;
  const rows: [string, Html][] = [
    ["Began", time(started_at)],
    ["Ended", time(finished_at)],
    ["Answers", count(answers)],
    ["Failed attempts", count(failed_attempts)],
    ["Stale answers", count(stale.reduce((sum, { slices }) => sum + slices, 0))],
  ];
  return html`<h2>The crawl</h2>
<p>These counts are of the requests of this crawl alone. A failed attempt was repeated; answers that are still missing are listed above.</p>
<dl class="facts">${rows.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>
${tally("Failed attempts by reason", "Reason", "Attempts", crawl.faults, figures)}
${tally("Answers by host", "Host", "Answers", crawl.hosts, figures)}
${
  drift.length > 0 &&
  table(
    drift.length > MOST_ROWS
      ? `Fields of other types than the night before, the first ${MOST_ROWS} of ${drift.length}`
      : "Fields of other types than the night before",
    [{ head: "Endpoint" }, { head: "Field" }, { head: "Before" }, { head: "Now" }, { head: "How often", number: true }],
    drift
      .slice(0, MOST_ROWS)
      .map((field) => [
        field.dataset,
        nameIn("en", field.path),
        nameIn("en", field.before),
        nameIn("en", field.now),
        count(field.count),
      ]),
  )
}`;
}

function tally(
  caption: string,
  head: string,
  what: string,
  counts: Readonly<Record<string, number>>,
  { count }: Figures,
) {
  const rows = Object.entries(counts).slice(0, MOST_ROWS);
  if (rows.length === 0) return undefined;
  return table(
    caption,
    [{ head }, { head: what, number: true }],
    rows.map(([name, total]) => [nameIn("en", name), count(total)]),
  );
}

function parse(manifest: string | undefined) {
  try {
    return report.parse(JSON.parse(manifest ?? "{}"));
  } catch {
    return undefined;
  }
}
