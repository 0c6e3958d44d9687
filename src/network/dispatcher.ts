/**
 * The way to other hosts, which crawls, pulls, comparisons and login calls share: connections for undici (this file), the proxy that the
 * environment names (`proxy.ts`), bodies of a bounded size (`read-up-to.ts`), and what to do about a host that does not answer
 * (`unreachable.ts`).
 *
 * The trap: an error of a proxy comes in place of an answer of the host, and must not be taken for the host's (`ProxyError`). No message
 * may have the user name and password of a proxy (`describeProxy`).
 */

import type { LookupFunction } from "node:net";
import { Agent, type buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";
import { describeProxy, type HttpProxy, hasCredentials } from "./proxy.ts";

/** A fault at a proxy, before the host behind it is reached. */
export class ProxyError extends Error {
  override name = "ProxyError";
  readonly code: string | undefined;
  constructor(proxy: HttpProxy, what: string, cause?: unknown) {
    super(`${describeProxy(proxy)} ${what}`, { cause });
    const { code = "" } = (cause ?? {}) as NodeJS.ErrnoException;
    // This code is kept because it tells of a timeout; all others would be taken for those of the host behind the proxy.
    if (code.includes("TIMEOUT")) this.code = code;
  }
}

/** Options of a proxy agent; `connections` counts those to the proxy, for each host behind it. */
interface ProxyAgentOptions extends Pick<Pool.Options, "connections" | "pipelining" | "maxResponseSize"> {
  /** The timeout in milliseconds for connecting, for the first byte of an answer, and between its parts. */
  timeoutMs: number;
}

export interface DispatcherOptions extends ProxyAgentOptions {
  /** Looks up host names if there is no proxy. */
  lookup?: LookupFunction;
}

/** Opens a dispatcher for requests to any host, through a proxy if there is one, within the same limits either way. */
export function openDispatcher(proxy: HttpProxy | undefined, { lookup, ...options }: DispatcherOptions): Dispatcher {
  if (proxy) return openProxyAgent(proxy, options);
  const { timeoutMs, ...limits } = options;
  const connect = { timeout: timeoutMs, ...(lookup && { lookup }) };
  return new Agent({ connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs, ...limits });
}

/**
 * Opens a dispatcher for requests through a proxy, to any host: https through tunnels (`CONNECT`), http forwarded (RFC 9112, 3.2.2). The
 * limits hold as they do without a proxy.
 */
function openProxyAgent(proxy: HttpProxy, { timeoutMs, ...limits }: ProxyAgentOptions): Dispatcher {
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const agent = new ProxyAgent({
    uri: proxy.url.href,
    connectTimeout: timeoutMs,
    proxyTunnel: false,
    factory: (origin, options) => {
      const { connect } = options as { connect: buildConnector.connector };
      const isForward = new URL(origin).host === proxy.url.host;
      return new Pool(origin, { ...limits, ...timeouts, connect: isForward ? naming(connect, proxy) : connect });
    },
    clientFactory: (origin, options) => withConnect(new Pool(origin, { ...options, ...timeouts }), proxy),
  } as ProxyAgent.Options);
  return agent.compose((dispatch) => (options, handler) => dispatch(options, namingRefusal(handler, proxy)));
}

/** A connector whose errors name the proxy. */
const naming =
  (connect: buildConnector.connector, proxy: HttpProxy): buildConnector.connector =>
  (options, callback) =>
    connect(options, (error, socket) =>
      error ? callback(silent(proxy, error), null) : callback(null, socket as never),
    );

/** Wraps the client that opens tunnels, so that its errors say in one line why the proxy opened none. */
function withConnect(client: Pool, proxy: HttpProxy): Pool {
  const open = client.connect.bind(client);
  const connect = async (options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const { hostname } = new URL(`tunnel://${options.path}`);
    const answer = await open(options).catch((error) => {
      throw silent(proxy, error);
    });
    if (answer.statusCode === 200) return answer;
    answer.socket.on("error", () => {}).destroy();
    throw refusal(proxy, answer.statusCode, hostname);
  };
  return Object.assign(client, { connect });
}

function silent(proxy: HttpProxy, error: Error): ProxyError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new ProxyError(proxy, `does not answer: ${message.includes(code) ? message : `${code} ${message}`}`, error);
}

function refusal(proxy: HttpProxy, status: number, host: string): ProxyError {
  // Some proxies answer 401, which is meant for hosts.
  if (status === 407 || status === 401)
    return new ProxyError(
      proxy,
      hasCredentials(proxy.url)
        ? `rejects its user name and password (${status})`
        : `wants a user name and password (${status}): http://user:password@host:port`,
    );
  return new ProxyError(proxy, `${status >= 500 ? "does not reach" : "refuses"} ${host} (${status})`);
}

/** Names the proxy if it answers a forwarded request with 407. */
const namingRefusal = (handler: Dispatcher.DispatchHandler, proxy: HttpProxy): Dispatcher.DispatchHandler => ({
  onRequestStart: (...args) => handler.onRequestStart?.(...args),
  onResponseStart: (...args) => handler.onResponseStart?.(...args),
  onResponseData: (...args) => handler.onResponseData?.(...args),
  onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
  onResponseError: (controller, error) =>
    handler.onResponseError?.(controller, error.message.endsWith("(407)") ? refusal(proxy, 407, "") : error),
});
