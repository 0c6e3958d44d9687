import * as z from "zod";
import { selectionSchema } from "../../api/selection.ts";
import { MISFITS, type MisfitKind } from "../derive/misfits.ts";
import { manifestSchema } from "../published/manifest.ts";
import { closedPartTable, endpointStateTable } from "../schema/tables/closed-part.ts";
import { driftSchema } from "./drift-document.ts";
import { rowSchemaOf } from "./row-schema.ts";

const count = z.int().min(0);
const text = z.string();

const coverage = z.object({
  dataset: text,
  lang: text,
  slices: count,
  captured: count,
  empty: count,
  failed: count,
  records: count,
});

const seconds = z.int().nullable().meta({ description: "Seconds. null: there is no answer." });

/** How old the answers of an endpoint are. */
export const agesSchema = z.object({
  dataset: text,
  slices: count.meta({ description: "Slices with an answer." }),
  never_asked: count,
  closed: count.meta({ description: "Slices that are missing in a closed part." }),
  suspect: count.meta({ description: "Answers that may have changed since." }),
  p50: seconds,
  p95: seconds,
  oldest: seconds,
});

const quality = z.object({
  dataset: text,
  lang: text,
  texts: count,
  missing: count,
  same_as_english: count,
  wrong_script: count,
  placeholder: count,
});

const stale = z.object({
  dataset: text,
  rank: text.nullable(),
  days: z.int().nullable(),
  lane: text.nullable(),
  lang: text,
  slices: count,
  of: count,
  batch: text,
  most: text.nullable(),
  example: text,
});

const misfit = z.object({
  table_name: text,
  column_name: text.nullable(),
  dataset: text,
  path: text,
  kind: z.enum(Object.keys(MISFITS) as MisfitKind[]),
  count,
  example: text,
});

const counted = z.record(z.string(), count);

const crawl = z.object({
  started_at: text,
  finished_at: text.nullable(),
  upstreams: z.array(text),
  selection: selectionSchema,
  answers: count,
  failed_attempts: count,
  faults: counted.meta({ description: "Failed attempts by reason." }),
  hosts: counted.meta({ description: "Answers by host." }),
});

/** How the crawl went. Programs of other versions may say less. */
const report = z.object({
  coverage: z.array(coverage),
  ages: z.array(agesSchema),
  quality: z.array(quality),
  stale: z.array(stale),
  misfits: z.array(misfit),
  drift: z.array(driftSchema),
  closed: z.array(rowSchemaOf(closedPartTable)),
  endpoints: z.array(rowSchemaOf(endpointStateTable)),
  crawl,
  journal: manifestSchema.shape.journal,
});

/** The report as it is written. */
export type ManifestReport = z.input<typeof report>;

export const manifestDocument = z.object({
  ...manifestSchema.shape,
  game_version: text.nullable().optional(),
  licence: text.optional(),
  attribution: text.optional(),
  ...report.partial().shape,
});
