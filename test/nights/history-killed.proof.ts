import { afterAll, describe, expect, test } from "vitest";
import { startHistories } from "../helpers/killed/histories.ts";
import { createRandom, SEED } from "../helpers/random.ts";

const histories = await startHistories([0, 1, 2, 3]);
const { foldWhole, goOnAfter, goOnAfresh } = histories;
afterAll(() => histories[Symbol.dispose]());

describe.for([
  { how: "add", leaves: "leaves the nights before it, and the next run goes on to the same", goOn: goOnAfter },
  { how: "fresh", leaves: "leaves the old one as it was or the new one whole", goOn: goOnAfresh },
] as const)("a history that is killed as it folds to $how", ({ how, leaves, goOn }) => {
  test(leaves, async () => {
    const { steps, content } = await foldWhole(how);
    expect(steps).toContain("prepare");
    const { below } = createRandom(`history ${how}`);
    for (const step of Array.from({ length: 10 }, () => below(steps.length)))
      await goOn(step, content).catch((cause: unknown) => {
        throw new Error(`SEED=${SEED}, killed before step ${step}`, { cause });
      });
  });
});
