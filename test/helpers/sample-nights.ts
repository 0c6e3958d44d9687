import { endpointOf } from "../../src/api/endpoints.ts";
import { startSample } from "../../src/sample/service/server.ts";
import type { Slices } from "../../src/sample/service/slice.ts";
import type { Form } from "../../src/sample/troubles/forms.ts";
import type { Trouble } from "../../src/sample/troubles/troubles.ts";
import { beginDay, fileOf, pointerOf } from "./data-folder.ts";
import { crawlOptions, runCommand, temporaryFolder } from "./run.ts";
import { queryFile } from "./sqlite.ts";

const DAY_MS = 86_400_000;

/** The sample makes the newest numbers of a day in the three hours after it. */
const midnightOf = (day: number) => Date.UTC(2026, 6, 25 + day);

/** The clock of a night, for `SOURCE_DATE_EPOCH`. */
export const clockOf = (day: number) => String(midnightOf(day) / 1000 + 4 * 3600);

export const dateOf = (day: number) => new Date(midnightOf(day)).toISOString().slice(0, 10);

export const dayOf = (time: string) => Math.floor((Date.parse(time) - midnightOf(0)) / DAY_MS);

/** The slices of some datasets. */
export const ofDatasets = (...datasets: readonly string[]): Slices => ({
  endpoint: datasets.map((dataset) => endpointOf(dataset).path),
});

const LITTLE = ["--languages", "en,ja,km", "--ranks", "all,glory", "--days", "1,7", "--attempts", "3"];

/** Nights over a sample of eight heroes that refuses what a test says. */
export async function startSampleNights(endpoints: string) {
  const folder = temporaryFolder();
  const sample = await startSample({ heroes: 8 });
  const latest = () => fileOf(folder.path, pointerOf(folder.path).version);
  return {
    sample,
    data: folder.path,
    latest,
    refuse(of: Slices, form: Form, limits: Omit<Trouble, "of" | "form"> = {}) {
      sample.set({ troubles: [{ of, form, ...limits }] });
    },
    open() {
      sample.set({ troubles: [] });
    },
    async crawl(day: number, more: readonly string[] = []) {
      sample.set({ day });
      beginDay(folder.path, clockOf(day));
      const few = [...LITTLE, "--endpoints", endpoints, "--allow-partial", "--json"];
      const options = [...crawlOptions(sample.url, folder.path), ...few, ...more];
      const ended = await runCommand("crawl", options, { SOURCE_DATE_EPOCH: clockOf(day) });
      const groups = ended.events.filter(({ event }) => event === "refused").map(({ group }) => String(group));
      return { ...ended, groups };
    },
    /** Number of slices without an answer, by reason. */
    holes: () =>
      queryFile<{ reason: string; slices: number }>(
        latest(),
        "SELECT reason, count(*) AS slices FROM coverage WHERE status = 'failed' GROUP BY reason ORDER BY reason",
      ),
    async [Symbol.asyncDispose]() {
      await sample.close();
      folder[Symbol.dispose]();
    },
  };
}
