import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test as base, describe, expect } from "vitest";
import type { Lang } from "../../src/api/enumerations.ts";
import { drawn, FULL } from "../helpers/draw.ts";
import { createProver, failureOf, narrow, type Proved, type Run, toCommand } from "../helpers/mutation/crawls.ts";
import { createDraws } from "../helpers/mutation/draws.ts";
import { parseLine } from "../helpers/mutation/mutations.ts";
import { openBodies } from "../helpers/mutation/paths.ts";
import { SEED } from "../helpers/random.ts";

const { MUTATIONS, NIGHT = "first", LANGUAGE = "ja" } = process.env;
const RUNS = FULL ? 25 : 1;

/** What all runs came to. */
const total: Proved = { crawls: 0, held: [], refused: [] };

const test = base
  .extend("prover", { scope: "file" }, async ({}, { onCleanup }) => {
    const prover = await createProver();
    onCleanup(() => prover[Symbol.asyncDispose]());
    return prover;
  })
  .extend("draw", { scope: "file" }, async ({ prover }, { onCleanup }) => {
    const journals = join(await prover.baseOf("ja"), "journals");
    const bodies = openBodies(join(journals, readdirSync(journals).find((name) => name.endsWith(".journal")) ?? ""));
    onCleanup(bodies.close);
    return createDraws(SEED, bodies);
  });

/** What `toCommand` has said about a failed run. */
const repeated = (lines: string): Run => ({
  nights: NIGHT as Run["nights"],
  other: LANGUAGE as Lang,
  mutations: lines.split(" ").map(parseLine),
});

if (MUTATIONS) {
  test("a repeated run is held", async ({ prover }) => {
    const { held, refused } = await prover.prove(repeated(MUTATIONS));
    expect([...held, ...refused]).not.toEqual([]);
  });
} else {
  describe(`an odd value never costs a night (${drawn})`, () => {
    test.for(Array.from({ length: RUNS }, (_, number) => number))(
      "run %i is served as it was sent, or refused for what is needed",
      async (number, { prover, draw }) => {
        const run = draw(number);
        const error = await failureOf(prover, run, total);
        if (!error) return;
        const least = await narrow(prover, run, error);
        throw new Error(`${least.error.message}\n${toCommand(least.run)}`, { cause: least.error });
      },
    );

    test("there were enough of them", () => {
      const reasons = Map.groupBy(total.refused, ({ reason }) => reason);
      const counts = [...reasons].map(([reason, { length }]) => `${length} ${reason}`);
      process.stdout.write(`${total.crawls} crawls, ${total.held.length} held, refused: ${counts.join(", ")}\n`);
      expect(total.crawls).toBeGreaterThanOrEqual(RUNS);
      expect(total.held.length + total.refused.length).toBeGreaterThanOrEqual(FULL ? 3 * RUNS : RUNS);
    });
  });
}
