import { parseBody } from "../../api/body/body.ts";
import { unwrap } from "../../api/body/wrapping.ts";
import { isListEndpoint, type Reference, type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { createListLookup, type ListLookup, localisedTexts } from "../../api/localise.ts";
import { UNKNOWN_TIME } from "../../api/slice-facts.ts";
import type { Conclusion } from "../../journal/conclusion/conclusion.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import { PLANNED } from "../../journal/schema.ts";
import { BATCH_CHECKS, batchName, mostCommonStamp } from "../../journal/slice-group.ts";
import { answeredIn, type SnapshotBase } from "../read/base.ts";
import type { NumberedSlice } from "../schema/row-source.ts";
import type { Coverage } from "../schema/row-types.ts";
import { sortBySlice } from "./slice-order.ts";

/** A slice of the file in the making, asked by the journal's crawl or carried over from its base. */
export interface SliceSource extends NumberedSlice {
  /** The columns of its coverage that do not follow from its records. */
  told: Pick<Coverage, "reason" | "part_id" | "batch" | "data_date" | "stale" | "asked_at" | "tried_at" | "suspect">;
  /** Undefined if it is missing. */
  bodies: (() => Buffer[]) | undefined;
  /** True if its answer is that of the base. */
  isCarried: boolean;
}

type UnnumberedSource = Omit<SliceSource, "id">;

/** Lists all slices, in the order of the archive, which numbers them. Throws a Failure if the journal is damaged. */
export function listSources(
  journal: Journal,
  base: SnapshotBase | undefined,
  { missing }: Pick<Conclusion, "missing">,
): SliceSource[] {
  const ofOtherBatch = (journal.getState("doubts") ?? []).filter(({ check }) => BATCH_CHECKS.includes(check));
  const stale = new Set(ofOtherBatch.map(({ slice }) => slice));
  const { started_at } = journal.header();
  const all = PLANNED.flatMap((purpose) => journal.slices(purpose));
  const isAnswered = ({ slice, purpose }: StoredSlice) => purpose === "answer" && !missing.has(sliceId(slice));
  const dataDateOf = createDataDates(all.filter(isAnswered), journal);
  const suspects = new Set(journal.getState("suspect"));
  // No answer can be carried over from a later time: the clock of that night was wrong.
  const notLater = (time: string | null) => (time !== null && time > started_at ? UNKNOWN_TIME : time);

  function toAnswer(stored: StoredSlice): UnnumberedSource {
    const { id, slice, facts } = stored;
    const told = {
      reason: null,
      part_id: null,
      batch: batchName(facts.stamp),
      data_date: dataDateOf(stored),
      stale: Number(stale.has(sliceId(slice))),
      asked_at: facts.asked_at ?? started_at,
      tried_at: null,
      suspect: 0,
    };
    return { slice, told, bodies: () => journal.pages(id), isCarried: false };
  }

  /** Makes the source of a carried slice, with the reason if it was due or has no answer. */
  function toCarried({ slice, purpose, triedAt }: StoredSlice): UnnumberedSource {
    const row = answeredIn(base, slice);
    const before = base?.rows.get(sliceId(slice));
    const { reason, part } = missing.get(sliceId(slice)) ?? {};
    const notDue =
      purpose === "left-out"
        ? "left-out"
        : row
          ? null
          : triedAt === null
            ? (before?.reason ?? "not-asked")
            : "unsettled";
    const said = {
      reason: reason ?? notDue,
      part_id: part === undefined ? null : part + 1,
      tried_at: triedAt ?? notLater(before?.tried_at ?? null),
    };
    if (!base || !row)
      return {
        slice,
        told: { ...said, batch: null, data_date: null, stale: 0, asked_at: null, suspect: 0 },
        bodies: undefined,
        isCarried: false,
      };
    const { batch, data_date, stale: wasStale } = row;
    const asked_at = notLater(row.asked_at);
    const suspect = Number(purpose === "keep" && suspects.has(sliceId(slice)));
    const told = { ...said, batch, data_date, stale: wasStale, asked_at, suspect };
    return { slice, told, bodies: () => [base.body(slice)], isCarried: true };
  }

  const planned = all.map((stored) => (isAnswered(stored) ? toAnswer(stored) : toCarried(stored)));
  const sources = base
    ? [...planned, ...carryTranslations(planned, base, journal.header().selection.languages)]
    : planned;
  return sortBySlice(sources, ({ slice }) => slice).map((source, index) => ({ id: index + 1, ...source }));
}

/** Makes the lookup of the lists whose texts other records show. */
export function readLists(sources: readonly UnnumberedSource[]): ListLookup {
  const lists = sources.filter(({ slice }) => isListEndpoint(endpointOf(slice.dataset)));
  const bodiesOf = new Map(lists.map(({ slice, bodies }) => [sliceId(slice), bodies] as const));
  return createListLookup((dataset, lang) => {
    const bodies = bodiesOf.get(sliceId({ dataset, lang }))?.();
    return bodies?.flatMap((body) => unwrap(endpointOf(dataset).wrapping, parseBody(body)));
  });
}

/**
 * Finds carried answers that the base has in other languages too, because they could not be localised; and those that it alone can
 * localise, as they show texts that are gone from tonight's lists, such as the name of a hero who has left.
 */
function carryTranslations(
  planned: readonly UnnumberedSource[],
  base: SnapshotBase,
  languages: readonly Lang[],
): UnnumberedSource[] {
  const ids = new Set(planned.map(({ slice }) => sliceId(slice)));
  const lists = readLists(planned);
  const lossyIn = createLossCheck(base, lists, languages);

  /** Tells whether tonight's lists translate a slice. Its records are read only if an entry is gone. */
  function isTranslated({ dataset, ...slice }: Slice, lang: Lang): boolean {
    const { text } = endpointOf(dataset);
    if (typeof text === "string" || !lossyIn(dataset).includes(lang)) return true;
    const records = base.records({ dataset, ...slice });
    return records.every((record) => localisedTexts(text, record, lang, lists, true) !== undefined);
  }

  return planned.flatMap((source) => {
    const { slice, isCarried } = source;
    if (!isCarried || slice.lang !== BASE_LANG || endpointOf(slice.dataset).text === "all") return [];
    return languages.flatMap((lang) => {
      const other = { ...slice, lang };
      const isNeeded = answeredIn(base, other) !== undefined || !isTranslated(slice, lang);
      if (!isNeeded || ids.has(sliceId(other))) return [];
      // Made once more when the archive asks for it: a night may carry more of them than fit into memory.
      const bodies = () => [base.bodyIn(slice, lang) as Buffer];
      return base.bodyIn(slice, lang) ? [{ ...source, slice: other, bodies }] : [];
    });
  });
}

/** Makes the function that names the languages in which the lists have lost entries that records of a dataset may show: none, most nights. */
function createLossCheck(
  base: SnapshotBase,
  lists: ListLookup,
  languages: readonly Lang[],
): (dataset: string) => readonly Lang[] {
  const idsIn = (found: ListLookup, reference: Reference, lang: Lang) =>
    new Set(found(reference, BASE_LANG)?.keys()).intersection(new Set(found(reference, lang)?.keys()));
  const hasLost = (reference: Reference, lang: Lang) =>
    !idsIn(base.lists, reference, lang).isSubsetOf(idsIn(lists, reference, lang));
  const known = new Map<string, readonly Lang[]>();
  return (dataset) => {
    const { text } = endpointOf(dataset);
    const rule = typeof text === "string" ? [] : text;
    const lossy = known.get(dataset) ?? languages.filter((lang) => rule.some((one) => hasLost(one, lang)));
    known.set(dataset, lossy);
    return lossy;
  };
}

/**
 * Tells whether a snapshot has slices that its own crawl was not to ask for. Slices that could not be had, or are left out, do not count.
 */
export const isRolling = (journal: Journal): boolean =>
  journal.header().policy !== "all" && journal.slices("keep").length > 0;

/** The check of a rank list against the heroes' own answers (crawl/doubts). */
const RANK_LISTS = "rank-lists";

/**
 * Finds the day that the numbers of an answer are of: that of its batch, or the last one of a series. A rank list has no stamp; it shows
 * the rates of the heroes' own answers, and is of their day unless it differs from them. Null if nobody can know.
 */
function createDataDates(
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
