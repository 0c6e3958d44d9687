import type { Prover, Run } from "./crawls.ts";
import { type Mutation, toLine } from "./mutations.ts";

/** The run with as few mutations as still fail, found by halves. */
export async function narrow(prover: Prover, run: Run, error: Error): Promise<{ run: Run; error: Error }> {
  const { mutations } = run;
  if (mutations.length < 2) return { run, error };
  const middle = Math.ceil(mutations.length / 2);
  for (const half of [mutations.slice(0, middle), mutations.slice(middle)]) {
    const failed = await failureOf(prover, { ...run, mutations: half });
    if (failed) return narrow(prover, { ...run, mutations: half }, failed);
  }
  return { run, error };
}

export async function failureOf(prover: Prover, run: Run): Promise<Error | undefined> {
  try {
    await prover.prove(run);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** The command that repeats a run. */
export const toCommand = ({ nights, other, mutations }: Run): string =>
  `NIGHT=${nights} LANGUAGE=${other} MUTATIONS='${linesOf(mutations)}' vitest run test/odd-values.test.ts -t repeated`;

const linesOf = (mutations: readonly Mutation[]) => mutations.map(toLine).join(" ");
