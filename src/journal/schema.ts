import * as z from "zod";
import { LANG_CODES } from "../api/enumerations.ts";
import { selectionSchema } from "../api/selection.ts";

export const JOURNAL_APPLICATION_ID = 0x4d53_6a31; // "MSj1"
export const JOURNAL_VERSION = 1;

export const DDL = `
CREATE TABLE header (json TEXT NOT NULL) STRICT;
CREATE TABLE state (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE slice (
  slice_id INTEGER PRIMARY KEY,
  dataset TEXT NOT NULL,
  slice TEXT NOT NULL,
  json TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('answer', 'proof', 'keep', 'closed', 'left-out')),
  -- Its last fault while it has no answer (faults.ts).
  reason TEXT,
  -- 1: enough others were answered after that, so that it was not the whole upstream.
  vouched INTEGER NOT NULL DEFAULT 0 CHECK (vouched IN (0, 1)),
  -- Start of the last run that asked for it and took nothing.
  tried_at TEXT,
  UNIQUE (dataset, slice)
) STRICT;
-- The hash is over all that the row says and the slice that it says it of (check.ts).
-- The row with facts is the last page of its slice and makes it whole. The key is the slice
-- and the page in one number, so that an insert touches one page of the file and no index.
CREATE TABLE answer (
  answer_key INTEGER PRIMARY KEY,
  host TEXT NOT NULL,
  answered_at INTEGER NOT NULL,
  facts TEXT,
  sha256 BLOB NOT NULL,
  body BLOB NOT NULL
) STRICT;
CREATE TABLE attempt (
  attempt_id INTEGER PRIMARY KEY,
  slice_id INTEGER NOT NULL REFERENCES slice,
  page INTEGER NOT NULL,
  host TEXT NOT NULL,
  failed_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  said TEXT
) STRICT;
-- What was asked again because it was doubted (crawl/doubts), and how often while the same was seen.
CREATE TABLE look (
  check_name TEXT NOT NULL,
  doubt TEXT NOT NULL,
  slice_id INTEGER NOT NULL,
  seen TEXT NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (check_name, doubt, slice_id, seen)
) STRICT;
`;

/**
 * The slices that a crawl asks for: `all`; with `reuse` not those that were empty or are texts, and show no sign of change; with `budget`
 * as many as a day allows.
 */
const POLICIES = ["all", "reuse", "budget"] as const;
export type Policy = (typeof POLICIES)[number];

/** The header: what a journal is for. A crawl continues only the journal of its own selection and upstreams. */
export const headerSchema = z.strictObject({
  upstreams: z.array(z.url()),
  selection: selectionSchema,
  /** Start of the last run that asked anything. */
  started_at: z.iso.datetime(),
  /** Start of the first run on the UTC day of the last one: slices drawn by it stay drawn when the crawl is resumed on that day. */
  began_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  /** The policy of the last run. */
  policy: z.enum(POLICIES),
  /** The place of a finished journal in the order in which those of its folder were finished, from 1. */
  number: z.int().optional(),
  /** The digest of all that a finished journal holds, except for notes about its builds. */
  seal: z.string().optional(),
  /** The exit code of the build that settled its outcome: published, unchanged or refused. */
  built: z.int().optional(),
  /** Bytes that were free when a build of it began that filled the disk. */
  too_little: z.int().optional(),
});

export type Header = z.infer<typeof headerSchema>;

/** Numbers of pages in a key: `answer_key` is slice_id * PAGE_SLOTS + page. */
export const PAGE_SLOTS = 4096;

/** The most pages of a slice, which are numbered from 1: fewer than PAGE_SLOTS. The service has no list so long. */
export const MAX_PAGES = 1000;

/**
 * The purpose of a slice in the journal:
 * - `answer`: it is due, and asked for;
 * - `proof`: it is asked for only to be compared with what is localised from another language, and does not reach the archive;
 * - `keep`: it is not due, and stays as the base has it;
 * - `closed`: it is missing in a part that the base has closed, and not asked for;
 * - `left-out`: the operator has left its endpoint out.
 * All but `proof` are purposes of slices of a complete night.
 */
export type Purpose = (typeof PLANNED)[number] | "proof";

/** The purposes of slices that a complete night has. */
export const PLANNED = ["answer", "keep", "closed", "left-out"] as const;

export type SliceState = "pending" | "captured" | "failed";

/** An answer in another language, compared with what is served in its place. */
const comparison = z.object({
  dataset: z.string(),
  slice: z.string(),
  lang: z.enum(LANG_CODES),
  /** Path of the first difference after localisation; null if there is none. */
  difference: z.string().nullable(),
});

/**
 * The state that a journal keeps besides answers, from one run to the next and from the crawl to the build. The names are in the file:
 * another name is another journal version.
 */
export const STATE = {
  /** Ids of the heroes that the plan was made for. */
  roster: z.array(z.number()),
  /** The state of the rate limiter (rate-limiter.ts). */
  pace: z.object({ rate: z.number(), concurrency: z.number(), resumeAt: z.number() }),
  /** Draws the slices for the language check. */
  proof_seed: z.string(),
  /** The slices that are asked in other languages to be compared, by `sliceId`. */
  samples: z.array(z.string()),
  /** Doubts that stay, by check and `sliceId`; `seen`: the part of the answer that is doubted. */
  doubts: z.array(z.object({ check: z.string(), slice: z.string(), seen: z.string(), why: z.string() })),
  /** The result of the language check. */
  proof: z.array(comparison),
  /** True if the numbers are made up. */
  sample: z.boolean(),
  /** The snapshot that the rest is carried over from, and the sha256 of its file; null if there was none. */
  base: z.object({ version: z.string(), sha256: z.string() }).nullable(),
  /** Ids of the slices that are not due and may have changed. */
  suspect: z.array(z.string()),
  /** Facts from the upstream's OpenAPI document, if it was read: datasets of endpoints that it marks as deprecated. */
  announced: z.object({ deprecated: z.array(z.string()) }),
  /** Endpoints that the operator has left out. */
  without: z.array(z.string()),
  /** Endpoints whose words no list in hand names: they have no slices. */
  unnamed: z.array(z.string()),
  /** Page size in records, if the upstream takes no larger pages. */
  page_size: z.number(),
};

export type State = { [Name in keyof typeof STATE]: z.infer<(typeof STATE)[Name]> };
