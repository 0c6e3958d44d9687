/** Stories of crawls through all that can go wrong. */
import { expect, test } from "vitest";
import { AT_COUNTERS, AT_EMBLEMS, AT_RANK, AT_STATS } from "../helpers/misbehaviours/row.ts";
import { crawlOverMidnight, crawlThroughAll, crawlThroughKills, startRough } from "../helpers/misbehaviours/stories.ts";
import { MISBEHAVIOURS, type MisbehaviourName } from "../helpers/misbehaviours/table.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";

/** Those that any answer may meet and that heal when it is asked for again, or are borne. */
const HEALING = (Object.keys(MISBEHAVIOURS) as MisbehaviourName[]).filter((name) => {
  const { at, reasons, same, args, slow } = MISBEHAVIOURS[name];
  const isOfOne = !slow && !args && [AT_STATS, AT_RANK, AT_COUNTERS, AT_EMBLEMS].includes(at);
  // An answer that nobody asked for may be taken for that of a slice that is often empty. Pages repeat if all of them do.
  return isOfOne && (reasons.length > 0 || same) && !/^made-up|^second-answer|^pages-/.test(name);
});

test("a crawl through every misbehaviour that heals, at a third of all requests, gives the same bytes as one without", () =>
  // Enough requests for each to come several times; all languages, because it is their lists that can repeat a record.
  crawlThroughAll(16, HEALING, 0.33, []));

test("a crawl that is killed again and again at random moments still gives the same bytes", () =>
  crawlThroughKills(10, 12, 2000, []));

test("a day that rolls over in the middle of a crawl leaves no table with two batches", () =>
  crawlOverMidnight(5, 450, 66, []));

/** The most arrivals, given in order, that lie within less than a second of each other. */
const busiestSecond = (arrivals: readonly number[]) =>
  Math.max(...arrivals.map((first, at) => arrivals.slice(at).findIndex((time) => time - first >= 1000)));

test("the ceiling holds for rate and concurrency as the upstream sees them, in calm and while recovering", async () => {
  using folder = temporaryFolder();
  await using upstream = await startRough(1, {
    rules: [
      { name: "rate-limited-for-a-second", times: 3 },
      { name: "blocked", times: 5, match: "/stats" },
      { name: "limited", times: 3, match: "/trends" },
    ],
  });
  const endpoints = "heroes,rank,hero,stats,trends,counters,compatibility,skill-combos";
  const part = ["--endpoints", endpoints, "--languages", "en,ja", "--allow-partial"];
  const words = ["--upstream", upstream.url, "--data", folder.path, "--rate", "60", "--concurrency", "3", ...part];
  expect((await runCommand("crawl", words)).code).toBe(0);
  expect(upstream.log.length).toBeGreaterThan(130);
  expect(Math.max(...upstream.log.map(({ inFlight }) => inFlight))).toBeLessThanOrEqual(3);
  expect(busiestSecond([...upstream.log.map(({ at }) => at), Number.POSITIVE_INFINITY])).toBeLessThanOrEqual(60);
});
