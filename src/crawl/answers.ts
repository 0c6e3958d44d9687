import type { Slice } from "../api/endpoint.ts";
import { EXIT, Failure } from "../api/failure.ts";
import { yieldOrAbort } from "../journal/yield.ts";
import { collect, requireComplete } from "./collect.ts";
import { findShortage } from "./disk-space.ts";
import type { Targets } from "./plan.ts";
import { captureRoster, planRoster, type Roster, rosterUnchanged } from "./roster.ts";
import type { Run } from "./run.ts";
import { findTargets } from "./targets.ts";

/** The roster that was planned for, and what paths name. */
export interface Answers {
  roster: Roster;
  targets: Targets;
}

/** Times that a plan may change under way before the upstream is called unsettled. */
const MAX_ROUNDS = 5;

/** Asks for everything that is planned for what paths name, until the roster is the one that was planned for. */
export async function captureAnswers(run: Run, planOf: (targets: Targets) => Slice[]): Promise<void> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const { roster } = await captureOnce(run, planOf);
    // A roster that does not hold explains what is missing: it is asked again first.
    if (await rosterUnchanged(run, roster)) return requireComplete(run, "answer");
  }
  throw new Failure(
    EXIT.incomplete,
    "the upstream's roster does not settle; nothing was published",
    "run the same command again",
  );
}

/** The same without a second look at the roster. */
export async function captureOnce(run: Run, planOf: (targets: Targets) => Slice[]): Promise<Answers> {
  const roster = await captureRoster(run);
  const targets = await findTargets(run, roster);
  await yieldOrAbort(run.stop);
  planRoster(run, roster, planOf(targets));
  warnOfShortage(run, countMissing(run));
  await collect(run, "answer");
  return { roster, targets };
}

const countMissing = ({ journal }: Run) => journal.slices().filter(({ state }) => state !== "captured").length;

/** The crawl goes on all the same: its journal stays good when the disk is full, and room may be made meanwhile. */
export function warnOfShortage({ options: { data }, log }: Run, slices: number) {
  const shortage = findShortage(data, slices);
  if (shortage) log("disk-short", { folder: data, ...shortage });
}
