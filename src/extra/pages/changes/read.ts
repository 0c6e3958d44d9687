import * as z from "zod";
import type { PublishedFile, PublishedFiles } from "../../../snapshot/read/shown.ts";

/** The bound of rows that are read of each list. */
const MOST_READ = 20_000;

/** The entries that are as they should be: a file may have been written by another program. */
const entries = <T>(entry: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((list) => list.slice(0, MOST_READ).flatMap((element) => entry.safeParse(element).data ?? []));

const text = z.string();
const number = z.number();
const cell = z.union([text, number, z.null()]);
const hero = z.object({ hero_id: z.int(), name: text });
const named = z.object({ label: text, key: z.record(text, cell).catch({}) });
const counts = z.object({ added: number, gone: number, changed: number });

const moved = { before: number, after: number, change: number, apart: number, score: number };

const mover = z.object({
  ...hero.shape,
  ...moved,
  rank: text,
  days: number,
  rate: z.enum(["win_rate", "appearance_rate", "ban_rate"]),
  also_in: entries(z.object({ ...moved, days: number })),
});

const matchup = z.object({ ...hero.shape, ...moved, other_hero_id: z.int(), other: text, rank: text });

const runs = z.array(z.tuple([z.enum(["=", "-", "+"]), text]));

/** The words of a text, parsed only when they are shown: some nights have a hundred thousand. */
export const parseRuns = (words: unknown): z.infer<typeof runs> => runs.safeParse(words).data ?? [];

const changedText = z.object({ label: text, column: text, lang: text, words: z.unknown() });

const list = z.object({ ...named.shape, table: text, before: z.array(text), after: z.array(text) });

/** The changed rows of a table; they are parsed only when they are shown. */
const unread = z.array(z.unknown()).catch([]);

const changedRow = z.object({ ...named.shape, columns: z.record(text, z.object({ before: cell, after: cell })) });

const table = z.object({
  table: text,
  kind: text,
  counts,
  added: entries(named),
  gone: entries(named),
  changed: unread,
});

const languageCounts = z.object({ slices: number, records: number, failed: number }).nullable().catch(null);

const dataset = z.object({
  dataset: text,
  slices: z.object({ ...counts.shape, same: number }),
  languages: entries(z.object({ lang: text, before: languageCounts, after: languageCounts })),
});

const asked = z.object({
  dataset: text,
  compared: number,
  older: number,
  carried: number,
  not_asked: number,
  changed_after: text,
  changed_before: text,
});

const head = z.object({ version: text, started_at: text, game_version: text.nullable().catch(null) });

const diff = z.object({
  before: head,
  after: head,
  identical: z.boolean(),
  asked: entries(asked).optional(),
  changes: z
    .object({
      days_apart: number,
      heroes: z.object({ added: entries(hero), gone: entries(hero) }),
      rates: z.object({ movers: entries(mover) }),
      matchups: z.object({ matchups: entries(matchup) }),
      texts: entries(changedText),
      lists: entries(list),
      tables: entries(table),
      coverage: entries(dataset),
    })
    .nullable(),
});

/** The output of `npm run diff -- --json`, as far as it is shown. */
export type NightDiff = z.infer<typeof diff>;
export type NightChanges = NonNullable<NightDiff["changes"]>;
export type Mover = z.infer<typeof mover>;
export type ChangedText = z.infer<typeof changedText>;

export const parseChangedRow = (row: unknown) => changedRow.safeParse(row).data;

/** The one that a mirror has read last: megabytes, which many addresses show. */
const lastOf = new WeakMap<PublishedFiles, { sha256: string; diff: NightDiff | undefined }>();

/** Reads what changed in a night; undefined if its file is too large for a page, not the one of its manifest, or not of this program. */
export function readDiff(others: PublishedFiles, { version, changes }: PublishedFile): NightDiff | undefined {
  if (!changes) return undefined;
  const { sha256 } = changes;
  const last = lastOf.get(others);
  if (last?.sha256 === sha256) return last.diff;
  const json = others.readChanges(version);
  // It may be here the next time.
  if (json === undefined) return undefined;
  const diff = parseDiff(json);
  lastOf.set(others, { sha256, diff });
  return diff;
}

function parseDiff(json: string): NightDiff | undefined {
  try {
    return diff.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
