import { expect, test } from "vitest";
import { createDraw, drawn, FULL } from "../helpers/draw.ts";
import { planNights } from "../helpers/month/plan.ts";
import { startWorld } from "../helpers/month/world.ts";

const draw = createDraw("month");
const NIGHTS = draw.many(8, 3);

test(`${NIGHTS} nights are told by history, diff, manifests and mirrors as they were (${drawn})`, {
  timeout: FULL ? 1_800_000 : 600_000,
}, async () => {
  const kinds = planNights(draw, NIGHTS);
  await using world = await startWorld(draw);
  for (const [at, kind] of kinds.entries()) {
    const begun = performance.now();
    await world.acts[kind]();
    await world.check();
    process.stdout.write(
      `night ${at + 2}, ${kind}: ${world.ledger.nights().length} published, ${((performance.now() - begun) / 1000).toFixed(1)} s\n`,
    );
  }
  const { mirror, follower } = await world.end();
  expect([...mirror.faults, ...follower.faults]).toEqual([]);
  expect(follower.versions).toBeGreaterThan(1);
});
