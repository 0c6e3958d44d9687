import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, request } from "undici";
import { userAgent } from "../../../api/request/upstream-request.ts";
import { openDispatcher, ProxyError } from "../../../network/dispatcher.ts";
import { describeProxy, findProxy, viaProxy } from "../../../network/proxy.ts";
import { describeError, redactUrl, whyUnreachable } from "../../../network/unreachable.ts";
import { createSteadyLookup, isPrivate, lookupPublic, PrivateAddress } from "./addresses.ts";
import { SourceRefused, SourceUnreachable } from "./errors.ts";
import type { DownloadLimits } from "./limits.ts";

export interface SourceResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Dispatcher.ResponseData["body"];
}

/** A client for requests to one source. */
export interface Client {
  timeoutMs: number;
  /** Aborted when the caller stops the pull or its total time is over. */
  signal: AbortSignal;
  isOutOfTime(): boolean;
  /**
   * Sends one GET; redirects are followed. The caller reads the body or destroys it. Rejects with `SourceRefused` for a redirect that is
   * not allowed, with `SourceUnreachable` if no response comes.
   */
  get(url: URL, headers: Record<string, string>, signal?: AbortSignal): Promise<SourceResponse>;
  close(): Promise<void>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Makes the client. The operator chose the host of the source, so it may be any, and stays the same while the client is open. A redirect to
 * another host must keep the scheme and must not lead to a private address (SSRF). Through a proxy, which looks names up itself, none is
 * followed.
 */
export function createClient(
  { timeoutMs, totalMs }: Pick<DownloadLimits, "timeoutMs" | "totalMs">,
  { signal: stop, contact }: { signal?: AbortSignal; contact?: string | undefined } = {},
): Client {
  const agent = userAgent(contact);
  const deadline = new AbortController();
  const timer = totalMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => deadline.abort(), totalMs).unref();
  const ended = AbortSignal.any([deadline.signal, ...(stop ? [stop] : [])]);
  const ways = new Map<string, Dispatcher>();
  const lookupSource = createSteadyLookup();

  function wayTo(to: URL, isSource: boolean): Dispatcher {
    const proxy = findProxy(to);
    if (proxy && !isSource)
      throw new SourceRefused(
        `a redirect to ${to.host} is not followed through ${describeProxy(proxy)}: name that address, or exempt it with NO_PROXY`,
      );
    const key = `${isSource} ${proxy?.url}`;
    const opened = ways.get(key);
    if (opened) return opened;
    const way = openDispatcher(proxy, { timeoutMs, lookup: isSource ? lookupSource : lookupPublic });
    ways.set(key, way);
    return way;
  }

  async function get(url: URL, headers: Record<string, string>, signal?: AbortSignal): Promise<SourceResponse> {
    let hop = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const dispatcher = wayTo(hop, hop.host === url.host);
      const sent = { "user-agent": agent, ...headers };
      const {
        statusCode,
        headers: received,
        body,
      } = await send(hop, { dispatcher, headers: sent, signals: [ended, signal] });
      const { location } = received;
      if (!REDIRECTS.has(statusCode) || typeof location !== "string")
        return { status: statusCode, headers: received, body };
      discard(body);
      hop = resolveRedirect(url, hop, location);
    }
    throw new SourceRefused(`${redactUrl(url)} redirects more than ${MAX_REDIRECTS} times`);
  }

  return {
    timeoutMs,
    signal: ended,
    isOutOfTime: () => deadline.signal.aborted,
    get,
    async close() {
      clearTimeout(timer);
      await Promise.all([...ways.values()].map((way) => way.destroy()));
    },
  };
}

interface RequestOptions {
  dispatcher: Dispatcher;
  headers: Record<string, string>;
  signals: (AbortSignal | undefined)[];
}

async function send(url: URL, { dispatcher, headers, signals }: RequestOptions) {
  try {
    // A body encoded in transit has neither the size nor the hash that the manifest states.
    const unencoded = { "accept-encoding": "identity" };
    const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
    return await request(url, { dispatcher, headers: { ...unencoded, ...headers }, signal });
  } catch (error) {
    if (error instanceof PrivateAddress)
      throw new SourceRefused(`${redactUrl(url)} is inside this network: ${error.message}`, error);
    const via = error instanceof ProxyError ? "" : viaProxy(url);
    const detail = describeError(error);
    const why = whyUnreachable(new URL("/", url), detail);
    throw new SourceUnreachable(`${redactUrl(url)} does not answer${via}: ${detail}`, error, why);
  }
}

function resolveRedirect(source: URL, from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new SourceRefused(`${redactUrl(from)} redirects to nowhere`);
  const to = new URL(location, from);
  if (to.protocol !== source.protocol)
    throw new SourceRefused(`${redactUrl(from)} redirects to another scheme, ${to.protocol}`);
  if (to.username || to.password) throw new SourceRefused(`${redactUrl(from)} redirects to an address with a password`);
  if (to.host !== source.host && isPrivate(to.hostname))
    throw new SourceRefused(`${redactUrl(from)} redirects into this network, to ${to.host}`);
  return to;
}

/** Drops a body that nobody reads, and its errors. */
export function discard(body: SourceResponse["body"]): undefined {
  body.on("error", () => {}).destroy();
}

/** Tells whether a status means that the file does not exist. Object stores answer 403 for it. */
export const isNotFound = (status: number): boolean => status === 403 || status === 404 || status === 410;
