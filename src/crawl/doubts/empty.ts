import { type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { sliceGroup } from "../../journal/slice-group.ts";
import type { DoubtCheck } from "./check.ts";

/**
 * Doubts answers without a record if the base has some, or nothing: an answer that comes late and unasked is taken for that of the next
 * request (RFC 9112, 9.2). No hero is played on every lane, so many are right: twenty are looked at of a table that had records, and of an
 * endpoint that is not in hand.
 */
export const empty: DoubtCheck = {
  name: "empty",
  looks: 1,
  mustComeTwice: true,
  probes: 20,
  fault: "empty",
  ifItStays: "believe",
  find({ answered, run }) {
    const { base } = run.options;
    const hadRecords = (slice: Slice): boolean | undefined => {
      const { status = "failed" } = base?.rows.get(sliceId(asHeld(slice))) ?? {};
      return status === "failed" ? undefined : status === "captured";
    };
    // A short day has no room to look at all lanes.
    const isExpected = (slice: Slice) => {
      const had = hadRecords(slice);
      return had === undefined ? run.budget !== undefined && slice.lane !== undefined : !had;
    };
    const doubted = answered.filter(({ facts, slice }) => facts.records === 0 && !isExpected(slice));
    const likes = Map.groupBy(doubted, ({ slice }) =>
      hadRecords(slice) === undefined ? slice.dataset : sliceGroup({ slice }),
    );
    return [...likes].map(([name, members]) => ({
      name,
      why: `${name}: ${members.length} slices have no record`,
      suspects: members.map((stored) => ({ stored, seen: "no record" })),
    }));
  },
};

/** A file has one language of what is the same in all. */
const asHeld = (slice: Slice): Slice =>
  endpointOf(slice.dataset).text === "all" ? slice : { ...slice, lang: BASE_LANG };
