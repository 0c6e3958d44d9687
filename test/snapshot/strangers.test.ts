import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyInProcess } from "../../src/snapshot/verify/verify-process.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { CRAFTED } from "../helpers/strangers/crafted.ts";
import { findProblem } from "../helpers/strangers/problem.ts";

const night = temporaryFolder();
let honest: string;
beforeAll(async () => {
  await publishDays(night.path, [0], "--ranks", "all", "--days", "7");
  honest = fileOf(night.path);
});
afterAll(() => night[Symbol.dispose]());

/** One for each check: all of them are in strangers.proof.ts. */
const FIRST = (["reader", "maker"] as const).flatMap((by) =>
  CRAFTED[by].flatMap(([first]) => (first ? [[first.name, by, first] as const] : [])),
);

test.for(FIRST)(
  "a snapshot of somebody else with %s is refused in one line by its %s",
  async ([, by, { craft, message }]) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "crafted.sqlite");
    copyFileSync(honest, file);
    craft(file);
    const problem = await findProblem(file, by, pointerOf(night.path));
    expect(problem).toMatch(message);
    expect(problem).toMatch(/^[^\p{Cc}]{1,600}$/u);
  },
);

describe("a proof", () => {
  test("of an honest night finds nothing", async () => {
    const { checks, counts, holes } = await verifyInProcess(honest, "maker");
    expect(checks.filter(({ state }) => state === "FAILED")).toEqual([]);
    expect([counts, holes.count]).toEqual([expect.objectContaining({ heroes: 3, languages: 2 }), 0]);
  });

  test.for([
    ["time", { timeoutMs: 20 }, /cannot be proved within [\d.e-]+ minutes and 256 MB \(SIGKILL\)/],
    ["memory", { maxHeapMegabytes: 6 }, /cannot be proved within 15 minutes and 6 MB \(SIG[A-Z]+\)/],
  ] as const)("is killed beyond its %s, and refuses the file in one line", async ([, limits, message]) => {
    await expect(verifyInProcess(honest, "reader", undefined, limits)).rejects.toMatchObject({
      exit: 64,
      message: expect.stringMatching(message),
    });
  });

  test("ends when nobody waits for it any more", async () => {
    const ending = new AbortController();
    const proof = verifyInProcess(honest, "reader", undefined, { signal: ending.signal });
    ending.abort();
    await expect(proof).rejects.toThrow();
  });
});
