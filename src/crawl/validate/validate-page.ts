import type { Page } from "../../api/body/envelope.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { type Facts, factsOf } from "../../api/facts.ts";
import type { Journal, StoredSlice } from "../../journal/journal.ts";
import { heldRecords } from "../consistency/stored-records.ts";
import type { Pages, Step } from "../pages.ts";
import type { Run } from "../run.ts";
import { MAX_FACTS_CHARS } from "../upstream/limits.ts";
import type { HttpResponse } from "../upstream/upstream.ts";
import { judge, type Objection, refuse } from "./validate.ts";

/** A page that may be taken. Its records are not in it: many slices wait for an answer or for the disk at one time. */
export interface Judged extends Step {
  odd: string | undefined;
  /** Of the slice, with the page that makes it whole. */
  facts: Facts | undefined;
  /** Characters of them. */
  remembered: number;
}

/** What to think of an answer as the next page of a slice. */
export function judgePage(
  stored: StoredSlice,
  pages: Pages,
  reply: HttpResponse,
  { journal, factsMemory }: Run,
): Judged | Objection {
  const verdict = judge(endpointOf(stored.slice.dataset), stored.slice, reply);
  if (!verdict.taken) return verdict;
  const step = pages.judge(verdict, reply.body);
  if (!step.taken) return step;
  const facts = step.whole ? factsOfSlice(stored, pages, verdict, journal) : undefined;
  const remembered = facts ? JSON.stringify(facts).length : 0;
  if (remembered > MAX_FACTS_CHARS)
    return refuse("oversized", `more than ${MAX_FACTS_CHARS} characters of ids, rates and names`);
  if (factsMemory.used() + remembered > factsMemory.limit)
    return refuse("oversized", `more than ${factsMemory.limit} characters of ids, rates and names in all slices`);
  return { ...step, odd: verdict.odd, facts, remembered };
}

function factsOfSlice(stored: StoredSlice, pages: Pages, last: Page, journal: Journal): Facts {
  const before = pages.count() > 0 ? heldRecords(journal, stored) : [];
  return factsOf(endpointOf(stored.slice.dataset), [...before, ...last.records]);
}
