import { type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { NOT_ASKED } from "../../api/refusals.ts";
import { capturedById, isMissing, plannedIds } from "../../journal/captured.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import { tableOf } from "../../journal/stale.ts";
import type { Run } from "../run.ts";
import { type Base, wasEmpty } from "./base.ts";
import { refreshKindOf } from "./kinds.ts";

/**
 * Gives up what is not whole: a table with a slice that failed or was not asked, or one that did not settle on one batch
 * (`unsettled`: their names), stays as it was. A refused slice breaks no table. Notes what is carried over without being asked.
 */
export function settle(
  run: Run,
  wanted: readonly Slice[],
  unsettled: readonly string[],
  suspects: ReadonlySet<string>,
) {
  const { journal, log } = run;
  const broken = findBroken(run, wanted, unsettled);
  for (const [table, slices] of Map.groupBy(broken, tableOf))
    log("left", {
      what: table,
      slices: slices.length,
      reason: slices.find(({ reason }) => reason)?.reason ?? "unsettled",
    });
  giveUp(run, broken);
  const known = plannedIds(journal);
  const taken = capturedById(journal);
  const left = wanted.map(sliceId).filter((id) => !taken.has(id));
  const carried = [...left, ...findTranslations(run.options.refresh?.base, left)].filter((id) => !known.has(id));
  journal.setState("carried", [...new Set(carried)]);
  journal.setState(
    "suspect",
    [...suspects].filter((id) => !taken.has(id)),
  );
  log("carried", { asked: taken.size, carried: carried.length + known.size - taken.size });
}

function findBroken({ journal, options }: Run, wanted: readonly Slice[], unsettled: readonly string[]): StoredSlice[] {
  const slices = journal.slices();
  const ofTurns = slices.filter(({ slice }) => refreshKindOf(slice) === "turn");
  const known = plannedIds(journal);
  const notAsked = wanted.filter((slice) => !known.has(sliceId(slice)) && !wasEmpty(options.refresh?.base, slice));
  const tables = new Set([
    ...unsettled,
    ...ofTurns.filter(isMissing).map(tableOf),
    ...notAsked.map((slice) => tableOf({ slice })),
  ]);
  // What a table shows in another language belongs to it.
  const isBroken = ({ slice }: StoredSlice) =>
    tables.has(tableOf({ slice })) ||
    (!isTranslated(slice) && tables.has(tableOf({ slice: { ...slice, lang: BASE_LANG } })));
  return slices.filter(
    (stored) =>
      isMissing(stored) || (stored.state === "captured" && refreshKindOf(stored.slice) === "turn" && isBroken(stored)),
  );
}

/** With the reason: of what was asked the proof does not say that it was not. */
function giveUp({ journal }: Run, broken: readonly StoredSlice[]) {
  const reasonOf = ({ slice, state, reason }: StoredSlice) =>
    state === "captured" ? "unsettled" : (reason ?? journal.lastAttempt(slice)?.reason ?? NOT_ASKED);
  for (const [reason, slices] of Map.groupBy(broken, reasonOf)) {
    const ids = slices.map(({ id }) => id);
    if (reason === NOT_ASKED) journal.removeSlices(ids);
    else journal.giveUp(ids, reason);
  }
}

/** Whether each language has texts of its own. */
const isTranslated = ({ dataset }: Slice) => endpointOf(dataset).text === "all";

/** What the base holds in other languages of slices that are carried over, because it could not be told from the English one. */
export function findTranslations(base: Base | undefined, carried: readonly string[]): string[] {
  const ids = new Set(carried);
  return [...(base?.rows.keys() ?? [])].filter((id) => {
    const english = id.replace(/lang=[\w-]+$/, `lang=${BASE_LANG}`);
    return (
      id !== english && ids.has(english) && !isTranslated({ dataset: id.slice(0, id.indexOf("?")), lang: BASE_LANG })
    );
  });
}
