import { afterAll, describe, expect, test } from "vitest";
import { type Kill, startHistories } from "../helpers/killed/histories.ts";
import { createRandom, SEED } from "../helpers/random.ts";

const histories = await startHistories([0, 1, 2, 3]);
const { foldWhole, goOnAfter, goOnAfresh } = histories;
afterAll(() => histories[Symbol.dispose]());

/** Before steps, and anywhere in between. */
function drawKills(name: string, steps: number, milliseconds: number): Kill[] {
  const { below } = createRandom(name);
  return Array.from({ length: 10 }, (_, at) =>
    at % 2 === 0 ? { step: below(steps) } : { delay: below(Math.ceil(milliseconds)) },
  );
}

describe.for([
  { how: "add", leaves: "leaves the nights before it, and the next run goes on to the same", goOn: goOnAfter },
  { how: "fresh", leaves: "leaves the old one as it was or the new one whole", goOn: goOnAfresh },
] as const)("a history that is killed as it folds to $how", ({ how, leaves, goOn }) => {
  test(leaves, async () => {
    const { steps, milliseconds, content } = await foldWhole(how);
    expect(steps).toContain("night");
    for (const kill of drawKills(`history ${how}`, steps.length, milliseconds))
      await goOn(kill, content).catch((cause: unknown) => {
        throw new Error(`SEED=${SEED}, killed at ${JSON.stringify(kill)}`, { cause });
      });
  });
});
