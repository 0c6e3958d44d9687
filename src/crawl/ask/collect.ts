import type { Slice } from "../../api/endpoint.ts";
import { isUnanswered, type StoredSlice } from "../../journal/journal.ts";
import type { Purpose } from "../../journal/schema.ts";
import { BudgetSpent } from "../budget.ts";
import { askWitness } from "../missing/witness.ts";
import type { Run } from "../run.ts";
import { endIfDead } from "../stop.ts";
import { type Attempts, captureSlice, firstAttempts } from "./capture.ts";
import { createQueue } from "./queue.ts";

/** How slices are asked for. */
export interface Pass extends Attempts {
  purpose: Purpose;
  /** Called for each slice that was asked. */
  asked?: (id: number, isAnswered: boolean) => void;
}

/** With a budget: the part of a day's requests that probes may take. Doubts and the closing round may each take as much. */
export const SHARE_OF_A_DAY = 0.1;

/** Asks for everything in the plan that has no answer yet; what cannot be had stays missing. */
export async function collect(run: Run, purpose: Purpose): Promise<void> {
  const attempts = firstAttempts(run);
  const open = run.journal
    .slices(purpose)
    .filter((stored) => isUnanswered(stored) && run.tally.triesOf(stored.id) < attempts);
  await askSlices(run, open, { purpose, attempts });
}

/** Asks for slices that may be in the plan already. */
export async function ask(run: Run, slices: readonly Slice[]): Promise<void> {
  if (slices.length === 0) return;
  run.journal.addSlices(slices, "answer");
  await collect(run, "answer");
}

/** Rejects with a Failure if nobody answers any more. */
export async function askSlices(run: Run, slices: readonly StoredSlice[], pass: Pass): Promise<void> {
  const { journal, progress, options, tally, budget, stop } = run;
  const { purpose, isClosing = false, asked } = pass;
  const keepLeft = budget && isClosing ? budget.left() - Math.ceil(budget.limit * SHARE_OF_A_DAY) : 0;
  if (purpose === "answer") tally.expect(journal.slices(purpose).map(({ slice }) => slice));
  const isOpen = ({ slice }: StoredSlice) => isClosing || purpose === "proof" || !tally.isClosed(slice);
  if (!slices.some(isOpen)) return;
  run.factsMemory.set(journal.factsChars());
  progress.begin(journal.slices(purpose).length, journal.slices(purpose).length - slices.length, purpose);
  const isWatched = !isClosing && purpose !== "proof";
  const queue = createQueue(
    slices,
    isWatched ? tally : { ...tally, isClosed: () => false, isAlmostClosed: () => false },
  );
  const failures: unknown[] = [];
  let isOver = false;
  // Once it is over it stays so: a late answer, or midnight, must not let one worker go on alone with all that is left.
  const mayAsk = () => {
    isOver ||=
      failures.length > 0 ||
      stop.aborted ||
      tally.dead() !== undefined ||
      (budget !== undefined && budget.left() <= keepLeft);
    return !isOver;
  };
  // A promise for each slice would take more memory than everything else of a crawl.
  const askInTurn = async () => {
    try {
      while (mayAsk()) {
        const taken = await queue.take();
        if (!taken) return;
        let isAnswered = false;
        try {
          if (!mayAsk()) return;
          if (taken === "witness") await askWitness(run);
          else {
            isAnswered = await captureSlice(taken, run, pass);
            asked?.(taken.id, isAnswered);
            progress.advance(!isAnswered);
          }
        } finally {
          queue.done(taken, isAnswered);
        }
      }
    } catch (error) {
      // If the budget of a day ends meanwhile, what is missing is no failure.
      if (!(error instanceof BudgetSpent)) failures.push(error);
    }
  };
  // Requests that are in flight at a stop or a failure end by themselves, and their answers are kept.
  await Promise.all(Array.from({ length: options.concurrency }, askInTurn));
  progress.end();
  stop.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  endIfDead(run);
}
