import type { LookupFunction } from "node:net";
import { Agent, type Dispatcher } from "undici";
import type { HttpProxy } from "./proxy.ts";
import { openProxyAgent, type ProxyAgentOptions } from "./proxy-agent.ts";

export interface DispatcherOptions extends ProxyAgentOptions {
  /** Looks up names where there is no proxy to tell an address to. */
  lookup?: LookupFunction;
}

/** Requests to any host, through a proxy where there is one, within the same limits either way. */
export function openDispatcher(proxy: HttpProxy | undefined, { lookup, ...options }: DispatcherOptions): Dispatcher {
  if (proxy) return openProxyAgent(proxy, options);
  const { timeoutMs, resolve: _, ...limits } = options;
  const connect = { timeout: timeoutMs, ...(lookup && { lookup }) };
  return new Agent({ connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs, ...limits });
}
