import { endpointOf } from "../../api/endpoints.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import { parsePage } from "../validate/validate.ts";

/** The records of a slice that was captured, over all its pages. */
export const heldRecords = (journal: Journal, { id, slice }: StoredSlice): unknown[] =>
  journal.pages(id).flatMap((body) => parsePage(endpointOf(slice.dataset), body).records);
