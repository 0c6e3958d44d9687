import type { Slice } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { LANE_CODES, LANG_CODES, RANK_CODES } from "../../api/enumerations.ts";

const DATASETS: readonly string[] = ENDPOINTS.map(({ dataset }) => dataset);
const LANGS: readonly string[] = LANG_CODES;
const LANES: readonly (string | undefined)[] = LANE_CODES;
const RANKS: readonly (string | undefined)[] = RANK_CODES;

/**
 * By endpoint, language, lane, rank, window, hero and subject: the order of the archive and of the content hash. It does
 * not depend on when a slice was planned or asked.
 */
export function sortBySlice<T>(items: readonly T[], sliceOf: (item: T) => Slice): T[] {
  const placed = items.map((item) => {
    const { dataset, lang, lane, rank, days, hero, subject } = sliceOf(item);
    const codes = [DATASETS.indexOf(dataset), LANGS.indexOf(lang), LANES.indexOf(lane), RANKS.indexOf(rank)];
    return { item, key: [...codes, Number(days ?? 0), hero ?? 0], subject: subject ?? "" };
  });
  placed.sort((a, b) => {
    const differs = a.key.findIndex((part, index) => part !== b.key[index]);
    if (differs >= 0) return (a.key[differs] ?? 0) - (b.key[differs] ?? 0);
    return a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0;
  });
  return placed.map(({ item }) => item);
}
