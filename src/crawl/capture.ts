import { setTimeout as sleep } from "node:timers/promises";
import { parseBody } from "../api/body/body.ts";
import { totalOf, unwrap } from "../api/body/wrapping.ts";
import type { Slice } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import { faultOf } from "../api/faults.ts";
import type { StoredSlice } from "../journal/journal.ts";
import type { Attempt } from "../journal/report.ts";
import { slicePath } from "./plan.ts";
import type { Run } from "./run.ts";
import { MAX_REST_MS, readQuotas, restMs } from "./upstream/quota.ts";
import { backoffMs } from "./upstream/rate-limiter.ts";
import type { TransportError, UpstreamResponse } from "./upstream/upstream.ts";
import { createSlicePages, type SlicePages, validatePage } from "./validate/pages.ts";
import { type Rejected, reject } from "./validate/validate.ts";

const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 30_000;

/** Changes of the host that one slice may see without counting them as failures. */
const MAX_FAILOVERS = 4;

/**
 * Asks for one slice, page by page, until it is whole or given up; true when it is whole. What came is in the journal
 * either way. Rejects only when the run is stopped.
 */
export async function captureSlice(stored: StoredSlice, run: Run): Promise<boolean> {
  const { id, slice } = stored;
  const { journal, hosts, retryBudget } = run;
  let pages = readStoredPages(stored, run);
  let failures = 0;
  let refusals = 0;
  let failovers = 0;
  const odd = new Set<string>();
  let newConnection = false;
  for (;;) {
    const page = pages.count() + 1;
    const { reply, result } = await askWithSecondLook(stored, page, pages, run, newConnection);
    newConnection = "status" in reply && reply.status === 200;
    if (result.ok && result.odd !== undefined && retryBudget.repeatOdd(slice.dataset, result.odd, odd)) {
      odd.add(result.odd);
      recordFault(run, stored, page, reply, { reason: "odd", detail: result.odd });
      continue;
    }
    if (result.ok) {
      pages.add(result);
      run.factsMemory.use(result.factsChars);
      await journal.saveAnswer(id, page, { ...reply, body: result.body }, result.facts);
      hosts.recordSuccess(reply.host);
      newConnection = false;
      if (!result.whole) continue;
      retryBudget.recordSuccess(slice.dataset);
      run.refusals.noteCaptured(stored);
      return true;
    }

    // A page that does not fit the ones before it spoils them too: the list has changed in between.
    recordFault(run, stored, page, reply, result, pages.count() > 0);
    pages = createSlicePages(endpointOf(slice.dataset));
    const next = run.refusals.noteAttempt(stored, { at: reply.at, ...result });
    if (next === "later") return false;
    if (next === "again") {
      refusals += 1;
      await pauseAfter(refusals, run);
      continue;
    }
    if (hosts.recordFailure(reply, result.reason) && failovers < MAX_FAILOVERS) {
      failovers += 1;
      continue;
    }
    failures += result.retryable ? 1 : 2;
    if (failures >= attemptsFor(stored, run)) {
      // Refusals that are not alike are a failure, and no refusal.
      journal.markFailed(id, result.refusal && stored.purpose === "answer" ? "rejected" : result.reason);
      if (!result.refusal) retryBudget.recordFailure(slice.dataset, result.reason);
      return false;
    }
    await pauseAfter(failures, run);
  }
}

/**
 * One request for a page, and another on a new connection if it is empty and that is not to be expected: an answer that comes
 * late and unasked is taken for that of the next request (RFC 9112, 9.2). The second counts. `newConnection`: the first is sent
 * on one too, since the last answer was not kept: it may be that of another request, and so may all that follow it.
 */
async function askWithSecondLook(
  stored: StoredSlice,
  page: number,
  pages: SlicePages,
  run: Run,
  newConnection: boolean,
) {
  const { secondLooks } = run;
  const ask = (isOnNew: boolean) =>
    askPage(stored.slice, page, run, (response) => validatePage(stored, pages, response, run), {
      newConnection: isOnNew,
    });
  const first = secondLooks.isOwed(stored) ? undefined : await ask(newConnection);
  if (first && !secondLooks.isDoubtful(stored, first.result)) return first;
  // Noted before the second look: if the run is killed in between, the next one does not ask for the first again.
  secondLooks.owe(stored);
  return await secondLooks.inTurn(stored, async (isBelieved) => {
    if (first && isBelieved) return first;
    let second: Awaited<ReturnType<typeof ask>> | undefined;
    try {
      second = await ask(true);
      return second;
    } finally {
      // The first answer is a fault, unless the second is empty too. If none came, as when a day's requests are spent, it stays owed.
      if (first && !(second?.result.ok && second.result.total === 0)) {
        recordFault(run, stored, page, first.reply, { reason: "empty", detail: "no record" });
      }
    }
  });
}

/** Attempts for a slice that is of no use to ask for often. */
const FEW_ATTEMPTS = 2;

const attemptsFor = (stored: StoredSlice, { retryBudget, refusals }: Run): number =>
  Math.min(
    retryBudget.attemptsFor(stored.slice.dataset),
    refusals.isFutile(stored) ? FEW_ATTEMPTS : Number.MAX_SAFE_INTEGER,
  );

/** The pages that the journal holds of a slice that is not whole yet. They were validated when they came. */
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
  { reason, detail, refusal }: Pick<Attempt, "reason" | "detail" | "refusal">,
  dropPages = false,
) {
  journal.recordAttempt(id, page, { host, at, reason, detail, refusal }, dropPages);
  log("fault", { ...slice, page, host, reason, detail });
}

/** Full jitter before the next attempt, so that requests that failed together do not come back together. */
export async function pauseAfter(failures: number, { stop }: Run): Promise<void> {
  await sleep(backoffMs(failures, BACKOFF_BASE_MS, BACKOFF_CAP_MS), undefined, { signal: stop });
}

/** One request and what its answer is worth. Rejects only when the run is stopped. */
export async function askPage<T extends { ok: true }>(
  slice: Slice,
  page: number,
  { limiter, hosts, stop, checkKind, budget, clock }: Run,
  validate: (response: UpstreamResponse) => T | Rejected,
  { size, newConnection = false }: { size?: number; newConnection?: boolean } = {},
) {
  const permit = await limiter.acquire();
  const reply = await hosts.active().get(slicePath(endpointOf(slice.dataset), slice, page, size), { newConnection });
  const answered = "body" in reply;
  if (!answered) stop.throwIfAborted();
  clock.check([reply]);
  // Whatever broke the connection may be gone in a moment.
  const validated = answered ? validate(reply) : reject(reply.reason, reply.detail, true);
  const result = (answered && validated.ok && checkKind(reply)) || validated;
  permit.release(result.ok ? "ok" : (faultOf(result.reason).outcome ?? "error"), noteQuota(reply, budget));
  return { reply, result };
}

/**
 * For how long an answer asks not to be asked, in milliseconds. A quota that is for longer than a rest may be bounds the
 * budget, if there is one: it is no rest but an end.
 */
export function noteQuota(reply: UpstreamResponse | TransportError, budget: Run["budget"]): number | undefined {
  if (!("headers" in reply)) return undefined;
  const now = Date.now();
  const quotas = readQuotas(reply.headers, now);
  for (const { remaining, resetMs } of quotas) if (resetMs > MAX_REST_MS) budget?.bound(remaining);
  const rest = restMs(reply, quotas, now);
  if (rest === undefined || rest <= MAX_REST_MS) return rest;
  budget?.bound(0);
  return budget ? undefined : MAX_REST_MS;
}
