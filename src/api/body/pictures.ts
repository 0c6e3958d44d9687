import { MAX_LINE_CHARS } from "./bounds.ts";

/**
 * Image proxies, with the parameter that takes the address of a picture. The upstream puts one before every picture, or none, as its
 * operator likes: both are the same picture.
 */
const PROXIES = [
  { host: "wsrv.nl", parameter: "url" },
  { host: "images.weserv.nl", parameter: "url" },
] as const;

/** The hosts of the proxies. A text that holds a proxied address mentions one of them. */
export const PROXY_HOSTS: readonly string[] = PROXIES.map(({ host }) => host);

/** The most proxies before one another; an address with more is no address of a picture. */
const MAX_LAYERS = 3;

const STARTS = PROXIES.map(({ host, parameter }) => ({
  start: new RegExp(`^(?:(?:https?:)?//)?${host.replaceAll(".", "\\.")}/?\\?`, "i"),
  name: `${parameter}=`,
}));

const proxyOf = (text: string) => STARTS.find(({ start }) => start.test(text));

/** Returns the address of the picture itself; the text as it is if it already is that address, is too long for one or cannot be read. */
export function unwrapPicture(text: string): string {
  if (text.length > MAX_LINE_CHARS) return text;
  let address = text;
  for (let layer = 0; layer <= MAX_LAYERS; layer += 1) {
    const proxy = proxyOf(address);
    if (!proxy) return address;
    const inner = readInner(address, proxy.start, proxy.name);
    if (inner === undefined) return text;
    address = inner;
  }
  return text;
}

/** Reads the address in the one parameter of that name; undefined if there is none, or several. */
function readInner(address: string, start: RegExp, name: string): string | undefined {
  const [query = ""] = address.replace(start, "").split("#", 1);
  const [value, ...others] = query.split("&").filter((part) => part.startsWith(name));
  if (value === undefined || others.length > 0) return undefined;
  try {
    return readAddress(decodeURIComponent(value.slice(name.length)));
  } catch {
    return undefined;
  }
}

const WITH_SCHEME = /^https?:\/\/[^/?#\s]/i;
/** An address without a scheme. Its first segment has a dot, which tells it from a path of the upstream's own host. */
const WITHOUT_SCHEME = /^[^\s/?#@:]+\.[^\s/?#@:]+(?::\d+)?(?:[/?#]|$)/;

/** Reads an address and completes its scheme: proxies take addresses without one, and with `ssl:`. Undefined if it is no web address. */
function readAddress(text: string): string | undefined {
  const bare = text.replace(/^(?:ssl:)?(?:\/\/)?/i, "");
  const address = WITH_SCHEME.test(text) ? text : WITHOUT_SCHEME.test(bare) ? `https://${bare}` : "";
  return URL.canParse(address) ? address : undefined;
}

/** Returns a JSON value with the addresses of the pictures themselves in it; the same object if it holds no others. */
export const unwrapPictures = <T>(value: T): T => (holdsProxied(value) ? (unwrapAll(value) as T) : value);

/** Tells whether there is anything to unwrap. Looking first is much cheaper than copying, and as a rule there is nothing. */
function holdsProxied(value: unknown): boolean {
  if (typeof value === "string") return proxyOf(value) !== undefined;
  if (value === null || typeof value !== "object") return false;
  return Object.values(value).some(holdsProxied);
}

function unwrapAll(value: unknown): unknown {
  if (typeof value === "string") return unwrapPicture(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(unwrapAll);
  // Object.fromEntries defines own properties, so that a key named __proto__ stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, unwrapAll(child)]));
}
