import { describe, expect, test } from "vitest";
import { becomesKnown } from "../../src/network/unreachable.ts";

describe("a name that nobody knew", () => {
  const { signal } = new AbortController();

  test("is looked up again, and is known", async () => {
    expect(await becomesKnown("localhost", 60_000, signal)).toBe(true);
  });

  test("is given up after its time", async () => {
    const begin = performance.now();
    expect(await becomesKnown("nobody.invalid", 3000, signal)).toBe(false);
    expect(performance.now() - begin).toBeGreaterThan(3000);
  });

  test("is not waited for by whoever is told to stop", async () => {
    const stop = AbortSignal.timeout(10);
    await expect(becomesKnown("nobody.invalid", 60_000, stop)).rejects.toThrow(/aborted/);
  });
});
