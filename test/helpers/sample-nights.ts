import { endpointOf } from "../../src/api/endpoints.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import type { OnRequest } from "../../src/extra/sample/service/service.ts";
import type { Slices } from "../../src/extra/sample/service/slice.ts";
import type { Trouble } from "../../src/extra/sample/troubles/troubles.ts";
import { beginDay, fileOf, pointerOf } from "./data-folder.ts";
import { crawlOptions, runCommand, startCommand, temporaryFolder } from "./run.ts";
import { queryFile } from "./sqlite.ts";
import { signalledAt } from "./stopped.ts";

/** The sample makes the newest numbers of a day in the three hours after it. */
const midnightOf = (day: number) => Date.UTC(2026, 6, 25 + day);

/** The clock of a night, for `SOURCE_DATE_EPOCH`. */
export const clockOf = (day: number) => String(midnightOf(day) / 1000 + 4 * 3600);

export const dateOf = (day: number) => new Date(midnightOf(day)).toISOString().slice(0, 10);

/** The slices of some datasets. */
export const ofDatasets = (...datasets: readonly string[]): Slices => ({
  endpoint: datasets.map((dataset) => endpointOf(dataset).path),
});

const LITTLE = ["--languages", "en,ja,km,de,th", "--ranks", "all,epic,glory", "--days", "1,7", "--attempts", "3"];

/** Nights over a sample of a few heroes, in which goes wrong what a test says. Each crawl has these words. */
export async function startSampleNights(
  endpoints: string,
  { heroes = 8, words = LITTLE }: { heroes?: number; words?: readonly string[] } = {},
) {
  const folder = temporaryFolder();
  let onRequest: OnRequest = () => {};
  const sample = await startSample({ heroes, onRequest: (...asked) => onRequest(...asked) });
  const latest = () => fileOf(folder.path, pointerOf(folder.path).version);
  const select = ["--endpoints", endpoints, "--allow-partial", "--json", ...words];

  /** `clock`: the day that the crawl takes it for. */
  function begin(day: number, more: readonly string[], clock = day) {
    sample.set({ day });
    beginDay(folder.path, clockOf(clock));
    const options = [...crawlOptions(sample.url, folder.path), ...select, ...more];
    return ["crawl", options, { SOURCE_DATE_EPOCH: clockOf(clock) } as Record<string, string>] as const;
  }

  return {
    sample,
    data: folder.path,
    latest,
    trouble(...troubles: Trouble[]) {
      sample.set({ troubles });
    },
    /** Called with each request, until it is set anew. */
    onRequest(called: OnRequest) {
      onRequest = called;
    },
    /** `parts`: those that its lines call closed, with the fault. */
    async crawl(day: number, more: readonly string[] = [], clock?: number) {
      const ended = await runCommand(...begin(day, more, clock));
      const parts = ended.events.filter(({ event }) => event === "closed").map(({ part }) => String(part));
      return { ...ended, parts };
    },
    /** The same as a process. */
    start: (day: number, more: readonly string[] = []) => startCommand(...begin(day, more)),
    /** The same, killed with a request of the night, by its number, or as it logs an event. */
    async kill(day: number, at: number | string, more: readonly string[] = [], clock?: number) {
      const [name, options, env] = begin(day, more, clock);
      const { child, ended } = startCommand(name, options, { ...env, ...(typeof at === "string" && signalledAt(at)) });
      onRequest = (ofNight) => ofNight === at && child.kill("SIGKILL");
      const { signal } = await ended;
      onRequest = () => {};
      return signal;
    },
    /** Number of slices by what became of them: `captured`, `captured refused` for one that was carried over, `failed empty`. */
    slices: () =>
      Object.fromEntries(
        queryFile<{ what: string; slices: number }>(
          latest(),
          "SELECT concat_ws(' ', status, reason) AS what, count(*) AS slices FROM coverage GROUP BY what ORDER BY what",
        ).map(({ what, slices }) => [what, slices]),
      ),
    async [Symbol.asyncDispose]() {
      await sample.close();
      folder[Symbol.dispose]();
    },
  };
}

export type SampleNights = Awaited<ReturnType<typeof startSampleNights>>;
