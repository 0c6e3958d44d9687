/**
 * Compares a snapshot with the live upstream, for `verify --upstream`: draws a valid query (`random-query.ts`), answers it here as a mirror
 * does, asks the upstream, and finds the first difference (`difference.ts`).
 *
 * The trap: the upstream goes on while the snapshot stands still. A difference that a later batch explains counts as `newer` and is no
 * fault, and addresses of pictures are compared without their proxies.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, fetch } from "undici";
import { ENVELOPES, type RecordsPage } from "../../api/body/envelope.ts";
import { unwrapPictures } from "../../api/body/pictures.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { ApiError } from "../../api/errors.ts";
import type { Failure } from "../../api/failure.ts";
import { dataHeaders, MAX_BODY_BYTES } from "../../api/request/upstream-request.ts";
import { openDispatcher } from "../../network/dispatcher.ts";
import { findProxy, isOfProxy, viaProxy } from "../../network/proxy.ts";
import { describeError, endUnreachable, whyUnreachable } from "../../network/unreachable.ts";
import { createQueryEngine, type QueryEngine } from "../../server/query/query-engine.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import { firstDifference } from "./difference.ts";
import { createRandomSource, type Query, queryPath, randomQuery } from "./random-query.ts";

/** The result of one endpoint; `example` is the query and the path of the first wrong difference, or else of a newer one. */
export interface ParityRow {
  dataset: string;
  asked: number;
  equal: number;
  newer: number;
  wrong: number;
  failed: number;
  example?: string;
}

export interface ParityOptions {
  snapshot: Snapshot;
  /** The base URL. */
  upstream: string;
  samples: number;
  /** Requests a second, one at a time. */
  requestsPerSecond: number;
  seed: number;
  /** The timeout of a complete answer. */
  timeoutMs: number;
  /** The address of the operator for the `User-Agent`. */
  contact?: string | undefined;
}

/** After so many failures, or after all of a smaller number of samples, the upstream counts as unreachable. */
const MAX_CONSECUTIVE_FAILURES = 10;
const MAX_REDRAWS = 50;
const NO_COUNTS = { asked: 0, equal: 0, newer: 0, wrong: 0, failed: 0 };

/**
 * Sends random valid queries to the live upstream, endpoint by endpoint, and compares its answers with the snapshot's. Queries for slices
 * that the snapshot lacks are drawn again: its coverage tells what is missing. Rejects with a Failure if the upstream is unreachable.
 */
export async function checkParity(options: ParityOptions): Promise<ParityRow[]> {
  const { snapshot, upstream, samples, requestsPerSecond, seed, timeoutMs } = options;
  const engine = createQueryEngine(snapshot);
  const random = createRandomSource(seed);
  const base = upstream.replace(/\/+$/, "");
  const limits = { timeoutMs, connections: 1, maxResponseSize: MAX_BODY_BYTES };
  const dispatcher = openDispatcher(findProxy(new URL(base)), limits);
  const headers = dataHeaders(options.contact);
  const rows: ParityRow[] = ENDPOINTS.map(({ dataset }) => ({ dataset, ...NO_COUNTS }));
  const first = random.below(ENDPOINTS.length);
  let next = 0;
  let failuresInARow = 0;
  try {
    for (let sample = first; sample < first + samples; sample += 1) {
      const [row, endpoint] = [rows[sample % rows.length], ENDPOINTS[sample % ENDPOINTS.length]];
      const drawn = row && endpoint && drawAnswerable(() => randomQuery(endpoint, snapshot, random), engine);
      if (!drawn) continue;
      await waitUntil(next);
      next = performance.now() + 1000 / requestsPerSecond;
      const result = await fetchAnswer(base + queryPath(drawn.query), { dispatcher, headers, timeoutMs });
      row.asked += 1;
      if ("failure" in result) {
        row.failed += 1;
        failuresInARow += 1;
        if (failuresInARow === Math.min(MAX_CONSECUTIVE_FAILURES, samples))
          throw unreachable(base, failuresInARow, result.failure);
        continue;
      }
      failuresInARow = 0;
      score(row, drawn, unwrapPictures(result.json), engine);
    }
    return rows;
  } finally {
    await dispatcher.destroy();
  }
}

interface Drawn {
  query: Query;
  /** Undefined if we answer a valid query with an error. */
  ours: RecordsPage | undefined;
}

function drawAnswerable(draw: () => Query, engine: QueryEngine): Drawn | undefined {
  for (let redraw = 0; redraw < MAX_REDRAWS; redraw += 1) {
    const query = draw();
    try {
      return { query, ours: answerPage(query, engine) };
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "SLICE_NOT_CAPTURED")) return { query, ours: undefined };
    }
  }
  return undefined;
}

function answerPage({ endpoint, identifier, search }: Query, engine: QueryEngine): RecordsPage {
  const answer = engine.execute(engine.parse(endpoint, identifier, search));
  return ENVELOPES[endpoint.wrapping ?? "pages"].parse(unwrapPictures(JSON.parse(answer.toString())));
}

function score(row: ParityRow, { query, ours }: Drawn, answer: unknown, engine: QueryEngine) {
  const wholeList = () => {
    const search = new URLSearchParams(query.search);
    search.set("size", String(Number.MAX_SAFE_INTEGER));
    search.set("index", "1");
    return answerPage({ ...query, search }, engine).records;
  };
  const difference = ours ? firstDifference(query, ours, answer, wholeList) : { path: "status", newer: false };
  const score = !difference ? "equal" : difference.newer ? "newer" : "wrong";
  row[score] += 1;
  if (!difference) return;
  if ((score === "wrong" && row.wrong === 1) || row.example === undefined)
    row.example = `${queryPath(query)} ${difference.path}`;
}

/** Timers may fire a millisecond early. */
async function waitUntil(time: number): Promise<void> {
  for (let wait = time - performance.now(); wait > 0; wait = time - performance.now()) await sleep(Math.ceil(wait));
}

/** Fetches an answer without following redirects. A code other than 0 is the upstream's way to fail with status 200. */
async function fetchAnswer(
  url: string,
  { dispatcher, headers, timeoutMs }: { dispatcher: Dispatcher; headers: Record<string, string>; timeoutMs: number },
): Promise<{ json: unknown } | { failure: string }> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const reply = await fetch(url, { dispatcher, headers, redirect: "manual", signal });
    if (reply.status !== 200) {
      await reply.body?.cancel();
      return { failure: `status ${reply.status}` };
    }
    const json = await reply.json();
    const code = (json as { code?: unknown } | null)?.code;
    return typeof code === "number" && code !== 0 ? { failure: `code ${code}` } : { json };
  } catch (error) {
    const { cause = error } = error as Error;
    return { failure: describeError(cause) };
  }
}

function unreachable(base: string, times: number, failure: string): Failure {
  const url = new URL(base);
  const via = isOfProxy(failure) ? "" : viaProxy(url);
  const message = `${base}: ${times} requests on end failed${via}, the last one with: ${failure}`;
  const otherwise = "check --upstream, or run the same command again when it is back";
  return endUnreachable(message, whyUnreachable(url, failure), otherwise);
}
