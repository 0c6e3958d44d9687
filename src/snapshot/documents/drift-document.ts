import { existsSync } from "node:fs";
import * as z from "zod";
import { manifestOf, readDocument } from "../published/folder.ts";

/** A path whose types have changed. */
export const driftSchema = z.object({
  dataset: z.string(),
  path: z.string(),
  before: z.string(),
  now: z.string(),
  /** Values of a type that was not there before; of a field that is gone, the objects that lack it. */
  count: z.int(),
  /** A value of a type that was not there before; of a field that is gone, what it was. */
  example: z.string(),
  /** True if the field is needed: it identifies, orders or filters, or names what is asked. */
  needed: z.boolean(),
});

export type Drift = z.infer<typeof driftSchema>;

/** Reads the drift from the manifest beside a snapshot; empty if there is no manifest, or none of ours. */
export function readDrift(file: string): Drift[] {
  const beside = manifestOf(file);
  if (!existsSync(beside)) return [];
  try {
    return z.object({ drift: z.array(driftSchema) }).parse(JSON.parse(readDocument(beside))).drift;
  } catch {
    return [];
  }
}
