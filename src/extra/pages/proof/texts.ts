import { parseSlice, sliceName } from "../../../api/endpoint.ts";
import type { Lang } from "../../../api/enumerations.ts";
import type { QualityRow } from "../../../snapshot/build/quality.ts";
import type { Figures } from "../figures.ts";
import { nameIn, table } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

const QUALITY =
  "SELECT dataset, lang, texts, missing, same_as_english, wrong_script, placeholder FROM text_quality ORDER BY dataset";

const FLAWS = ["missing", "same_as_english", "wrong_script", "placeholder"] as const;

const sumOf = (rows: readonly QualityRow[], name: "texts" | (typeof FLAWS)[number]) =>
  rows.reduce((total, row) => total + row[name], 0);

/** How many texts are not as they should be: a map of endpoints and languages, and the kinds by language. */
export function textQuality({ snapshot, facts, figures }: PageContext): Html | undefined {
  const { count } = figures;
  const quality = snapshot.select<QualityRow>(QUALITY);
  if (quality.length === 0) return undefined;
  const map = table(
    "Of 100 texts, those that are missing, the English ones, in another script or placeholders",
    [{ head: "Endpoint" }, ...facts.langs.map((lang) => ({ head: lang, number: true }))],
    [...Map.groupBy(quality, ({ dataset }) => dataset)].map(([dataset, rows]) => [
      dataset,
      ...facts.langs.map((lang) =>
        share(
          rows.find((row) => row.lang === lang),
          figures,
        ),
      ),
    ]),
  );
  const kinds = table(
    "By language, over all endpoints",
    [
      { head: "Language" },
      ...["Texts", "Missing", "The English text", "Another script", "Placeholder"].map((head) => ({
        head,
        number: true,
      })),
    ],
    facts.langs.map((lang) => {
      const rows = quality.filter((row) => row.lang === lang);
      return [lang, count(sumOf(rows, "texts")), ...FLAWS.map((flaw) => count(sumOf(rows, flaw)))];
    }),
  );
  return html`<h2>Texts</h2>${map}${kinds}`;
}

/** Shaded by how many; the number says it too. */
function share(row: QualityRow | undefined, { percent }: Figures): Html {
  if (!row || row.texts === 0) return html`·`;
  const flawed = FLAWS.reduce((total, flaw) => total + row[flaw], 0) / row.texts;
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
export function languageProof({ snapshot, figures }: PageContext): Html | undefined {
  const { count } = figures;
  const samples = snapshot.select<Proof>(PROOF);
  if (samples.length === 0) return undefined;
  const different = snapshot.select<{ dataset: string; slice: string; lang: Lang; difference: string }>(DIFFERENCES);
  return html`<h2>Numbers in all languages</h2>
<p>Numbers are asked in English only and served with the texts of each language. Samples were asked in other languages too, and compared with what is served in their place.</p>
${table(
  "Samples by endpoint",
  [{ head: "Endpoint" }, { head: "Compared", number: true }, { head: "Different", number: true }],
  samples.map((sample) => [sample.dataset, count(sample.compared), count(sample.different)]),
)}
${
  different.length > 0 &&
  table(
    "Differences",
    [{ head: "Endpoint" }, { head: "Answer" }, { head: "What differs" }],
    different.map((sample) => [
      sample.dataset,
      nameIn("en", sliceName({ ...parseSlice(sample.dataset, sample.slice), lang: sample.lang })),
      nameIn("en", sample.difference),
    ]),
  )
}`;
}
