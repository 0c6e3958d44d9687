import pLimit, { type LimitFunction } from "p-limit";
import { type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import type { Reason } from "../../api/faults.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import { sliceGroup } from "../../journal/stale.ts";
import type { CrawlBase } from "../refresh/base.ts";

/** Second looks that found nothing, after which others like them are believed without one. */
const ENOUGH_LOOKS = 20;

/** Which empty answers count only if they come twice, the second time on a new connection. */
export interface SecondLooks {
  /** Whether an answer is empty and need not be, and too few second looks at slices like it were taken to believe it. */
  isDoubtful(stored: StoredSlice, result: Result): boolean;
  /** Whether the last answer of a slice was doubted, also by a run that was killed: the next request is the second look. */
  isOwed(stored: StoredSlice): boolean;
  owe(stored: StoredSlice): void;
  /** Looks when no other look at the like is under way. `isBelieved`: enough of them have found nothing, and all the same. */
  inTurn<T extends { result: Result }>(stored: StoredSlice, look: (isBelieved: boolean) => Promise<T>): Promise<T>;
}

/** What a page is worth. */
type Result = { ok: true; whole: boolean; total: number } | { ok: false; reason: Reason };

/** `hasBudget`: whether a day may take only so many requests. */
export function createSecondLooks(journal: Journal, base: CrawlBase | undefined, hasBudget: boolean): SecondLooks {
  const turns = new Map<string, LimitFunction>();
  const before = journal.getState("second_looks");
  const found = new Map(Object.entries(before?.found ?? {}));
  const owed = new Set(before?.owed);
  const save = () => journal.setState("second_looks", { found: Object.fromEntries(found), owed: [...owed] });
  const hadRecords = (slice: Slice): boolean | undefined => {
    const { status = "failed" } = base?.rows.get(sliceId(asHeld(slice))) ?? {};
    return status === "failed" ? undefined : status === "captured";
  };

  /** No hero is played on every lane: a short day has no room to look at all that is empty for that. */
  function isExpected(slice: Slice): boolean {
    const had = hadRecords(slice);
    return had === undefined ? hasBudget && slice.lane !== undefined : !had;
  }

  /** Those of a slice group that had records are alike; of what is not in hand those of an endpoint, so that a first night takes few. */
  const likeOf = ({ slice }: StoredSlice) => (hadRecords(slice) === undefined ? slice.dataset : sliceGroup({ slice }));

  /** Whether enough second looks at slices of this kind were taken, and each of them found nothing. */
  function isBelieved(like: string): boolean {
    const { stayed = 0, disproved = false } = found.get(like) ?? {};
    return !disproved && stayed >= ENOUGH_LOOKS;
  }

  function note(like: string, isStillEmpty: boolean) {
    const { stayed = 0, disproved = false } = found.get(like) ?? {};
    found.set(like, isStillEmpty ? { stayed: stayed + 1, disproved } : { stayed, disproved: true });
  }

  return {
    isDoubtful: (stored, result) =>
      isEmpty(result) && (!result.ok || !isExpected(stored.slice)) && !isBelieved(likeOf(stored)),
    isOwed: ({ id }) => owed.has(id),
    owe({ id }) {
      if (owed.has(id)) return;
      owed.add(id);
      save();
    },
    inTurn(stored, look) {
      const like = likeOf(stored);
      const turn = turns.get(like) ?? pLimit(1);
      turns.set(like, turn);
      return turn(async () => {
        const isEnough = isBelieved(like);
        const asked = await look(isEnough);
        if (!asked.result.ok) return asked;
        owed.delete(stored.id);
        if (!isEnough) note(like, isEmpty(asked.result));
        save();
        return asked;
      });
    },
  };
}

/** A list of the game that is empty was not accepted. */
const isEmpty = (result: Result): boolean =>
  result.ok ? result.whole && result.total === 0 : result.reason === "empty";

/** A file has one language of what is the same in all. */
const asHeld = (slice: Slice): Slice =>
  endpointOf(slice.dataset).text === "all" ? slice : { ...slice, lang: BASE_LANG };
