import type { Slice } from "../../../src/api/endpoint.ts";
import { FULL_SELECTION } from "../../../src/api/selection.ts";
import { crawl } from "../../../src/crawl/crawl.ts";
import { temporaryFolder } from "../run.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { openBodies, recordsIn } from "./paths.ts";

/** A small crawl: all endpoints, few heroes, two languages. */
export interface Small {
  journal: string;
  /** The lists that the records of other slices name heroes and votes of, in the order of the archive. */
  contexts: { slice: Slice; records: readonly unknown[] }[];
  remove: () => void;
}

const HEROES = 4;
const LISTS = ["heroes", "ratings"];

/** Lists that grow with the game and not with the roster: a few of their records show all that there is to see. */
const LONG_LISTS = /^\/api\/academy\/(equipment|emblems|ranks)\b/;
const FEW = 6;

function shorten(path: string, body: string): string {
  if (!LONG_LISTS.test(path)) return body;
  const { data, ...rest } = JSON.parse(body) as { data: { records: unknown[] } };
  const records = data.records.slice(0, FEW);
  return JSON.stringify({ ...rest, data: { records, total: records.length } });
}

export async function crawlSmall(): Promise<Small> {
  const folder = temporaryFolder();
  await using sample = await startUpstream(HEROES, undefined, shorten);
  const progress = { log() {}, begin() {}, advance() {}, end() {} };
  const selection = { ...FULL_SELECTION, languages: ["en" as const, "ja" as const] };
  const pace = { concurrency: 8, rate: 100_000, timeoutMs: 20_000, attempts: 3, fresh: true };
  const options = {
    upstreams: [sample.url],
    data: folder.path,
    selection,
    ...pace,
    lastPublished: 0,
    startedAt: new Date(0),
  };
  const journal = await crawl(options, progress, new AbortController().signal);
  const bodies = openBodies(journal);
  const listed = bodies.slices.filter(({ dataset, lang }) => LISTS.includes(dataset) && lang === "en");
  const contexts = listed.map((slice) => ({ slice, records: recordsIn(slice, bodies.bodyOf(slice)) }));
  bodies.close();
  return { journal, contexts, remove: () => folder[Symbol.dispose]() };
}
