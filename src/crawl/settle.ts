import { EXIT, Failure } from "../api/failure.ts";
import type { Run } from "./capture.ts";
import { type Disagreement, findDisagreements } from "./moment.ts";

/** Rounds of asking again before a moving upstream is given up. */
const ROUNDS = 5;

/**
 * Brings everything to one moment: where a table shows two, the older part is asked again. Tables that never agree are
 * reported when they stay as they are, and end the run when they would mix two batches.
 */
export async function settleMoment(run: Run, collectAll: () => Promise<void>): Promise<void> {
  let before: Disagreement[] = [];
  for (let round = 1; ; round += 1) {
    const now = findDisagreements(run.journal);
    const settled = now.every(({ what, fatal }) => !fatal && before.some((other) => other.what === what));
    if (settled) {
      for (const { what } of now) run.log("never-agrees", { what });
      return;
    }
    if (round > ROUNDS) throw neverSettles(now);
    for (const { what, older } of now) run.log("asking-again", { what, slices: older.length });
    run.journal.reset(now.flatMap(({ older }) => older));
    await collectAll();
    before = now;
  }
}

function neverSettles(disagreements: readonly Disagreement[]): Failure {
  const [first] = disagreements;
  const more = disagreements.length > 1 ? `, and ${disagreements.length - 1} more` : "";
  return new Failure(
    EXIT.incomplete,
    `the upstream does not settle: ${first?.what}${more}; nothing was published`,
    "run the same command again when its numbers have rolled over",
  );
}
