import type { IncomingHttpHeaders } from "node:http";
import { Agent, type Dispatcher, request } from "undici";
import { DATA_HEADERS } from "../../api/request/asking.ts";
import { isPrivate, lookupPublic, PrivateAddress } from "./addresses.ts";
import { type Times, TOTAL } from "./times.ts";
import { Refused, Unreachable } from "./trouble.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Dispatcher.ResponseData["body"];
}

export interface Client {
  /** Milliseconds: for an answer to begin, and for a small one to end. */
  timeout: number;
  /** Told to stop, or out of time. */
  ended: AbortSignal;
  /** The time for all of it is over. */
  late(): boolean;
  /** One GET, redirects followed. Whoever gets the answer reads its body or destroys it. */
  get(url: URL, headers: Record<string, string>, signal?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Asks one source. The operator named its host, so that may be any; a redirect leads to another host only with the same
 * scheme, and never to one inside our own network.
 */
export function createClient({ timeout, total = TOTAL }: Times, stop?: AbortSignal): Client {
  const deadline = new AbortController();
  const timer = total === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => deadline.abort(), total).unref();
  const ended = AbortSignal.any([deadline.signal, ...(stop ? [stop] : [])]);
  const times = { headersTimeout: timeout, bodyTimeout: timeout };
  const named = new Agent({ ...times, connect: { timeout } });
  const other = new Agent({ ...times, connect: { timeout, lookup: lookupPublic } });

  async function get(url: URL, headers: Record<string, string>, signal?: AbortSignal): Promise<Answer> {
    let at = url;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const dispatcher = at.host === url.host ? named : other;
      const { statusCode, headers: received, body } = await ask(at, { dispatcher, headers, signals: [ended, signal] });
      const { location } = received;
      if (!REDIRECTS.has(statusCode) || typeof location !== "string")
        return { status: statusCode, headers: received, body };
      body.on("error", () => {}).destroy();
      at = follow(url, at, location);
    }
    throw new Refused(`${nameOf(url)} redirects more than ${MAX_REDIRECTS} times`);
  }

  return {
    timeout,
    ended,
    late: () => deadline.signal.aborted,
    get,
    async close() {
      clearTimeout(timer);
      await Promise.all([named.destroy(), other.destroy()]);
    },
  };
}

interface Asking {
  dispatcher: Dispatcher;
  headers: Record<string, string>;
  signals: (AbortSignal | undefined)[];
}

async function ask(url: URL, { dispatcher, headers, signals }: Asking) {
  try {
    // A body that was encoded on the way would be neither of the size nor of the hash that the manifest names.
    const own = { "user-agent": DATA_HEADERS["user-agent"], "accept-encoding": "identity" };
    const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
    return await request(url, { dispatcher, headers: { ...own, ...headers }, signal });
  } catch (error) {
    if (error instanceof PrivateAddress)
      throw new Refused(`${nameOf(url)} is inside this network: ${error.message}`, error);
    throw new Unreachable(`${nameOf(url)} does not answer: ${describe(error)}`, error);
  }
}

function follow(from: URL, at: URL, location: string): URL {
  if (!URL.canParse(location, at.href)) throw new Refused(`${nameOf(at)} redirects to nowhere`);
  const to = new URL(location, at);
  if (to.protocol !== from.protocol) throw new Refused(`${nameOf(at)} redirects to another scheme, ${to.protocol}`);
  if (to.username || to.password) throw new Refused(`${nameOf(at)} redirects to an address with a password`);
  if (to.host !== from.host && isPrivate(to.hostname))
    throw new Refused(`${nameOf(at)} redirects into this network, to ${to.host}`);
  return to;
}

/** Without its query, which may be a secret. */
export const nameOf = (url: URL) => `${url.origin}${url.pathname}`;

export function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code && !message.includes(code) ? `${code} ${message}`.trim() : message || String(error);
}
