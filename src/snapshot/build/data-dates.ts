import { sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import { batchName, mostCommonStamp } from "../../journal/slice-group.ts";

/** The check of a rank list against the heroes' own answers (crawl/doubts). */
const RANK_LISTS = "rank-lists";

/**
 * Finds the day that the numbers of an answer are of: that of its batch, or the last one of a series. A rank list has no stamp; it shows the
 * rates of the heroes' own answers, and is of their day unless it differs from them. Null where nobody can know.
 */
export function createDataDates(
  answered: readonly StoredSlice[],
  journal: Pick<Journal, "getState">,
): (stored: StoredSlice) => string | null {
  const rated = answered.filter(({ slice, facts }) => endpointOf(slice.dataset).rates && facts.stamp !== undefined);
  const stamps = new Map(
    [...Map.groupBy(rated, tableOf)].map(([table, members]) => [table, mostCommonStamp(members)] as const),
  );
  const doubts = journal.getState("doubts") ?? [];
  const apart = new Set(doubts.filter(({ check }) => check === RANK_LISTS).map(({ slice }) => slice));

  return (stored) => {
    const { slice, facts } = stored;
    const stamp =
      facts.stamp === undefined && endpointOf(slice.dataset).rates && !apart.has(sliceId(slice))
        ? stamps.get(tableOf(stored))
        : facts.stamp;
    const [day = null] = /^\d{4}-\d\d-\d\d/.exec(batchName(stamp) ?? "") ?? [];
    return day;
  };
}

const tableOf = ({ slice: { lang, rank, days } }: StoredSlice) => [lang, rank, days].join();
