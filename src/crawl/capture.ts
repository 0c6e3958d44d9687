import { setTimeout as sleep } from "node:timers/promises";
import type { Slice } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import type { StoredSlice } from "../journal/journal.ts";
import type { Reason } from "../journal/reasons.ts";
import { createPages, type Pages } from "./pages.ts";
import { slicePath } from "./plan.ts";
import type { Run } from "./run.ts";
import { backoffMs, type Outcome, parseRetryAfter } from "./upstream/rate-limiter.ts";
import type { HttpResponse, TransportError } from "./upstream/upstream.ts";
import { doubt, type Objection, parsePage } from "./validate/validate.ts";
import { judgePage } from "./validate/validate-page.ts";

const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 30_000;
const MAX_RETRY_AFTER_MS = 120_000;

/** Changes of the host that one slice may see without counting them as failures. */
const MAX_FAILOVERS = 4;

const BLOCKING: readonly Reason[] = ["rate-limited", "blocked", "unavailable"];

/**
 * Asks for one slice, page by page, until it is whole or given up; true when it is whole. What came is in the journal
 * either way. Rejects only when the run is stopped.
 */
export async function captureSlice(stored: StoredSlice, run: Run): Promise<boolean> {
  const { id, slice } = stored;
  const { journal, hosts, retryBudget, doubts, log } = run;
  let pages = heldPages(stored, run);
  let failures = 0;
  let moves = 0;
  const odd = new Set<string>();
  for (;;) {
    const page = pages.count() + 1;
    const { reply, verdict } = await askPage(slice, page, run, (sent) => judgePage(stored, pages, sent, run));
    if (verdict.taken && verdict.odd !== undefined && doubts.ask(slice.dataset, verdict.odd, odd)) {
      odd.add(verdict.odd);
      const fault = { host: reply.host, reason: "odd", detail: verdict.odd } as const;
      journal.note(id, page, { ...fault, at: reply.at }, false);
      log("fault", { ...slice, page, ...fault });
      continue;
    }
    if (verdict.taken && "body" in reply) {
      pages.take(verdict);
      run.factsMemory.use(verdict.remembered);
      await journal.keep(id, page, reply, verdict.facts);
      hosts.recordSuccess(reply.host);
      if (!verdict.whole) continue;
      retryBudget.recordSuccess(slice.dataset);
      return true;
    }
    if (verdict.taken) continue;

    // A page that does not fit the ones before it spoils them too: the list has changed in between.
    const { reason, detail, refused } = verdict;
    journal.note(id, page, { host: reply.host, at: reply.at, reason, detail }, pages.count() > 0);
    log("fault", { ...slice, page, host: reply.host, reason, detail });
    pages = createPages(endpointOf(slice.dataset));
    if (hosts.recordFailure(reply, reason) && moves < MAX_FAILOVERS) {
      moves += 1;
      continue;
    }
    // A refusal is rarely a matter of luck, but a host in trouble may refuse what it gives a moment later.
    failures += refused ? 2 : 1;
    if (failures >= retryBudget.attemptsFor(slice.dataset)) {
      journal.fail(id, reason);
      retryBudget.recordFailure(slice.dataset, reason);
      return false;
    }
    await pauseAfter(failures, run);
  }
}

/** The pages that the journal holds of a slice that is not whole yet. */
function heldPages({ id, slice, pages: held }: StoredSlice, { journal }: Run): Pages {
  const endpoint = endpointOf(slice.dataset);
  const pages = createPages(endpoint);
  for (const body of held > 0 ? journal.pages(id) : []) {
    const step = pages.judge(parsePage(endpoint, body), body);
    if (step.taken) pages.take(step);
  }
  return pages;
}

/** Full jitter before the next attempt, so that requests that failed together do not come back together. */
export async function pauseAfter(failures: number, { stop }: Run): Promise<void> {
  await sleep(backoffMs(failures, BACKOFF_BASE_MS, BACKOFF_CAP_MS), undefined, { signal: stop });
}

/** One request and what to think of its answer. */
export async function askPage<T extends { taken: true }>(
  slice: Slice,
  page: number,
  { limiter, hosts, stop }: Run,
  judgeReply: (reply: HttpResponse) => T | Objection,
  size?: number,
) {
  const permit = await limiter.acquire();
  const reply = await hosts.active().get(slicePath(endpointOf(slice.dataset), slice, page, size));
  const silent = !("body" in reply);
  if (silent) stop.throwIfAborted();
  const verdict = silent ? doubt(reply.reason, reply.detail) : judgeReply(reply);
  permit.release(outcomeOf(verdict), retryAfterMs(reply));
  return { reply, verdict };
}

function outcomeOf(verdict: { taken: true } | Objection): Outcome {
  if (verdict.taken) return "ok";
  if (verdict.reason === "timeout") return "timeout";
  return BLOCKING.includes(verdict.reason) ? "throttled" : "error";
}

function retryAfterMs(reply: HttpResponse | TransportError): number | undefined {
  if (!("headers" in reply) || reply.status === 200) return undefined;
  return parseRetryAfter(reply.headers["retry-after"], Date.now(), MAX_RETRY_AFTER_MS);
}
