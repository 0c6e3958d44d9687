import { sliceKey } from "../../api/endpoint.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { capturedSlices } from "../../journal/journal.ts";
import { findStale } from "../../journal/stale.ts";
import { collect } from "../ask/collect.ts";
import type { Run } from "../run.ts";
import { compareRankLists, type Disagreement, findOutliers, findUnknownHeroes } from "./disagreements.ts";
import { createStamps, type Stamps } from "./stamps.ts";

/** Rounds of asking again before stamps that go on moving are given up; what is not fatal ends by itself. */
const MAX_ROUNDS = 6;
/** Times that one disagreement is looked into before it is taken for the upstream's own. */
const MAX_LOOKS = 3;
/** Slices that are asked first of many that disagree: if they come back unchanged, the others would too. */
const PROBES = 2;

/** What has been looked into in this run, which reconciles twice: only stamps are looked at anew. */
export interface ReconcileState {
  times: Map<string, number>;
  probed: Map<string, number[]>;
  stamps: Stamps;
  reported: Set<string>;
}

export const createReconcileState = (): ReconcileState => ({
  times: new Map(),
  probed: new Map(),
  stamps: createStamps(),
  reported: new Set(),
});

/**
 * Brings everything to one moment: what does not fit together is asked again, the older part of it. What never agrees, or
 * is stale at the upstream, is reported; a slice group whose stamps go on moving ends the run, or is returned by its name where
 * what was there before can stay.
 */
export async function reconcile(run: Run, state: ReconcileState): Promise<string[]> {
  state.stamps.lookAgain();
  for (let round = 1; ; round += 1) {
    const disagreements = findDisagreements(run, state.stamps);
    const open = disagreements.filter((disagreement) => disagreement.fatal || !isFinal(disagreement, state));
    if (open.length === 0) {
      report(run, disagreements, state);
      return [];
    }
    const moving = open.filter(({ fatal }) => fatal);
    if (round > MAX_ROUNDS && moving.length > 0) {
      if (run.options.policy !== "all") return moving.map(({ key }) => key);
      throw neverSettles(moving);
    }
    for (const disagreement of open) {
      const slices = choose(disagreement, state);
      run.log("asking-again", { what: disagreement.what, slices: slices.length });
      state.stamps.noteRequeued(slices);
      run.journal.requeue(slices);
    }
    await collect(run, "answer");
  }
}

function findDisagreements(run: Run, stamps: Stamps): Disagreement[] {
  const { journal } = run;
  const slices = capturedSlices(run.journal);
  const odd = [...findOutliers(slices), ...findUnknownHeroes(slices, journal.getState("roster") ?? [])];
  const mixed = stamps.compare(slices);
  // While batches are mixed, rates say nothing new: the older part has the older rates anyway.
  if (mixed.some(({ fatal }) => fatal)) return [...odd, ...mixed];
  // Nor do those of a batch that is known to be another one.
  const stale = new Set(findStale(slices).flatMap((batch) => batch.slices));
  const rated = slices.filter((stored) => !stale.has(stored));
  return [...odd, ...mixed, ...compareRankLists(rated, journal.answeredAt)];
}

function report(run: Run, disagreements: readonly Disagreement[], { reported }: ReconcileState) {
  const tell = (key: string, event: string, facts: object) => {
    if (!reported.has(key)) run.log(event, facts);
    reported.add(key);
  };
  for (const { key, what } of disagreements) tell(key, "never-agrees", { what });
  for (const { group, batch, most, of, slices } of findStale(capturedSlices(run.journal))) {
    const [example] = slices.map(({ slice }) => sliceKey(slice));
    tell(`${group} ${batch}`, "stale", { what: group, slices: slices.length, of, batch, most, example });
  }
}

/** Looked into often enough, or its probes came back as they were, or nothing is left to be asked. */
function isFinal({ key, staleIds }: Disagreement, { times, probed }: ReconcileState): boolean {
  const probes = probed.get(key);
  const unchanged = probes?.length === PROBES && probes.every((id) => staleIds.includes(id));
  return (times.get(key) ?? 0) >= MAX_LOOKS || (unchanged ?? false) || staleIds.length === 0;
}

/** All of the older part, but for the first look at many rates, which is a probe. */
function choose({ key, staleIds, fatal }: Disagreement, { times, probed }: ReconcileState): number[] {
  times.set(key, (times.get(key) ?? 0) + 1);
  if (fatal || !key.endsWith(" rates") || staleIds.length <= PROBES || probed.has(key)) return staleIds;
  const probes = staleIds.slice(0, PROBES);
  probed.set(key, probes);
  return probes;
}

function neverSettles([first, ...others]: readonly Disagreement[]): Failure {
  const more = others.length > 0 ? `, and ${others.length} more` : "";
  return new Failure(
    EXIT.incomplete,
    `the upstream does not settle: ${first?.what}${more}; nothing was published`,
    "run the same command again when its numbers have rolled over",
  );
}
