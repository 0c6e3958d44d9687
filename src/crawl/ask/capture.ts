import { setTimeout as sleep } from "node:timers/promises";
import { parseBody } from "../../api/body/body.ts";
import { totalOf, unwrap } from "../../api/body/wrapping.ts";
import { isPaged } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import type { Attempt } from "../../journal/report.ts";
import { askWitness } from "../missing/witness.ts";
import type { Run } from "../run.ts";
import { backoffMs } from "../upstream/rate-limiter.ts";
import type { UpstreamResponse } from "../upstream/upstream.ts";
import { createSlicePages, type SlicePages, validatePage } from "../validate/pages.ts";
import { reject } from "../validate/validate.ts";
import { askPage } from "./ask-page.ts";

const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 30_000;

/** Attempts of the closing round. */
const CLOSING_ATTEMPTS = 2;
/** The number of a slice's attempts that a fault costs if asking again rarely helps. */
const COST_OF_A_LASTING_FAULT = 2;

/** Returns the attempts that a slice has at once. */
export const firstAttempts = ({ options }: Run): number => Math.max(1, options.attempts - CLOSING_ATTEMPTS);

/** The number of totals, each wrong in another way, that one slice may have before they count as failures. */
const MAX_MISCOUNTED = 2;

/** The number of failovers that one slice may see before they count as failures. */
const MAX_FAILOVERS = 4;

export interface Attempts {
  /** Failed attempts in this run after which the slice is given up. */
  attempts: number;
  /** Only asks whether the slice can be had: a failure says nothing about the upstream, and no page is asked for twice. */
  isProbe?: boolean;
  /** Also asks for slices in parts that are closed for this run, each twice at most. */
  isClosing?: boolean;
  /** Opens a connection for the first request: on an old one, a late answer may have been taken for that of the next request. */
  isOnNewConnection?: boolean;
}

/**
 * Asks for one slice, page by page, until it is complete or given up; true if it is complete. Pages that came are in the journal either
 * way. Rejects only when the run is stopped.
 */
export async function captureSlice(
  stored: StoredSlice,
  run: Run,
  { attempts, isProbe = false, isClosing = false, isOnNewConnection = false }: Attempts,
): Promise<boolean> {
  const { id, slice, purpose } = stored;
  const { journal, hosts, pageSizes, tally } = run;
  const endpoint = endpointOf(slice.dataset);
  const limit = isClosing ? Math.min(attempts, tally.triesOf(id) + CLOSING_ATTEMPTS) : attempts;
  const mayFail = isProbe || tally.isClosed(slice);
  let size = pageSizes.current();
  let pages = readStoredPages(stored, run);
  let failovers = 0;
  const miscounted = new Set<string>();
  let newConnection = isOnNewConnection;
  for (;;) {
    const page = pages.count() + 1;
    const validate = (response: UpstreamResponse) => validatePage(stored, pages, response, run);
    const { reply, result } = await askPage(slice, page, run, validate, { size, newConnection, mayFail });
    // An answer that is not kept may be that of another request, and so may all that follow on its connection.
    newConnection = "status" in reply && reply.status === 200;
    const { miscounted: count } = result.ok ? result : {};
    if (result.ok && (count === undefined || miscounted.has(count))) {
      if (count !== undefined) run.log("total", { ...slice, detail: count });
      pages.add(result);
      run.factsMemory.use(result.factsChars);
      await journal.saveAnswer(id, page, { ...reply, body: result.body }, result.facts);
      hosts.recordSuccess(reply.host);
      pageSizes.held(slice.dataset, size);
      newConnection = false;
      if (!result.whole) continue;
      tally.answered(stored);
      return true;
    }
    const fault = result.ok ? reject("wrong-total", count ?? "") : result;

    // A page that does not fit the ones before it spoils them too: the list has changed in between.
    recordFault(run, stored, page, reply, fault, pages.count() > 0);
    pages = createSlicePages(endpoint);
    // The page is asked again at once: if the total is wrong in the same way once more, it is the upstream's own.
    if (count !== undefined && !isProbe && miscounted.size < MAX_MISCOUNTED) {
      miscounted.add(count);
      continue;
    }
    const mayShrink = !isProbe && isPaged(endpoint);
    const smaller = mayShrink ? pageSizes.smaller(slice.dataset, size, fault.said?.status) : undefined;
    if (smaller !== undefined) {
      size = smaller;
      continue;
    }
    if (hosts.recordFailure(reply, fault.reason, slice.dataset) && failovers < MAX_FAILOVERS) {
      failovers += 1;
      continue;
    }
    const isSilent = tally.tried(id, fault.retryable ? 1 : COST_OF_A_LASTING_FAULT);
    const isOver = tally.triesOf(id) >= limit;
    if (isOver) {
      journal.markFailed(id, fault.reason);
      if (!isProbe) tally.failed(stored, fault.reason, purpose === "answer");
    }
    if (isSilent && !isProbe) await askWitness(run);
    if (isOver) return false;
    await pauseAfter(tally.triesOf(id), run);
  }
}

/** Reads the pages that the journal holds of an incomplete slice. They were validated when they came. */
function readStoredPages({ id, slice, pages: stored }: StoredSlice, { journal }: Run): SlicePages {
  const endpoint = endpointOf(slice.dataset);
  const pages = createSlicePages(endpoint);
  for (const body of stored > 0 ? journal.pages(id) : []) {
    const json = parseBody(body);
    const page = pages.check(
      { records: unwrap(endpoint.wrapping, json), total: totalOf(endpoint.wrapping, json) },
      body,
    );
    if (page.ok) pages.add(page);
  }
  return pages;
}

/** Notes a failed attempt in the journal and in the log. */
export function recordFault(
  { journal, log }: Run,
  { id, slice }: Pick<StoredSlice, "id" | "slice">,
  page: number,
  { host, at }: { host: string; at: number },
  { reason, detail, said }: Pick<Attempt, "reason" | "detail" | "said">,
  dropPages = false,
) {
  journal.recordAttempt(id, page, { host, at, reason, detail, said }, dropPages);
  log("fault", { ...slice, page, host, reason, detail });
}

/** Backs off with full jitter before the next attempt, so that requests that failed together do not come back together. */
export async function pauseAfter(failures: number, { stop }: Run): Promise<void> {
  await sleep(backoffMs(failures, BACKOFF_BASE_MS, BACKOFF_CAP_MS), undefined, { signal: stop });
}
