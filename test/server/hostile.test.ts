/**
 * What clients may do to the server, as a process of its own, on real sockets. A part of it is drawn by a seed, which is
 * shown; `FULL=all` tries everything, `SEED=…` the same again, `-t floods` (or any word of a name) one kind alone. Throughout
 * /health is asked, memory and open files are looked at, and every answer is read to its last byte (hostile/contract.ts).
 */
import { afterAll, describe, expect, test } from "vitest";
import { createDraw, drawn, FULL } from "../helpers/draw.ts";
import { type Attack, isSlowOnly, run } from "../helpers/hostile/attack.ts";
import { CODINGS_ASKED } from "../helpers/hostile/codings.ts";
import { FLOODS } from "../helpers/hostile/floods.ts";
import { FRAMING } from "../helpers/hostile/framing.ts";
import { HEADERS_SENT } from "../helpers/hostile/headers.ts";
import { LINES_SENT } from "../helpers/hostile/lines.ts";
import { KILLER, LOGINS } from "../helpers/hostile/logins.ts";
import { MUTANTS } from "../helpers/hostile/mutants.ts";
import { PATHS } from "../helpers/hostile/paths.ts";
import { PIPELINES } from "../helpers/hostile/pipelines.ts";
import { RANGES_ASKED } from "../helpers/hostile/ranges.ts";
import { SECRET, SECRETS } from "../helpers/hostile/secrets.ts";
import { SLOW, STANDING } from "../helpers/hostile/slow.ts";
import { type Level, startTarget, type Target } from "../helpers/hostile/target.ts";
import { VALUES } from "../helpers/hostile/values.ts";

const ATTACKS: readonly Attack[] = [
  ...PIPELINES,
  KILLER,
  ...FLOODS,
  ...CODINGS_ASKED,
  ...FRAMING,
  ...LINES_SENT,
  ...HEADERS_SENT,
  ...VALUES,
  ...PATHS,
  ...SLOW,
  ...(FULL ? [STANDING] : []),
  ...RANGES_ASKED,
  ...MUTANTS,
  ...SECRETS,
  ...LOGINS,
];
/** What a server may write at its liveliest. */
const LINE = /^\{"time":"[^"]+","level":"(info|debug)"/;
const LONGEST = 600_000;

const tried = createDraw("attacks").some(ATTACKS, 4);
const total = { attacks: 0, cases: 0, requests: 0 };
const targets = new Map<Level, Target>();
/** Lines that servers wrote and must not have. */
const told: string[] = [];

/** One server for all, so that what one attack leaves behind meets the next; another only when it is dead. */
async function living(level: Level): Promise<Target> {
  if (targets.get(level)?.ended()) await stop(level);
  const target = targets.get(level) ?? (await startTarget(level));
  targets.set(level, target);
  return target;
}

async function stop(level: Level) {
  const target = targets.get(level);
  targets.delete(level);
  const ended = await target?.stop();
  const lines = ended?.stderr.split("\n") ?? [];
  told.push(...lines.filter((line) => line.includes(SECRET)));
  return { code: ended?.code, odd: lines.filter((line) => line !== "" && !LINE.test(line)) };
}

async function attackOnce(attack: Attack, target: Target) {
  const { figures, faults } = await run(attack, target);
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  return { figures, faults };
}

describe(`a hostile client (${drawn})`, () => {
  test.for(tried)("$name", { timeout: LONGEST }, async (attack) => {
    const { level = "info" } = attack;
    const first = await attackOnce(attack, await living(level));
    total.attacks += 1;
    total.cases += first.figures.cases;
    total.requests += first.figures.requests;
    let last = first;
    for (let again = 0; again < 2 && isSlowOnly(last.faults, last.figures.seconds); again += 1) {
      await stop(level);
      last = await attackOnce(attack, await living(level));
    }
    expect(last.faults, `${drawn}, ${first.figures.cases} cases`).toEqual([]);
  });

  test.for<Level>(["info", "debug"])("leaves a server that ends in order and tells no secret, at %s", async (level) => {
    const target = await living(level);
    const metrics = await (await fetch(`${target.facts.url}/metrics`)).text();
    expect(metrics).not.toContain(SECRET);
    const { code, odd } = await stop(level);
    expect([code, odd.slice(0, 5)]).toEqual([0, []]);
    expect(told.slice(0, 5)).toEqual([]);
  });

  test("has tried all of them where everything is tried", () => {
    const isWhole = FULL && total.attacks === ATTACKS.length;
    process.stdout.write(`${JSON.stringify({ hostile: isWhole ? "whole" : "drawn", ...total })}\n`);
    if (isWhole) expect(total.cases).toBeGreaterThan(10_000);
  });
});

afterAll(async () => {
  await stop("info");
  await stop("debug");
});
