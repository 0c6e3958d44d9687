/**
 * Image proxies, and in which parameter they take the address of a picture. The upstream puts one before every picture, or none, as
 * its operator likes: both are the same picture.
 */
const PROXIES = [
  { host: "wsrv.nl", parameter: "url" },
  { host: "images.weserv.nl", parameter: "url" },
] as const;

/** What a text mentions that has the address of one of them in it. */
export const PROXY_HOSTS: readonly string[] = PROXIES.map(({ host }) => host);

/** Proxies before one another; more is no address of a picture. */
const MAX_LAYERS = 3;

const STARTS = PROXIES.map(({ host, parameter }) => ({
  start: new RegExp(`^(?:(?:https?:)?//)?${host.replaceAll(".", "\\.")}/?\\?`, "i"),
  name: `${parameter}=`,
}));

const proxyOf = (text: string) => STARTS.find(({ start }) => start.test(text));

/** The address of the picture itself; the text as it is, where it is that already or is nothing that can be read. */
export function unwrapPicture(text: string): string {
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

/** The address in the one parameter of that name; undefined where there is none, or several. */
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
/** A name with a dot, so that a path of the upstream's own host is none. */
const WITHOUT_SCHEME = /^[^\s/?#@:]+\.[^\s/?#@:]+(?::\d+)?(?:[/?#]|$)/;

/** With its scheme: proxies take addresses without one, and `ssl:` before them. Undefined where it is no web address. */
function readAddress(text: string): string | undefined {
  const bare = text.replace(/^(?:ssl:)?(?:\/\/)?/i, "");
  const address = WITH_SCHEME.test(text) ? text : WITHOUT_SCHEME.test(bare) ? `https://${bare}` : "";
  return URL.canParse(address) ? address : undefined;
}

/** A JSON value with the addresses of the pictures themselves in it; the same object where there are no others. */
export const unwrapPictures = <T>(value: T): T => (holdsProxied(value) ? (unwrapAll(value) as T) : value);

/** Looking is much cheaper than copying, and as a rule there is nothing to unwrap. */
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
