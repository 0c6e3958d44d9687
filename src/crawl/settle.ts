import { EXIT, Failure } from "../api/failure.ts";
import type { Run } from "./capture.ts";
import { compareRates, compareStamps, type Disagreement } from "./moment.ts";
import { findOddFaces, findStrangers } from "./odd.ts";

/** Rounds of asking again before a moving upstream is given up. */
const ROUNDS = 6;
/** Times that one disagreement is looked into before it is taken for the upstream's own. */
const LOOKS = 3;
/** Slices that are asked first of many that disagree: where they come back unchanged, the others would too. */
const PROBES = 2;

/** What has been looked into in this run: the moment is settled more than once, but nothing is asked again for it twice. */
export interface Looks {
  times: Map<string, number>;
  probed: Map<string, number[]>;
  /** Batches that a newer one has taken the place of. */
  outdated: Set<string>;
  reported: Set<string>;
}

export const createLooks = (): Looks => ({
  times: new Map(),
  probed: new Map(),
  outdated: new Set(),
  reported: new Set(),
});

/**
 * Brings everything to one moment: what does not fit together is asked again, the older part of it. What never agrees is
 * reported when each table is of one batch, and ends the run when a table would mix two.
 */
export async function settleMoment(run: Run, looks: Looks, collectAll: () => Promise<void>): Promise<void> {
  for (let round = 1; ; round += 1) {
    const found = findDisagreements(run, looks.outdated);
    const open = found.filter((one) => one.fatal || !isFinal(one, looks));
    if (open.length === 0) {
      for (const { key, what } of found) if (!looks.reported.has(key)) run.log("never-agrees", { what });
      for (const { key } of found) looks.reported.add(key);
      return;
    }
    if (round > ROUNDS) throw neverSettles(open);
    for (const one of open) {
      const slices = choose(one, looks);
      run.log("asking-again", { what: one.what, slices: slices.length });
      run.journal.reset(slices);
    }
    await collectAll();
  }
}

function findDisagreements({ journal }: Run, outdated: Set<string>): Disagreement[] {
  const slices = journal.slices().filter(({ state }) => state === "captured");
  const roster = journal.recall("roster");
  const odd = [...findOddFaces(slices), ...findStrangers(slices, Array.isArray(roster) ? roster : [])];
  const stamps = compareStamps(slices, outdated);
  // While batches are mixed, rates say nothing new: the older part has the older rates anyway.
  const mixed = stamps.some(({ fatal }) => fatal);
  return [...odd, ...stamps, ...(mixed ? [] : compareRates(slices, journal.answeredAt))];
}

/** Looked into often enough, or its probes came back as they were. */
function isFinal({ key, older }: Disagreement, { times, probed }: Looks): boolean {
  const probes = probed.get(key);
  const unchanged = probes?.length === PROBES && probes.every((id) => older.includes(id));
  return (times.get(key) ?? 0) >= LOOKS || (unchanged ?? false);
}

/** All of the older part, but for the first look at many rates, which is a probe. */
function choose({ key, older, fatal }: Disagreement, { times, probed }: Looks): number[] {
  times.set(key, (times.get(key) ?? 0) + 1);
  if (fatal || !key.endsWith(" rates") || older.length <= PROBES || probed.has(key)) return older;
  const probes = older.slice(0, PROBES);
  probed.set(key, probes);
  return probes;
}

function neverSettles(open: readonly Disagreement[]): Failure {
  const first = open.find(({ fatal }) => fatal) ?? open[0];
  const more = open.length > 1 ? `, and ${open.length - 1} more` : "";
  return new Failure(
    EXIT.incomplete,
    `the upstream does not settle: ${first?.what}${more}; nothing was published`,
    "run the same command again when its numbers have rolled over",
  );
}
