import { type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import { tableOf } from "../../journal/stale.ts";
import type { Run } from "../run.ts";
import { refreshKindOf } from "./kinds.ts";

/**
 * Takes out of the journal what is not whole: a table with a slice that was not captured, or one that did not settle on one batch
 * (`unsettled`: their names), stays as it was. Notes what is carried over in its place.
 */
export function settle(
  run: Run,
  wanted: readonly Slice[],
  unsettled: readonly string[],
  suspects: ReadonlySet<string>,
) {
  const { journal, log } = run;
  const broken = findBroken(journal.slices(), unsettled);
  for (const [table, slices] of Map.groupBy(broken, tableOf))
    log("left", {
      what: table,
      slices: slices.length,
      reason: slices.find(({ reason }) => reason)?.reason ?? "unsettled",
    });
  journal.removeSlices(broken.map(({ id }) => id));
  const taken = new Set(journal.slices().map(({ slice }) => sliceId(slice)));
  const carried = [...wanted.map(sliceId), ...findTranslations(run, wanted, taken)].filter((id) => !taken.has(id));
  journal.setState("carried", [...new Set(carried)]);
  journal.setState(
    "suspect",
    [...suspects].filter((id) => !taken.has(id)),
  );
  log("carried", { asked: taken.size, carried: carried.length });
}

function findBroken(slices: readonly StoredSlice[], unsettled: readonly string[]): StoredSlice[] {
  const isMissing = ({ state }: StoredSlice) => state !== "captured";
  const ofTurns = slices.filter(({ slice }) => refreshKindOf(slice) === "turn");
  const tables = new Set([...unsettled, ...ofTurns.filter(isMissing).map(tableOf)]);
  // What a table shows in another language belongs to it.
  const isBroken = ({ slice }: StoredSlice) =>
    tables.has(tableOf({ slice })) ||
    (!isTranslated(slice) && tables.has(tableOf({ slice: { ...slice, lang: BASE_LANG } })));
  return slices.filter((stored) => isMissing(stored) || (refreshKindOf(stored.slice) === "turn" && isBroken(stored)));
}

/** Whether each language has texts of its own. */
const isTranslated = ({ dataset }: Slice) => endpointOf(dataset).text === "all";

/** What the base holds in other languages of slices that are carried over, because it could not be told from the English one. */
function findTranslations(run: Run, wanted: readonly Slice[], taken: ReadonlySet<string>): string[] {
  const { base } = run.options.refresh ?? {};
  const carried = new Set(wanted.map(sliceId).filter((id) => !taken.has(id)));
  return [...(base?.rows.keys() ?? [])].filter((id) => {
    const english = id.replace(/lang=[\w-]+$/, `lang=${BASE_LANG}`);
    return (
      id !== english &&
      carried.has(english) &&
      !isTranslated({ dataset: id.slice(0, id.indexOf("?")), lang: BASE_LANG })
    );
  });
}
