import { join } from "node:path";
import type { Selection } from "../../../src/api/selection.ts";
import type { Forecast } from "../../../src/crawl/refresh/forecast.ts";
import { beginDay } from "../data-folder.ts";
import type { Draw } from "../draw.ts";
import { type Ended, runCommand, startCommand, temporaryFolder } from "../run.ts";
import { createAges } from "./ages.ts";
import { createBooks } from "./books.ts";
import type { Game } from "./game.ts";
import type { Event } from "./plan.ts";
import { judgeServed } from "./serve.ts";
import { startDays } from "./upstream.ts";

const START = Date.UTC(2026, 7, 1, 3) / 1000;
const HOUR = 3600;
const FAULT_SHARE = 0.02;

export interface Selected {
  selection: Selection;
  words: readonly string[];
}

/** A data folder in which one night after another crawls within a budget. */
export async function startNights(
  draw: Draw,
  first: Game,
  { selection, words }: Selected,
  budgetOf: (full: number) => number,
) {
  const folder = temporaryFolder();
  const [data, apart] = ["data", "apart"].map((name) => join(folder.path, name)) as [string, string];
  const days = await startDays(first, draw.below(2 ** 31), FAULT_SHARE);
  let game = first;
  const at = (hour = 0) => START + game.day * 24 * HOUR + hour * HOUR;
  const today = () => new Date(at() * 1000).toISOString().slice(0, 10);
  const env = (hour: number) => {
    beginDay(data, at(hour));
    return { SOURCE_DATE_EPOCH: String(at(hour)) };
  };
  const options = (into: string, more: readonly string[]) => {
    const pace = ["--rate", "5000", "--concurrency", "8"];
    return ["--upstream", days.url, "--data", into, "--json", ...pace, ...words, ...more];
  };
  const crawl = (hour: number, more: readonly string[], into = data) =>
    runCommand("crawl", options(into, more), env(hour));

  days.begin(today(), game);
  const plan = async (more: readonly string[]) =>
    JSON.parse(succeed(await crawl(0, ["--plan", ...more], apart)).stdout);
  const { requests: full } = (await plan([])) as { requests: number };
  const budget = budgetOf(full);
  const limited = ["--budget", String(budget)];
  const { forecast } = (await plan(limited)) as { forecast: Forecast };
  const books = createBooks(days, selection);
  const ages = createAges(books, days, forecast);

  /** Killed at one of the day's requests, or where it builds or verifies what it has asked; when that was. */
  async function crawlAndKill(): Promise<string> {
    const { child, ended } = startCommand("crawl", options(data, limited), env(0));
    const kill = () => void child.kill("SIGKILL");
    const moment =
      draw.below(4) === 0 ? draw.pick(["building", "verifying"]) : 1 + draw.below(Math.floor(budget * 0.8));
    if (typeof moment === "number") days.watch((count) => count === moment && kill());
    else child.stdout?.on("data", (lines) => String(lines).includes(`"${moment}"`) && kill());
    const { signal, stderr } = await ended;
    days.watch(() => {});
    if (signal !== "SIGKILL") throw new Error(`was to be killed at ${moment}: ${stderr}`);
    return String(moment);
  }

  /** What was wrong with a night and with what it published. */
  async function crawlNight(): Promise<string[]> {
    const { code, stderr, events } = await crawl(1, limited);
    const file = events.find(({ event }) => event === "published")?.file;
    if (code !== 0) return [`ended with ${code}: ${stderr}`];
    return [
      ...(await books.judge(String(file), game.heroes)),
      ...(await ages.judge(today())),
      ...(await judgeServed(draw, String(file), books, days, selection.languages)),
    ];
  }

  return {
    data,
    apart,
    full,
    budget,
    forecast,
    ages,
    /** One day: what was asked, and what was wrong with it. */
    async pass(event: Event | undefined) {
      const { day, heroes, patch } = game;
      game = { day: day + 1, heroes: heroes + Number(event === "hero"), patch: patch + Number(event === "patch") };
      days.begin(today(), game);
      if (event === "patch") ages.notePatch(today());
      const isKilled = event === "killed" || event === "abandoned";
      const killed = isKilled ? await crawlAndKill() : "";
      const faults = event === "off" || event === "abandoned" ? [] : await crawlNight();
      // What is left is taken, and never more.
      if (event === "twice") await crawl(2, limited);
      const asked = days.counts.get(today()) ?? 0;
      if (asked > budget) faults.push(`${asked} requests on one day`);
      const holes = [...books.rows().values()].filter(({ asked_at }) => asked_at === null).length;
      const suspects = [...books.rows().values()].filter(({ suspect }) => suspect === 1).length;
      return { day: today(), asked, killed, holes, suspects, faults };
    },
    /** All of it, without a budget; the file. */
    async crawlAll(into: string): Promise<string> {
      const { events } = succeed(await crawl(3, ["--fresh"], into));
      return String(events.find(({ event }) => event === "published")?.file);
    },
    async [Symbol.asyncDispose]() {
      await days[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function succeed(ended: Ended): Ended {
  if (ended.code !== 0) throw new Error(`ended with ${ended.code}: ${ended.stderr}`);
  return ended;
}
