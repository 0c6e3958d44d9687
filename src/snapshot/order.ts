import { ENDPOINTS } from "../api/endpoints.ts";
import { LANG_CODES } from "../api/languages.ts";
import { RANK_CODES } from "../api/ranks.ts";

interface Parts {
  dataset: string;
  lang: string;
  rank: string | null;
  days: number | null;
  hero: number | null;
}

const DATASETS: readonly string[] = ENDPOINTS.map(({ dataset }) => dataset);
const LANGS: readonly string[] = LANG_CODES;
const RANKS: readonly (string | null)[] = RANK_CODES;

/**
 * By endpoint, language, rank, window and hero: the order of the archive and of the content hash. It does not depend on
 * when a slice was planned or asked.
 */
export function sortBySlice<T>(items: readonly T[], partsOf: (item: T) => Parts): T[] {
  const placed = items.map((item) => {
    const { dataset, lang, rank, days, hero } = partsOf(item);
    return { item, key: [DATASETS.indexOf(dataset), LANGS.indexOf(lang), RANKS.indexOf(rank), days ?? 0, hero ?? 0] };
  });
  placed.sort((a, b) => {
    const differs = a.key.findIndex((part, index) => part !== b.key[index]);
    return differs < 0 ? 0 : (a.key[differs] ?? 0) - (b.key[differs] ?? 0);
  });
  return placed.map(({ item }) => item);
}
