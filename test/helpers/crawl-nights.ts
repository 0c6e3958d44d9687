import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { snapshotFile } from "../../src/snapshot/published/folder.ts";
import { readNights } from "../../src/snapshot/published/sequence.ts";
import { crawlOptions, runCommand } from "./run.ts";
import { changeAll, raise, retire, reword } from "./upstream/changes.ts";
import { startUpstream } from "./upstream/upstream.ts";

export const LANGUAGES = ["en", "ar", "de", "ja"];
/** Endpoints that only fill tables which others fill too, or none. */
const NOT_NEEDED = /^(?:compatibility|catalog|rank-of|academy-(?:heroes|stats|counters|trends)|win-rate-calculator)$/;
const NEEDED = ENDPOINTS.map(({ dataset }) => dataset).filter((dataset) => !NOT_NEEDED.test(dataset));
const SELECTION = [
  ...["--ranks", "all,glory", "--days", "1,7", "--languages", LANGUAGES.join()],
  ...["--endpoints", NEEDED.join(), "--allow-partial"],
];
const START = Date.UTC(2026, 7, 1, 3) / 1000;

/** The new word of hero 1's story on the third day, in three languages. */
export const REWORDED: Record<string, string> = { en: "changed", de: "geändert", ja: "変更" };

/** The hero that wins more on the third day: eight of a hundred, of a week a seventh of that. */
export const RAISED = { id: 5, name: "Nana", by: 0.08 };

/**
 * Three days of the embedded upstream: on the second a hero appears, on the third a text is changed in three languages,
 * an item is retired and a hero wins more. Tests have one folder of them: `world.nights`.
 */
export async function crawlNights(data: string) {
  let day = 0;
  const changes = changeAll(reword(REWORDED), retire, raise(RAISED.id, RAISED.by));
  const rewrite = (path: string, body: string) => (day === 2 ? changes(path, body) : body);
  await using upstream = await startUpstream(10, undefined, rewrite);
  for (const heroes of [10, 11, 11]) {
    upstream.sample.set({ day, heroes });
    const options = [...crawlOptions(upstream.url, data), ...SELECTION];
    const { code, stderr } = await runCommand("crawl", options, { SOURCE_DATE_EPOCH: String(START + day * 86_400) });
    if (code !== 0) throw new Error(`the crawl of day ${day} ended with ${code}: ${stderr}`);
    day += 1;
  }
}

/** The nights of a folder, the oldest first. */
export function nightsIn(data: string) {
  const versions = readNights(data).nights.map(({ version }) => version);
  const files = versions.map((version) => snapshotFile(data, version));
  return { data, versions, files };
}

export type Nights = ReturnType<typeof nightsIn>;
