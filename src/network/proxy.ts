import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { EXIT, Failure } from "../api/failure.ts";

/** A proxy that the environment names. */
export interface HttpProxy {
  url: URL;
  /** The variable that names it. */
  variable: string;
}

/**
 * Finds the proxy for an address: that of `http_proxy` or `https_proxy` by its scheme, unless `no_proxy` exempts its host. Names in lower
 * case come first, and an empty value means none. Loopback is always asked directly: at a proxy it would be the proxy's own. Throws a
 * `Failure` for a value that is no proxy.
 */
export function findProxy(
  { protocol, hostname, port }: URL,
  env: NodeJS.ProcessEnv = process.env,
): HttpProxy | undefined {
  const small = `${protocol.slice(0, -1)}_proxy`;
  const variable = env[small] === undefined ? small.toUpperCase() : small;
  const text = env[variable]?.trim();
  if (!text) return undefined;
  const host = normalise(hostname);
  if (isLoopback(host)) return undefined;
  const wantedPort = port || (protocol === "https:" ? "443" : "80");
  const exempt = (env.no_proxy ?? env.NO_PROXY ?? "").split(/[\s,]+/).filter(Boolean);
  if (exempt.some((entry) => matches(entry, host, wantedPort))) return undefined;
  return { url: parseProxy(text, variable), variable };
}

const PROXY = "the proxy ";

/** Tells whether the fault is that of a proxy, whose message begins so. */
export const isOfProxy = (message: string): boolean => message.startsWith(PROXY);

/** Names a proxy for messages, without its user name and password. */
export const describeProxy = ({ url, variable }: HttpProxy): string =>
  `${PROXY}${url.protocol}//${hasCredentials(url) ? "***@" : ""}${url.host} of ${variable}`;

export const hasCredentials = ({ username, password }: URL): boolean => username !== "" || password !== "";

/** Ends a message about a request that went through a proxy; empty if none is used. */
export function viaProxy(target: URL): string {
  const proxy = findProxy(target);
  return proxy ? ` through ${describeProxy(proxy)}` : "";
}

function parseProxy(text: string, variable: string): URL {
  const written = /^[\w+.-]+:\/\//.test(text) ? text : `http://${text}`;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.hostname && canDecode(url)) return url;
  // The value may hold a password, and is not quoted.
  throw new Failure(
    EXIT.usage,
    `${variable}: is not the URL of an http or https proxy`,
    "write it as http://proxy.example:3128, or http://user:password@proxy.example:3128 with special characters as %XX",
  );
}

function canDecode({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}

const normalise = (host: string) => host.toLowerCase().replace(/^\[|\]$|\.$/g, "");

const isLoopback = (host: string) =>
  /(^|\.)localhost$/.test(host) || (isIP(host) !== 0 && ipaddr.process(host).range() === "loopback");

/**
 * Matches a host with an entry of `no_proxy`: `*`, a name that stands for all below it, an address or a range (`10.0.0.0/8`), with or
 * without a port.
 */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  // An IPv6 address has a port only behind brackets.
  const [, written = entry, wantedPort = port] = /^(\[.+\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  if (wantedPort !== port) return false;
  const name = normalise(written).replace(/^\*?\./, "");
  if (isIP(host) !== 0) return holdsAddress(name, host);
  return name !== "" && (host === name || host.endsWith(`.${name}`));
}

function holdsAddress(range: string, host: string): boolean {
  const address = ipaddr.process(host);
  if (ipaddr.isValidCIDR(range)) {
    const [start, bits] = ipaddr.parseCIDR(range);
    return address.kind() === start.kind() && address.match(start, bits);
  }
  return ipaddr.isValid(range) && ipaddr.process(range).toString() === address.toString();
}
