import { listJournals } from "../../journal/listing.ts";
import { readPointer } from "./pointer.ts";
import { readPublished } from "./sequence.ts";

/**
 * Reads the newest time in a data folder: of its latest snapshot, of the last publication, and of journals from which nothing was
 * published, without an unfinished one if that is `fresh`. Earlier publications and withdrawn ones do not count: they may be of a clock
 * that was wrong and is right again. Undefined in an empty folder.
 */
export function readNewestTime(data: string, fresh: boolean): string | undefined {
  const { published } = readPublished(data);
  const built = new Set(published.map(({ started_at }) => started_at));
  const last = published.findLast(({ withdrawn }) => !withdrawn);
  const journals = listJournals(data)
    .runs.map(({ header }) => header)
    .filter(({ started_at, finished_at }) => !built.has(started_at) && !(fresh && finished_at === null));
  return [readPointer(data), last, ...journals]
    .flatMap((run) => (run && !Number.isNaN(Date.parse(run.started_at)) ? [run.started_at] : []))
    .sort()
    .at(-1);
}

/** Tells whether a time is later than the clock here. */
export const isAhead = (time: string): boolean => Date.parse(time) > Date.now();

/** Says in one line if the latest snapshot began in the future of the clock here; for commands that can ask nobody. */
export function describeAhead(data: string): string[] {
  const { started_at, version } = readPointer(data) ?? {};
  if (started_at === undefined || !isAhead(started_at)) return [];
  const now = new Date().toISOString();
  return [
    `${data}: the latest snapshot, ${version}, began at ${started_at}, and the clock here says ${now}: set the clock; if it is right, the next crawl puts the folder right`,
  ];
}
