import type { Slice } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { faultOf } from "../../api/faults.ts";
import { HERO_IDENTIFIER } from "../../api/request/path-parameter.ts";
import { slicePath } from "../plan.ts";
import type { Run } from "../run.ts";
import { readQuotas, restMs } from "../upstream/quota.ts";
import { MAX_REST_MS } from "../upstream/rate-limiter.ts";
import type { TransportError, Upstream, UpstreamResponse } from "../upstream/upstream.ts";
import { type Rejected, reject, validateResponse } from "../validate/validate.ts";

/** The list without which there is no night. */
export const ROSTER: Slice = { dataset: HERO_IDENTIFIER.list, lang: BASE_LANG };

interface HowToAsk {
  size?: number;
  newConnection?: boolean;
  /** True if its part seems closed: if it is unavailable, that says nothing about the host, nor about the load of the others. */
  mayFail?: boolean;
}

/** Sends one request and judges its answer. Rejects only when the run is stopped. */
export async function askPage<T extends { ok: true }>(
  slice: Slice,
  page: number,
  run: Run,
  validate: (response: UpstreamResponse) => T | Rejected,
  { size = run.pageSizes.current(), newConnection = false, mayFail = false }: HowToAsk = {},
) {
  const { hosts, stop, checkKind, clock, budget } = run;
  const path = slicePath(endpointOf(slice.dataset), slice, page, size);
  const send = async (upstream: Upstream) => {
    const permit = await run.limiter.acquire();
    return { permit, reply: await upstream.get(path, { newConnection }) };
  };
  const first = hosts.toLookBackAt();
  if (first && (await isThere(first, run))) hosts.comeBack();
  let sent = await send(hosts.active());
  const elsewhere = hosts.namedBy(sent.reply);
  if (elsewhere) {
    // The redirect is about this request. A host that sends everything elsewhere is left, like one that fails.
    if (!mayFail) hosts.recordFailure(sent.reply, elsewhere.why, slice.dataset);
    sent.permit.release("error", slice.dataset);
    sent = await send(elsewhere.upstream);
  }
  const { permit, reply } = sent;
  const answered = "body" in reply;
  if (!answered) stop.throwIfAborted();
  clock.check([reply]);
  // The cause of a broken connection may be gone in a moment.
  const validated = answered ? validate(reply) : reject(reply.reason, reply.detail, true);
  const result = (answered && validated.ok && checkKind(reply)) || validated;
  const outcome = result.ok ? "ok" : (faultOf(result.reason).outcome ?? "error");
  const isLoad = result.ok || outcome === "throttled" || !mayFail;
  permit.release(isLoad ? outcome : "error", slice.dataset, noteQuota(reply, budget));
  return { reply, result, isElsewhere: elsewhere !== undefined };
}

/** Tells whether a host that was left answers again, by the smallest list there is. */
async function isThere(upstream: Upstream, { limiter }: Run): Promise<boolean> {
  const permit = await limiter.acquire();
  const reply = await upstream.get(slicePath(endpointOf(HERO_IDENTIFIER.list), ROSTER, 1, 1));
  permit.release("error", HERO_IDENTIFIER.list);
  return "body" in reply && validateResponse(endpointOf(HERO_IDENTIFIER.list), ROSTER, reply).ok;
}

/**
 * Returns the pause that an answer asks for, in milliseconds. If its quota is used up for longer than a rest may last, that bounds the
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
