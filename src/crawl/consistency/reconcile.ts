import { sliceKey } from "../../api/endpoint.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { findStale } from "../../journal/stale.ts";
import { collectAll } from "../collect.ts";
import type { Run } from "../run.ts";
import { findOddFaces, findStrangers } from "../validate/outliers.ts";
import { compareRates, type Disagreement } from "./compare.ts";
import { createStamps, type Stamps } from "./stamps.ts";

/** Rounds of asking again before stamps that go on moving are given up; what is not fatal ends by itself. */
const ROUNDS = 6;
/** Times that one disagreement is looked into before it is taken for the upstream's own. */
const LOOKS = 3;
/** Slices that are asked first of many that disagree: where they come back unchanged, the others would too. */
const PROBES = 2;

/** What has been looked into in this run: the moment is settled more than once, but only stamps are looked at anew. */
export interface Looks {
  times: Map<string, number>;
  probed: Map<string, number[]>;
  stamps: Stamps;
  reported: Set<string>;
}

export const createLooks = (): Looks => ({
  times: new Map(),
  probed: new Map(),
  stamps: createStamps(),
  reported: new Set(),
});

/**
 * Brings everything to one moment: what does not fit together is asked again, the older part of it. What never agrees, or
 * is stale at the upstream, is reported; a table whose stamps go on moving ends the run.
 */
export async function settleMoment(run: Run, looks: Looks): Promise<void> {
  looks.stamps.lookAgain();
  for (let round = 1; ; round += 1) {
    const found = findDisagreements(run, looks.stamps);
    const open = found.filter((one) => one.fatal || !isFinal(one, looks));
    if (open.length === 0) return report(run, found, looks);
    const moving = open.filter(({ fatal }) => fatal);
    if (round > ROUNDS && moving.length > 0) throw neverSettles(moving);
    for (const one of open) {
      const slices = choose(one, looks);
      run.log("asking-again", { what: one.what, slices: slices.length });
      looks.stamps.note(slices);
      run.journal.reset(slices);
    }
    await collectAll(run, "answer");
  }
}

const capturedSlices = ({ journal }: Run) => journal.slices().filter(({ state }) => state === "captured");

function findDisagreements(run: Run, looks: Stamps): Disagreement[] {
  const { journal } = run;
  const slices = capturedSlices(run);
  const roster = journal.recall("roster");
  const odd = [...findOddFaces(slices), ...findStrangers(slices, Array.isArray(roster) ? roster : [])];
  const stamps = looks.compare(slices);
  // While batches are mixed, rates say nothing new: the older part has the older rates anyway.
  if (stamps.some(({ fatal }) => fatal)) return [...odd, ...stamps];
  // Nor do those of a batch that is known to be another one.
  const stale = new Set(findStale(slices).flatMap((batch) => batch.slices));
  const rated = slices.filter((stored) => !stale.has(stored));
  return [...odd, ...stamps, ...compareRates(rated, journal.answeredAt)];
}

function report(run: Run, found: readonly Disagreement[], { reported }: Looks) {
  const tell = (key: string, event: string, facts: object) => {
    if (!reported.has(key)) run.log(event, facts);
    reported.add(key);
  };
  for (const { key, what } of found) tell(key, "never-agrees", { what });
  for (const { table, batch, most, of, slices } of findStale(capturedSlices(run))) {
    const [example] = slices.map(({ slice }) => sliceKey(slice));
    tell(`${table} ${batch}`, "stale", { what: table, slices: slices.length, of, batch, most, example });
  }
}

/** Looked into often enough, or its probes came back as they were, or nothing is left to be asked. */
function isFinal({ key, older }: Disagreement, { times, probed }: Looks): boolean {
  const probes = probed.get(key);
  const unchanged = probes?.length === PROBES && probes.every((id) => older.includes(id));
  return (times.get(key) ?? 0) >= LOOKS || (unchanged ?? false) || older.length === 0;
}

/** All of the older part, but for the first look at many rates, which is a probe. */
function choose({ key, older, fatal }: Disagreement, { times, probed }: Looks): number[] {
  times.set(key, (times.get(key) ?? 0) + 1);
  if (fatal || !key.endsWith(" rates") || older.length <= PROBES || probed.has(key)) return older;
  const probes = older.slice(0, PROBES);
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
