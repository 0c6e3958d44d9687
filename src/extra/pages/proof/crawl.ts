import * as z from "zod";
import { DRIFTED } from "../../../snapshot/report/held.ts";
import { factList } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, showTable } from "../report.ts";

const counts = z.record(z.string(), z.number()).catch({});

/** A manifest's report of its crawl, as far as it is shown; other programs may say less. */
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

/** Tells how the crawl went. The report is in the manifest alone, as it depends on luck. */
export function crawlReport(context: PageContext): Html | undefined {
  const { published, figures } = context;
  const { count: written, time } = figures;
  const report = parse(published()?.manifest);
  if (!report) return undefined;
  const { crawl, stale, drift } = report;
  const { started_at, finished_at, answers, failed_attempts } = crawl;
  const facts = factList([
    ["Began", time(started_at)],
    ["Ended", time(finished_at)],
    ["Answers", written(answers)],
    ["Failed attempts", written(failed_attempts)],
    ["Stale answers", written(stale.reduce((sum, { slices }) => sum + slices, 0))],
  ]);
  const { caption } = DRIFTED;
  const drifted = {
    ...DRIFTED,
    caption: drift.length > MOST_ROWS ? `${caption}, the first ${MOST_ROWS} of ${drift.length}` : caption,
    rows: drift.slice(0, MOST_ROWS),
  };
  return html`<h2>The crawl</h2>
<p>These counts are of the requests of this crawl alone. A failed attempt was repeated; answers that are still missing are listed above.</p>
${facts}
${tally("Failed attempts by reason", "Reason", "Attempts", crawl.faults, context)}
${tally("Answers by host", "Host", "Answers", crawl.hosts, context)}
${drift.length > 0 && showTable(context, drifted)}`;
}

function tally(
  caption: string,
  head: string,
  what: string,
  counts: Readonly<Record<string, number>>,
  context: PageContext,
) {
  const rows = Object.entries(counts).map(([name, total]) => ({ name, total }));
  if (rows.length === 0) return undefined;
  const columns = [column.word("name", head), column.count("total", what)];
  return showTable(context, { caption, columns, rows: rows.slice(0, MOST_ROWS) });
}

function parse(manifest: string | undefined) {
  try {
    return report.parse(JSON.parse(manifest ?? "{}"));
  } catch {
    return undefined;
  }
}
