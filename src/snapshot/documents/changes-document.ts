import * as z from "zod";
import { snapshotTable } from "../schema/tables/archive.ts";
import { driftSchema } from "./drift-document.ts";
import { rowSchemaOf } from "./row-schema.ts";

// `changes.json`, which is what `npm run diff -- --json` writes. New fields may come without a new `format`.

const count = z.int().min(0);
const text = z.string();
const rate = z.number();
const cell = z.union([z.string(), z.number(), z.null()]);
const cells = z.record(z.string(), cell);
const time = z.string().meta({ description: "ISO 8601 in UTC." });

/** Only if one of the two snapshots has answers of several nights. */
const moments = {
  changed_after: time.optional(),
  changed_before: time.optional(),
};

const named = { label: text, key: cells, ...moments };
const hero = { hero_id: z.int(), name: text };
const group = { rank: text, days: z.int() };
const RATES = ["win_rate", "appearance_rate", "ban_rate"] as const;

const spread = {
  count,
  median: rate.meta({ description: "It is subtracted from each change." }),
  deviation: rate.meta({ description: "Standard deviation of a change with the median relative error." }),
  basis: z
    .enum(["changes", "rounding", "few"])
    .meta({ description: "What the deviation comes from. few: nothing of the group is reported." }),
  ...moments,
};

const moved = {
  before: rate,
  after: rate,
  change: rate,
  apart: rate.meta({ description: "The change minus the median change of the group." }),
  score: rate.meta({ description: "`apart` in standard deviations." }),
};

const mover = z.object({
  ...hero,
  ...group,
  rate: z.enum(RATES),
  ...moved,
  also_in: z
    .array(z.object({ days: z.int(), ...moved }))
    .meta({ description: "Other windows in which the rate moved." }),
  ...moments,
});

const matchup = z.object({ ...hero, rank: text, other_hero_id: z.int(), other: text, ...moved, ...moments });

const textChange = z.object({
  table: text,
  ...named,
  column: text,
  lang: text,
  before: text,
  after: text,
  words: z
    .array(z.tuple([z.enum(["=", "-", "+"]), text]))
    .meta({ description: "The runs of the text: kept, removed or added." }),
});

const row = z.object({ ...named, row: cells });

const tableChange = z.object({
  table: text,
  kind: z.enum(["statistic", "list", "text", "row", "internal"]),
  counts: z.object({ added: count, gone: count, changed: count }),
  added: z.array(row),
  gone: z.array(row),
  changed: z.array(z.object({ ...named, columns: z.record(text, z.object({ before: cell, after: cell })) })),
});

const sliceCounts = z
  .object({ slices: count, captured: count, empty: count, failed: count, records: count })
  .nullable();

const datasetChange = z.object({
  dataset: text,
  slices: z.object({ added: count, gone: count, changed: count, same: count }),
  languages: z
    .array(z.object({ lang: text, before: sliceCounts, after: sliceCounts }))
    .meta({ description: "Languages whose counts differ." }),
});

const changes = z.object({
  days_apart: z.int().meta({ description: "Nights between the two snapshots, by the dates of the upstream." }),
  heroes: z.object({ added: z.array(z.object(hero)), gone: z.array(z.object(hero)) }),
  rates: z.object({
    movers: z.array(mover),
    spread: z.array(z.object({ ...group, rate: z.enum(RATES), ...spread })),
  }),
  matchups: z.object({
    matchups: z.array(matchup),
    spread: z.array(z.object({ rank: text, ...spread })),
  }),
  texts: z.array(textChange),
  lists: z.array(z.object({ table: text, ...named, before: z.array(text), after: z.array(text) })),
  tables: z.array(tableChange),
  shape: z.array(driftSchema),
  coverage: z.array(datasetChange),
});

const describedCount = (description: string) => count.meta({ description });
const describedTime = (description: string) => z.string().meta({ description });

const asked = z.object({
  dataset: text,
  compared: describedCount("Answers that were asked for anew between the two snapshots. Only these are compared."),
  older: describedCount("Compared answers that are older in the second snapshot than in the first."),
  carried: describedCount("Answers that both snapshots have from the same crawl. They are not compared."),
  not_asked: describedCount("Answers that one snapshot never asked for. Their data neither came nor went."),
  changed_after: describedTime("Oldest compared answer of the first snapshot: all changes are later. ISO 8601 in UTC."),
  changed_before: describedTime(
    "Newest compared answer of the second snapshot: all changes are earlier. ISO 8601 in UTC.",
  ),
});

const head = rowSchemaOf(snapshotTable);

export const changesDocument = z.object({
  format: z.int().meta({ description: "Version of this JSON. A new number breaks readers, new fields do not." }),
  before: head,
  after: head,
  filters: z.object({
    rank: z.array(text).optional(),
    days: z.array(z.int()).optional(),
    rate: z.array(text).optional(),
    hero: z.array(z.int()).optional(),
    lang: z.array(text).optional(),
    table: z.array(text).optional(),
  }),
  asked: z
    .array(asked)
    .optional()
    .meta({ description: "Only if one of the two snapshots has answers of several nights: what could be compared." }),
  news: z
    .object({ short: text, lines: z.array(text) })
    .meta({ description: "The night in words: in one line, and line by line." }),
  identical: z.boolean(),
  changes: changes.nullable().meta({ description: "null if the two are identical." }),
});

type Unchanging<T> = T extends object ? { readonly [Name in keyof T]: Unchanging<T[Name]> } : T;

/** The document as it is written. */
export type ChangesDocument = Unchanging<z.input<typeof changesDocument>>;
