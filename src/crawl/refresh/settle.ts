import { type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { NOT_ASKED } from "../../api/refusals.ts";
import { capturedById, isUnanswered, plannedIds, type StoredSlice } from "../../journal/journal.ts";
import { sliceGroup } from "../../journal/stale.ts";
import { type CrawlBase, wasEmpty } from "./base.ts";
import type { Dropped, Night, Note, StepOutcome } from "./decision.ts";
import { refreshKindOf } from "./kinds.ts";

/**
 * Drops what is not whole: a group with a slice that failed or was not asked, or one that did not settle on one batch, stays as it
 * was. A refused slice breaks no group. The rest of a whole file is carried over.
 */
export function settle(night: Night, { suspect }: StepOutcome): StepOutcome {
  const { base, journal, wanted } = night;
  const broken = findBroken(night);
  const drop = toDropped(night, broken);
  const dropped = new Set(broken.map(idOf));
  const unplanned = new Set(
    drop.filter(({ reason }) => reason === NOT_ASKED).flatMap(({ slices }) => slices.map(idOf)),
  );
  const planned = plannedIds(journal).difference(unplanned);
  const taken = new Set(capturedById(journal).keys()).difference(dropped);
  const left = wanted.map(sliceId).filter((id) => !taken.has(id));
  const carried = [...left, ...findTranslations(base, left)].filter((id) => !planned.has(id));
  const notes = [...Map.groupBy(broken, sliceGroup)].map(([what, slices]): Note => {
    const reason = slices.find((stored) => stored.reason)?.reason ?? "unsettled";
    return ["left", { what, slices: slices.length, reason }];
  });
  return {
    ask: [],
    suspect: new Set([...suspect].filter((id) => !taken.has(id))),
    carry: [...new Set(carried)],
    drop,
    notes: [...notes, ["carried", { asked: taken.size, carried: carried.length + planned.size - taken.size }]],
  };
}

const idOf = ({ slice }: StoredSlice) => sliceId(slice);

function findBroken({ base, journal, unsettled, wanted }: Night): StoredSlice[] {
  const slices = journal.slices();
  const ofTurns = slices.filter(({ slice }) => refreshKindOf(slice) === "turn");
  const planned = plannedIds(journal);
  const notAsked = wanted.filter((slice) => !planned.has(sliceId(slice)) && !wasEmpty(base, slice));
  const groups = new Set([
    ...unsettled,
    ...ofTurns.filter(isUnanswered).map(sliceGroup),
    ...notAsked.map((slice) => sliceGroup({ slice })),
  ]);
  // What a group shows in another language belongs to it.
  const isBroken = ({ slice }: StoredSlice) =>
    groups.has(sliceGroup({ slice })) ||
    (!isTranslated(slice) && groups.has(sliceGroup({ slice: { ...slice, lang: BASE_LANG } })));
  return slices.filter(
    (stored) =>
      isUnanswered(stored) ||
      (stored.state === "captured" && refreshKindOf(stored.slice) === "turn" && isBroken(stored)),
  );
}

/** With the reason: what was asked is not said to be not asked. */
function toDropped({ journal }: Night, broken: readonly StoredSlice[]): Dropped[] {
  const reasonOf = ({ slice, state, reason }: StoredSlice) =>
    state === "captured" ? "unsettled" : (reason ?? journal.lastAttempt(slice)?.reason ?? NOT_ASKED);
  return [...Map.groupBy(broken, reasonOf)].map(([reason, slices]) => ({ reason, slices }));
}

/** Whether each language has texts of its own. */
const isTranslated = ({ dataset }: Slice) => endpointOf(dataset).text === "all";

/** What the base holds in other languages of slices that are carried over, because it could not be told from the English one. */
export function findTranslations(base: CrawlBase | undefined, carried: readonly string[]): string[] {
  const ids = new Set(carried);
  return [...(base?.rows.keys() ?? [])].filter((id) => {
    const english = id.replace(/lang=[\w-]+$/, `lang=${BASE_LANG}`);
    return (
      id !== english && ids.has(english) && !isTranslated({ dataset: id.slice(0, id.indexOf("?")), lang: BASE_LANG })
    );
  });
}
