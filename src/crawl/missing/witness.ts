import { isListEndpoint } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { isNamingList } from "../../api/parts.ts";
import { capturedSlices, type StoredSlice } from "../../journal/journal.ts";
import { askPage } from "../ask/ask-page.ts";
import type { Run } from "../run.ts";
import { validateResponse } from "../validate/validate.ts";
import { WITNESSES } from "./tally.ts";

/**
 * Asks once more for a slice that was answered before, in one attempt, to see whether the upstream is there. Its answer is discarded.
 * English lists take turns, the list of heroes among them, so that the choice does not depend on a part that fails.
 */
export async function askWitness(run: Run): Promise<boolean> {
  if (run.witnesses.length === 0) run.witnesses.push(...findWitnesses(run));
  const witness = run.witnesses.shift();
  if (!witness) return false;
  const { slice } = witness;
  const endpoint = endpointOf(slice.dataset);
  const { result } = await askPage(slice, 1, run, (response) => validateResponse(endpoint, slice, response), {
    newConnection: true,
  });
  run.tally.witnessed(result.ok);
  return result.ok;
}

/** Finds slices that were answered, lists that name others first. */
function findWitnesses({ journal }: Run): StoredSlice[] {
  const lists = capturedSlices(journal).filter(
    ({ slice }) => slice.lang === BASE_LANG && isListEndpoint(endpointOf(slice.dataset)) && slice.rank === undefined,
  );
  return lists.sort((a, b) => Number(isNamingList(b.slice)) - Number(isNamingList(a.slice)) || a.id - b.id);
}

/**
 * Asks witnesses, as the last slices may have failed with the whole upstream, until enough have answered after all failures, or as many
 * have failed.
 */
export async function askWitnesses(run: Run): Promise<void> {
  const { tally, journal, budget, stop, log } = run;
  const { lacking } = tally.vouched();
  if (lacking > 0) log("witnesses", { needed: lacking });
  let failed = 0;
  while (tally.vouched().lacking > 0 && failed < WITNESSES && budget?.left() !== 0) {
    stop.throwIfAborted();
    if (!(await askWitness(run))) failed += 1;
  }
  // Slices in a part that is closed for this run were not asked: the part itself was vouched for.
  const unasked = journal.slices().filter(({ state, slice }) => state === "pending" && tally.isClosed(slice));
  journal.vouch([...tally.vouched().ids, ...unasked.map(({ id }) => id)]);
}
