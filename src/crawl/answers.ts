import { yieldOrAbort } from "../base/processes.ts";
import { collect } from "./ask/collect.ts";
import { refuseShortage, type Work } from "./disk-space.ts";
import { askClosingRounds } from "./missing/closing.ts";
import { askProbes } from "./missing/probes.ts";
import { planSlices, type Targets } from "./plan.ts";
import { planNight } from "./purposes.ts";
import { canAskListsAgain, type Due, decideWhatIsDue } from "./refresh/refresh.ts";
import { captureRoster, isRosterUnchanged, type Roster } from "./roster.ts";
import type { Run } from "./run.ts";
import { findTargets, selectHeroes } from "./targets.ts";

/** Times that the roster may change under way before those heroes count whom it has named each time. */
const MAX_ROUNDS = 5;

/** Asks for everything that is due, until the roster is the one that was planned for. */
export async function captureAnswers(run: Run): Promise<Due> {
  const named: Set<number>[] = [];
  for (let round = 1; ; round += 1) {
    const roster = await captureRoster(run);
    run.begin();
    refuseTooSmallDisk(run, roster);
    named.push(new Set(roster.heroes.map(({ id }) => id)));
    const isLast = round === MAX_ROUNDS;
    const heroes = isLast ? roster.heroes.filter(({ id }) => named.every((ids) => ids.has(id))) : roster.heroes;
    const targets = await findTargets(run, { heroes });
    await yieldOrAbort(run.stop);
    planNight(run, targets);
    await askProbes(run);
    const due = await askWhatIsDue(run, targets);
    await askClosingRounds(run);
    if (isLast || !canAskListsAgain(run) || (await isRosterUnchanged(run, roster))) return due;
  }
}

async function askWhatIsDue(run: Run, targets: Targets): Promise<Due> {
  await collect(run, "answer");
  return await decideWhatIsDue(run, targets);
}

/** A roster that it cannot go on from is forgotten, so that its journal binds nobody. */
function refuseTooSmallDisk(run: Run, roster: Roster) {
  const { options, journal, budget, log } = run;
  try {
    refuseShortage(options.data, workLeft(run, roster, budget?.left()), log);
  } catch (error) {
    const captured = journal.slices().filter(({ state }) => state === "captured");
    if (captured.length === 1) journal.requeue(captured.map(({ id }) => id));
    throw error;
  }
}

/** Returns the work that is left, as far as the roster tells. */
export function workLeft(
  { options: { selection }, journal }: Pick<Run, "options" | "journal">,
  roster: Roster,
  mayAsk = Number.POSITIVE_INFINITY,
): Work {
  const heroes = selectHeroes(selection, roster.heroes);
  const inFile = planSlices(selection, { heroes, subjects: new Map() }).length;
  const captured = journal.slices().filter(({ state }) => state === "captured").length;
  return { toAsk: Math.min(mayAsk, Math.max(0, inFile - captured)), inFile };
}
