import { setTimeout as sleep } from "node:timers/promises";
import type { Slice } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import type { Journal, StoredSlice } from "../journal/journal.ts";
import { judge, judgePages, type Page, type Verdict } from "./judge.ts";
import { backoff, type Pace, parseRetryAfter } from "./pace.ts";
import type { Patience } from "./patience.ts";
import { slicePath } from "./plan.ts";
import type { Log } from "./progress.ts";
import type { Reply, Silence, Upstream } from "./upstream.ts";

export interface CaptureDeps {
  journal: Journal;
  upstream: Upstream;
  pace: Pace;
  patience: Patience;
  stop: AbortSignal;
  log: Log;
}

/** Milliseconds. */
const BACKOFF_BASE = 500;
const BACKOFF_CAP = 30_000;
const RETRY_AFTER_CAP = 120_000;

/**
 * Asks for one slice, page by page, until it is whole or given up. Returns its records, or nothing when it was given up;
 * what came is in the journal either way. Rejects only when the run is stopped.
 */
export async function captureSlice({ id, slice }: StoredSlice, deps: CaptureDeps): Promise<unknown[] | undefined> {
  const { journal, upstream, pace, patience, log } = deps;
  const endpoint = endpointOf(slice.dataset);
  let pages = journal.pages(id).map(parsePage);
  let failures = 0;
  for (;;) {
    const page = pages.length + 1;
    await pace.turn();
    const reply = await upstream.ask(slicePath(endpoint, slice, page));
    const verdict = judgeReply(slice, pages, reply);
    if (verdict.taken && "body" in reply) {
      pages.push(verdict);
      const complete = countRecords(pages) === verdict.total;
      journal.keep(id, page, reply, complete);
      if (!complete) continue;
      patience.restore(slice.dataset);
      return pages.flatMap((taken) => taken.records);
    }
    if (verdict.taken) continue;

    // A page that does not fit the ones before it spoils them too: the list has changed in between.
    const { reason, detail, refused } = verdict;
    journal.note(id, page, { host: reply.host, at: reply.at, reason, detail }, pages.length > 0);
    log("fault", { ...slice, page, reason, detail });
    pages = [];
    failures += 1;
    if (refused || failures >= patience.attempts(slice.dataset)) {
      journal.fail(id, reason);
      patience.spend(slice.dataset, reason);
      return undefined;
    }
    await waitAfter(reply, failures, deps);
  }
}

function parsePage(body: Buffer): Page {
  return (JSON.parse(body.toString("utf8")) as { data: Page }).data;
}

const countRecords = (pages: readonly Page[]) => pages.reduce((count, page) => count + page.records.length, 0);

function judgeReply(slice: Slice, before: readonly Page[], reply: Reply | Silence): Verdict {
  if (!("body" in reply)) return { taken: false, reason: reply.reason, detail: reply.detail, refused: false };
  const endpoint = endpointOf(slice.dataset);
  const verdict = judge(endpoint, slice, reply);
  if (!verdict.taken) return verdict;
  return judgePages(endpoint, [...before, verdict]) ?? verdict;
}

async function waitAfter(reply: Reply | Silence, failures: number, { pace, stop }: CaptureDeps) {
  const header = "headers" in reply ? reply.headers["retry-after"] : undefined;
  const asked = parseRetryAfter(header, Date.now(), RETRY_AFTER_CAP);
  if (asked !== undefined) pace.pause(asked);
  await sleep(backoff(failures, BACKOFF_BASE, BACKOFF_CAP), undefined, { signal: stop });
}
