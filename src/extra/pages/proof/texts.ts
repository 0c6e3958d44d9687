import { parseSlice, sliceName } from "../../../api/endpoint.ts";
import type { Lang } from "../../../api/enumerations.ts";
import { flawedShare, type QualityRow } from "../../../snapshot/build/quality.ts";
import { QUALITY } from "../../../snapshot/read/summary.ts";
import { textsReport } from "../../../snapshot/report/held.ts";
import type { Figures } from "../figures.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, showTable } from "../report.ts";

/** Counts the texts that are not as they should be: a map of endpoints and languages, and the kinds by language. */
export function textQuality(context: PageContext): Html | undefined {
  const { snapshot, facts } = context;
  const quality = snapshot.select<QualityRow>(QUALITY);
  if (quality.length === 0) return undefined;
  const inLanguage = (lang: string) =>
    column.number(({ rows }: { rows: readonly QualityRow[] }) => {
      const row = rows.find((one) => one.lang === lang);
      return row && row.texts > 0 ? showFlawed(row, context.figures) : "·";
    }, lang);
  const map = {
    caption: "Of 100 texts, those that are missing, the English ones, in another script or placeholders",
    columns: [column.text("dataset", "Endpoint"), ...facts.langs.map(inLanguage)],
    rows: [...Map.groupBy(quality, ({ dataset }) => dataset)].map(([dataset, rows]) => ({ dataset, rows })),
  };
  return html`<h2>Texts</h2>${showTable(context, map)}${showTable(context, textsReport(quality, facts.langs))}`;
}

/** Shades a cell by the share of flawed texts; the number says it too. */
function showFlawed(row: QualityRow, { percent }: Figures): Html {
  const flawed = flawedShare(row);
  const shade = [0, 0.01, 0.1].filter((limit) => flawed > limit).length;
  return html`<span class="q${shade}">${percent(flawed)}</span>`;
}

interface Proof {
  dataset: string;
  compared: number;
  different: number;
}

const PROOF = `
  SELECT dataset, count(*) AS compared, sum(difference IS NOT NULL) AS different FROM language_proof JOIN coverage USING (slice_id) GROUP BY dataset ORDER BY dataset`;

const DIFFERENCES =
  "SELECT dataset, slice, language_proof.lang, difference FROM language_proof JOIN coverage USING (slice_id) WHERE difference IS NOT NULL ORDER BY slice_id, language_proof.lang LIMIT 20";

/** Numbers are asked in English only; samples were asked in other languages too and compared. */
export function languageProof(context: PageContext): Html | undefined {
  const { snapshot } = context;
  const samples = snapshot.select<Proof>(PROOF);
  if (samples.length === 0) return undefined;
  const found = snapshot.select<{ dataset: string; slice: string; lang: Lang; difference: string }>(DIFFERENCES);
  const byEndpoint = {
    caption: "Samples by endpoint",
    columns: [
      column.text("dataset", "Endpoint"),
      column.count("compared", "Compared"),
      column.count("different", "Different"),
    ],
    rows: samples,
  };
  const differences = {
    caption: "Differences",
    columns: [
      column.text("dataset", "Endpoint"),
      column.word("answer", "Answer"),
      column.word("difference", "What differs"),
    ],
    rows: found.map(({ dataset, slice, lang, difference }) => {
      const answer = sliceName({ ...parseSlice(dataset, slice), lang });
      return { dataset, answer, difference };
    }),
  };
  return html`<h2>Numbers in all languages</h2>
<p>Numbers are asked in English only and served with the texts of each language. Samples were asked in other languages too, and compared with what is served in their place.</p>
${showTable(context, byEndpoint)}
${found.length > 0 && showTable(context, differences)}`;
}
