import { hashSlice } from "../../api/body/canonical.ts";
import { unwrapPictures } from "../../api/body/pictures.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import { sliceGroup } from "../../journal/slice-group.ts";
import { isUnstamped } from "../refresh/kinds.ts";
import type { DoubtCheck } from "./check.ts";

/**
 * Tables whose records do not say which batch they are of, in a crawl that carries others over: the answer that came first is asked once more,
 * as a canary. If it is the same, all that came before that is of one batch; if it is another, so may the rest be.
 */
export const unstamped: DoubtCheck = {
  name: "unstamped",
  looks: 1,
  ifItStays: "carry",
  isOfTables: true,
  find({ answered, memory, run }) {
    const { journal, options } = run;
    // A night that asks for everything has other means: nothing of it is carried over.
    if (options.policy === "all") return [];
    const toSuspect = (stored: StoredSlice) => ({ stored, seen: hashSlice(unwrapPictures(journal.records(stored))) });
    const looks = Map.groupBy(
      memory.looks.filter(({ check }) => check === "unstamped"),
      ({ id }) => id,
    );
    const tables = Map.groupBy(
      answered.filter(({ slice }) => isUnstamped(slice)),
      sliceGroup,
    );
    return [...tables].flatMap(([name, members]) => {
      if (members.length < 2) return [];
      const timed = members.map((stored) => ({ stored, at: journal.answeredAt(stored.id) }));
      timed.sort((a, b) => a.at - b.at);
      // A canary that came back as it was proves what was answered before; the last that came back as another makes it old.
      const canaries = timed.filter(({ stored }) => looks.has(stored.id));
      const isSame = ({ stored }: { stored: StoredSlice }) =>
        looks.get(stored.id)?.some(({ seen }) => seen === toSuspect(stored).seen) ?? false;
      const provedAt = Math.max(-1, ...canaries.filter(isSame).map(({ at }) => at));
      const movedAt = Math.max(-1, ...canaries.filter((one) => !isSame(one)).map(({ at }) => at));
      const open = timed.filter(({ at }) => at > provedAt);
      if (open.length === 0) return [];
      const older = open.filter(({ at }) => at < movedAt);
      const suspects = (older.length > 0 ? older : open.slice(0, 1)).map(({ stored }) => toSuspect(stored));
      return [{ name, why: `${name}: ${open.length} slices may be of two batches`, suspects }];
    });
  },
};
