import * as z from "zod";
import { selectionSchema } from "../api/selection.ts";

export const JOURNAL_APPLICATION_ID = 0x4d534a4c; // "MSJL"
export const JOURNAL_VERSION = 1;

export const DDL = `
CREATE TABLE header (json TEXT NOT NULL) STRICT;
CREATE TABLE state (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE slice (
  slice_id INTEGER PRIMARY KEY,
  dataset TEXT NOT NULL,
  slice TEXT NOT NULL,
  json TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('answer', 'proof')),
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'captured', 'failed')),
  reason TEXT,
  facts TEXT,
  UNIQUE (dataset, slice)
) STRICT;
CREATE TABLE answer (
  slice_id INTEGER NOT NULL REFERENCES slice,
  page INTEGER NOT NULL,
  host TEXT NOT NULL,
  answered_at INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (slice_id, page)
) STRICT;
CREATE TABLE attempt (
  attempt_id INTEGER PRIMARY KEY,
  slice_id INTEGER NOT NULL REFERENCES slice,
  page INTEGER NOT NULL,
  host TEXT NOT NULL,
  failed_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
`;

/** What a journal is for. A crawl continues only the journal of its own plan and upstreams. */
export const headerSchema = z.strictObject({
  upstreams: z.array(z.url()),
  selection: selectionSchema,
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
});

export type Header = z.infer<typeof headerSchema>;

/**
 * What a slice was asked for: to answer from, or to compare it with what is localised from another language. Only the
 * former reach the archive.
 */
export type Purpose = "answer" | "proof";

export type SliceState = "pending" | "captured" | "failed";
