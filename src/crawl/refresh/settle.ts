import { type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { capturedById, dueIds, type StoredSlice } from "../../journal/journal.ts";
import { type SliceGroup, sliceGroup } from "../../journal/slice-group.ts";
import { wasEmpty } from "./base.ts";
import type { Night, Note, StepOutcome } from "./decision.ts";
import { refreshKindOf } from "./kinds.ts";

/**
 * The share of a table that may be missing with a budget: its slices are carried over, and say so. If more is missing the table stays as it
 * was.
 */
const MAY_LACK = 0.1;

/**
 * Accepts a table (a slice group) if all of it was asked, it settled on one batch, and with a budget hardly anything of it is missing;
 * otherwise it stays as it was. Slices that there was no time to ask for stay, too.
 */
export function settle(night: Night, { suspect }: StepOutcome): StepOutcome {
  const { journal, wanted } = night;
  const due = journal.slices();
  const notAsked = due.filter((stored) => stored.state === "pending" && !night.isClosed(stored.slice));
  const broken = findBroken(night, notAsked);
  const giveBack = due.filter((stored) => stored.state === "captured" && isOf(broken, stored));
  const dropped = new Set(giveBack.map(idOf));
  const taken = new Set(capturedById(journal).keys()).difference(dropped);
  const left = wanted.map(sliceId).filter((id) => !taken.has(id));
  const notes = [...Map.groupBy(giveBack, sliceGroup)].map(
    ([what, slices]): Note => ["left", { what, slices: slices.length, why: broken.get(what) ?? "unsettled" }],
  );
  return {
    ask: [],
    suspect: new Set([...suspect].filter((id) => !taken.has(id))),
    keep: notAsked,
    giveBack,
    notes: [...notes, ["carried", { asked: taken.size, carried: left.length }]],
  };
}

const idOf = ({ slice }: StoredSlice) => sliceId(slice);

/** Finds the groups that stay as they were, with the reasons. */
function findBroken(night: Night, notAsked: readonly StoredSlice[]): ReadonlyMap<SliceGroup, string> {
  const { base, journal, policy, unsettled, wanted } = night;
  const due = dueIds(journal);
  const waiting = wanted.filter((slice) => !due.has(sliceId(slice)) && !wasEmpty(base, slice));
  const groups = Map.groupBy(
    journal.slices().filter(({ slice }) => refreshKindOf(slice) === "turn"),
    sliceGroup,
  );
  // Without a budget a table has no turn that it could wait for.
  const lacking = [...groups].filter(([, members]) => {
    const missing = members.filter(({ state }) => state !== "captured");
    return policy === "budget" && missing.length > MAY_LACK * members.length;
  });
  return new Map([
    ...lacking.map(([group]) => [group, "too much is missing"] as const),
    ...unsettled.map((group) => [group, "unsettled"] as const),
    ...[...waiting.map((slice) => ({ slice })), ...notAsked].map((one) => [sliceGroup(one), "not asked"] as const),
  ]);
}

/** Tells whether a slice belongs to one of the groups, also if it is in another language. */
function isOf(groups: ReadonlyMap<SliceGroup, string>, { slice }: StoredSlice): boolean {
  if (refreshKindOf(slice) !== "turn") return false;
  const english = sliceGroup({ slice: { ...slice, lang: BASE_LANG } });
  return groups.has(sliceGroup({ slice })) || (!isTranslated(slice) && groups.has(english));
}

/** Tells whether each language has texts of its own. */
const isTranslated = ({ dataset }: Slice) => endpointOf(dataset).text === "all";
