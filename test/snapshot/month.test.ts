import { expect, test } from "vitest";
import { createRandom, SEED } from "../helpers/random.ts";
import { startMonth } from "./month/nights.ts";
import type { Kind } from "./month/plan.ts";

/** Ten nights with the first one; most of them are not plain. */
const KINDS: readonly Kind[] = [
  "unchanged",
  "older clock",
  "rolled back",
  "partial",
  "two",
  "damaged",
  "newer clock",
  "subset",
];
/** The endpoints that nights differ in, and those that may fail. */
const ENDPOINTS = ["heroes", "hero", "rank", "counters", "compatibility", "relations", "equipment", "trends"];

test("ten nights are told by history, diff and manifests as they were", async () => {
  await using month = await startMonth(createRandom("ten nights"), ENDPOINTS);
  for (const kind of KINDS) {
    await month.acts[kind]();
    await month.check();
  }
  expect(month.nights().length, `SEED=${SEED}`).toBe(10);
  expect(month.judge(), `SEED=${SEED}`).toEqual([]);
});
