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
import { type Rejected, reject } from "../validate/validate.ts";
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

/** A slice while it is asked for. */
interface Capture {
  stored: StoredSlice;
  run: Run;
  isProbe: boolean;
  /** True if its part seems closed: a failure says nothing about the host, nor about the load of the others. */
  mayFail: boolean;
  /** Failed attempts in this run after which it is given up. */
  limit: number;
  pages: SlicePages;
  /** Records of a page. */
  size: number;
  isOnNewConnection: boolean;
  /** Its wrong totals, each wrong in another way. */
  miscounted: Set<string>;
  failovers: number;
}

/**
 * Asks for one slice, page by page, until it is complete or given up; true if it is complete. Pages that came are in the journal either
 * way. Rejects only when the run is stopped.
 */
export async function captureSlice(stored: StoredSlice, run: Run, attempts: Attempts): Promise<boolean> {
  const capture = beginCapture(stored, run, attempts);
  for (;;) {
    const asked = await askNext(capture);
    const { reply, result } = asked;
    if (result.ok && isBelieved(capture, result)) {
      await keepPage(capture, reply, result);
      if (result.whole) return true;
      continue;
    }
    const fault = result.ok ? reject("wrong-total", result.miscounted ?? "") : result;
    dropPages(capture, reply, fault);
    if (noteMiscount(capture, result) || shrinkPages(capture, fault) || changeHost(capture, asked, fault)) continue;
    if (await countFailure(capture, fault)) return false;
    await pauseAfter(run.tally.triesOf(stored.id), run);
  }
}

function beginCapture(
  stored: StoredSlice,
  run: Run,
  { attempts, isProbe = false, isClosing = false, isOnNewConnection = false }: Attempts,
): Capture {
  return {
    stored,
    run,
    isProbe,
    mayFail: isProbe || run.tally.isClosed(stored.slice),
    limit: isClosing ? Math.min(attempts, run.tally.triesOf(stored.id) + CLOSING_ATTEMPTS) : attempts,
    pages: readStoredPages(stored, run),
    size: run.pageSizes.current(),
    isOnNewConnection,
    miscounted: new Set(),
    failovers: 0,
  };
}

async function askNext(capture: Capture) {
  const { stored, run, mayFail, pages, size, isOnNewConnection: newConnection } = capture;
  const validate = (response: UpstreamResponse) => validatePage(stored, pages, response, run);
  const asked = await askPage(stored.slice, pages.count() + 1, run, validate, { size, newConnection, mayFail });
  // An answer that is not kept may be that of another request, and so may all that follow on its connection.
  capture.isOnNewConnection = "status" in asked.reply && asked.reply.status === 200;
  return asked;
}

type Asked = Awaited<ReturnType<typeof askNext>>;
type Reply = Asked["reply"];
type Fitting = Extract<Asked["result"], { ok: true }>;

/** Tells whether the total of a page is right, or wrong in the same way as before: then it is the upstream's own. */
const isBelieved = ({ miscounted }: Capture, { miscounted: count }: Fitting): boolean =>
  count === undefined || miscounted.has(count);

async function keepPage(capture: Capture, reply: Reply, page: Fitting): Promise<void> {
  const { stored, run, pages, size } = capture;
  const { id, slice } = stored;
  if (page.miscounted !== undefined) run.log("total", { ...slice, detail: page.miscounted });
  pages.add(page);
  run.factsMemory.use(page.factsChars);
  await run.journal.saveAnswer(id, pages.count(), { ...reply, body: page.body }, page.facts);
  run.hosts.recordSuccess(reply.host);
  run.pageSizes.held(slice.dataset, size);
  capture.isOnNewConnection = false;
  if (page.whole) run.tally.answered(stored);
}

/** Notes a fault. A page that does not fit the ones before it spoils them too: the list has changed in between. */
function dropPages(capture: Capture, reply: Reply, fault: Rejected) {
  const { stored, run, pages } = capture;
  recordFault(run, stored, pages.count() + 1, reply, fault, pages.count() > 0);
  capture.pages = createSlicePages(endpointOf(stored.slice.dataset));
}

/** Notes a total that is wrong in a new way: the list is asked again at once, and believed if it is wrong in the same way once more. */
function noteMiscount({ isProbe, miscounted }: Capture, result: Asked["result"]): boolean {
  if (!result.ok || result.miscounted === undefined || isProbe || miscounted.size >= MAX_MISCOUNTED) return false;
  miscounted.add(result.miscounted);
  return true;
}

/** Takes smaller pages if these may be too large for the upstream, and asks at once. */
function shrinkPages(capture: Capture, { said }: Rejected): boolean {
  const { stored, run, isProbe, size } = capture;
  const { dataset } = stored.slice;
  if (isProbe || !isPaged(endpointOf(dataset))) return false;
  const smaller = run.pageSizes.smaller(dataset, size, said?.status);
  capture.size = smaller ?? size;
  return smaller !== undefined;
}

/**
 * Counts the fault against the host. If the crawl leaves it for another, that one is asked at once. A host that only a redirect has named is
 * not the one that could be left.
 */
function changeHost(capture: Capture, { reply, isElsewhere }: Asked, { reason }: Rejected): boolean {
  const { stored, run, mayFail } = capture;
  if (mayFail || isElsewhere) return false;
  if (!run.hosts.recordFailure(reply, reason, stored.slice.dataset) || capture.failovers >= MAX_FAILOVERS) return false;
  capture.failovers += 1;
  return true;
}

/** Counts a failed attempt; true if the slice is given up. */
async function countFailure({ stored, run, limit, isProbe }: Capture, fault: Rejected): Promise<boolean> {
  const { journal, tally } = run;
  const isSilent = tally.tried(stored.id, fault.retryable ? 1 : COST_OF_A_LASTING_FAULT);
  const isOver = tally.triesOf(stored.id) >= limit;
  if (isOver) {
    journal.markFailed(stored.id, fault.reason);
    if (!isProbe) tally.failed(stored, fault.reason, stored.purpose === "answer");
  }
  if (isSilent && !isProbe) await askWitness(run);
  return isOver;
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
