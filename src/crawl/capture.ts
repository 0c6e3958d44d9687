import { setTimeout as sleep } from "node:timers/promises";
import type { Slice } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import type { Page } from "../api/envelope.ts";
import { factsOf } from "../api/facts.ts";
import type { Journal, StoredSlice } from "../journal/journal.ts";
import type { Reason } from "../journal/reasons.ts";
import type { Doubts } from "./doubts.ts";
import type { Hosts } from "./hosts.ts";
import { judge, judgePages, parsePage, type Verdict } from "./judge.ts";
import { backoff, type Mood, type Pace, parseRetryAfter } from "./pace.ts";
import type { Patience } from "./patience.ts";
import { slicePath } from "./plan.ts";
import type { Log } from "./progress.ts";
import type { Reply, Silence } from "./upstream.ts";

/** What every step of a run works with. */
export interface Run {
  journal: Journal;
  hosts: Hosts;
  pace: Pace;
  patience: Patience;
  doubts: Doubts;
  stop: AbortSignal;
  log: Log;
}

/** Milliseconds. */
const BACKOFF_BASE = 500;
const BACKOFF_CAP = 30_000;
const RETRY_AFTER_CAP = 120_000;

/** Moves to another host that one slice may see without counting them as failures. */
const MAX_MOVES = 4;

const BLOCKING: readonly Reason[] = ["rate-limited", "blocked", "unavailable"];

/**
 * Asks for one slice, page by page, until it is whole or given up. Returns its records, or nothing when it was given up;
 * what came is in the journal either way. Rejects only when the run is stopped.
 */
export async function captureSlice({ id, slice, pages: held }: StoredSlice, run: Run): Promise<unknown[] | undefined> {
  const { journal, hosts, patience, doubts, log } = run;
  const endpoint = endpointOf(slice.dataset);
  let pages = held > 0 ? journal.pages(id).map((body) => parsePage(endpoint, body)) : [];
  let failures = 0;
  let moves = 0;
  const odd = new Set<string>();
  for (;;) {
    const page = pages.length + 1;
    const { reply, verdict } = await askPage(slice, pages, run);
    if (verdict.taken && verdict.odd !== undefined && doubts.ask(slice.dataset, verdict.odd, odd)) {
      odd.add(verdict.odd);
      const fault = { host: reply.host, reason: "odd", detail: verdict.odd } as const;
      journal.note(id, page, { ...fault, at: reply.at }, false);
      log("fault", { ...slice, page, ...fault });
      continue;
    }
    if (verdict.taken && "body" in reply) {
      pages.push(verdict);
      const records = pages.flatMap((taken) => taken.records);
      const whole = records.length === verdict.total;
      await journal.keep(id, page, reply, whole ? factsOf(endpoint, records) : undefined);
      hosts.worked(reply.host);
      if (!whole) continue;
      patience.restore(slice.dataset);
      return records;
    }
    if (verdict.taken) continue;

    // A page that does not fit the ones before it spoils them too: the list has changed in between.
    const { reason, detail, refused } = verdict;
    journal.note(id, page, { host: reply.host, at: reply.at, reason, detail }, pages.length > 0);
    log("fault", { ...slice, page, host: reply.host, reason, detail });
    pages = [];
    if (hosts.failed(reply, reason) && moves < MAX_MOVES) {
      moves += 1;
      continue;
    }
    // A refusal is rarely a matter of luck, but a host in trouble may refuse what it gives a moment later.
    failures += refused ? 2 : 1;
    if (failures >= patience.attempts(slice.dataset)) {
      journal.fail(id, reason);
      patience.spend(slice.dataset, reason);
      return undefined;
    }
    await pauseAfter(failures, run);
  }
}

/** Full jitter before the next attempt, so that requests that failed together do not come back together. */
export async function pauseAfter(failures: number, { stop }: Run): Promise<void> {
  await sleep(backoff(failures, BACKOFF_BASE, BACKOFF_CAP), undefined, { signal: stop });
}

/** One request and what to think of its answer. */
export async function askPage(slice: Slice, before: readonly Page[], { pace, hosts }: Run, size?: number) {
  const turn = await pace.turn();
  const reply = await hosts.active().ask(slicePath(endpointOf(slice.dataset), slice, before.length + 1, size));
  const verdict = judgeReply(slice, before, reply);
  turn.done(moodOf(verdict), restOf(reply));
  return { reply, verdict };
}

function judgeReply(slice: Slice, before: readonly Page[], reply: Reply | Silence): Verdict {
  if (!("body" in reply)) return { taken: false, reason: reply.reason, detail: reply.detail, refused: false };
  const endpoint = endpointOf(slice.dataset);
  const verdict = judge(endpoint, slice, reply);
  if (!verdict.taken) return verdict;
  return judgePages(endpoint, [...before, verdict]) ?? verdict;
}

function moodOf(verdict: Verdict): Mood {
  if (verdict.taken) return "well";
  if (verdict.reason === "timeout") return "slow";
  return BLOCKING.includes(verdict.reason) ? "blocking" : "neutral";
}

function restOf(reply: Reply | Silence): number | undefined {
  if (!("headers" in reply) || reply.status === 200) return undefined;
  return parseRetryAfter(reply.headers["retry-after"], Date.now(), RETRY_AFTER_CAP);
}
