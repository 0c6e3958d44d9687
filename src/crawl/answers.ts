import type { Slice } from "../api/endpoint.ts";
import { EXIT, Failure } from "../api/failure.ts";
import { yieldOrAbort } from "../base/processes.ts";
import type { Journal } from "../journal/journal.ts";
import { collect, requireComplete } from "./collect.ts";
import { refuseShortage, type Work } from "./disk-space.ts";
import { planSlices, type Targets } from "./plan.ts";
import { closeRefusals } from "./refusals/ask-again.ts";
import { concludeRefusals } from "./refusals/conclude.ts";
import { isUnnamed } from "./refusals/known.ts";
import { giveUpSilent } from "./refusals/silent.ts";
import { captureRoster, planRoster, type Roster, rosterUnchanged } from "./roster.ts";
import type { CrawlOptions, Run } from "./run.ts";
import { findTargets, selectHeroes } from "./targets.ts";

/** The roster that was planned for, and what paths name. */
export interface Answers {
  roster: Roster;
  targets: Targets;
}

/** Times that a plan may change under way before the upstream is called unsettled. */
const MAX_ROUNDS = 5;
/** Closing rounds after which what is refused by turns is left as it is. */
export const MAX_CLOSINGS = 5;

/** Asks for everything that is planned for what paths name, until the roster is the one that was planned for. */
export async function captureAnswers(run: Run, planOf: (targets: Targets) => Slice[]): Promise<void> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const { roster } = await captureOnce(run, planOf);
    for (let closing = 1; closing <= MAX_CLOSINGS && (await isMoreToAsk(run)); closing += 1)
      await captureOnce(run, planOf);
    // A roster that does not hold explains what is missing: it is asked again first.
    if (!(await rosterUnchanged(run, roster))) continue;
    concludeRefusals(run);
    return requireComplete(run, "answer");
  }
  throw new Failure(
    EXIT.incomplete,
    "the upstream's roster does not settle; nothing was published",
    "run the same command again",
  );
}

/** Whether a group has opened, or an endpoint is given up for good, so that there is more to plan or to ask. */
export const isMoreToAsk = async (run: Run): Promise<boolean> => (await closeRefusals(run)) || giveUpSilent(run);

/** The same without a second look at the roster. */
export async function captureOnce(run: Run, planOf: (targets: Targets) => Slice[]): Promise<Answers> {
  const roster = await captureRoster(run);
  refuseTooSmallDisk(run, roster);
  const targets = await findTargets(run, roster);
  await yieldOrAbort(run.stop);
  run.refusals.expect(planSlices(run.options.selection, targets));
  dropNamed(run, targets);
  planRoster(run, roster, planOf(targets));
  await collect(run, "answer");
  return { roster, targets };
}

/** What stood for all words of a list goes once the list names them. */
function dropNamed({ journal }: Run, { subjects }: Targets) {
  const named = journal.slices().filter(({ slice }) => isUnnamed(slice) && subjects.get(slice.dataset) !== undefined);
  journal.removeSlices(named.map(({ id }) => id));
}

/** A roster that it cannot go on from is forgotten, so that its journal binds nobody. */
function refuseTooSmallDisk({ options, journal, budget, log }: Run, roster: Roster) {
  try {
    refuseShortage(options.data, workLeft(options, journal, roster, budget?.left()), log);
  } catch (error) {
    const captured = journal.slices().filter(({ state }) => state === "captured");
    if (captured.length === 1) journal.requeue(captured.map(({ id }) => id));
    throw error;
  }
}

/** As far as it can be told from the roster. */
export function workLeft(
  { selection }: CrawlOptions,
  journal: Journal,
  roster: Roster,
  mayAsk = Number.POSITIVE_INFINITY,
): Work {
  const heroes = selectHeroes(selection, roster);
  const inFile = planSlices(selection, { heroes, subjects: new Map() }).length;
  const captured = journal.slices().filter(({ state }) => state === "captured").length;
  return { toAsk: Math.min(mayAsk, Math.max(0, inFile - captured)), inFile };
}
