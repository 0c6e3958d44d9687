import { isIP } from "node:net";
import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

type Address = IPv4 | IPv6;

/** The proxies whose `X-Forwarded-For` is trusted: a number of them in front of us, or those with certain addresses. */
export interface TrustedProxies {
  /** The option as it was given. */
  text: string;
  /** Hop 0 is the peer of the connection. */
  trusts(address: Address, hop: number): boolean;
}

/** Parses `2`, or addresses and ranges like `10.0.0.0/8,::1`; undefined if the text is neither. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d{1,2}$/.test(text)) return { text, trusts: (_, hop) => hop < Number(text) };
  const ranges = text.split(",").map((word) => parseRange(word.trim()));
  if (!ranges.every((range) => range !== undefined)) return undefined;
  const within = (address: Address) =>
    ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  return { text, trusts: within };
}

function parseRange(text: string): [Address, number] | undefined {
  const [address = "", bits, more] = text.split("/");
  if (isIP(address) === 0 || more !== undefined) return undefined;
  if (bits === undefined) return [ipaddr.parse(address), isIP(address) === 4 ? 32 : 128];
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined;
}

/**
 * The client's address, as a key to count by; `unknown` without one. `X-Forwarded-For` is read from the right as long as
 * trusted proxies wrote it: a client can invent everything left of that.
 */
export function createClientIp(trustProxy?: TrustedProxies) {
  return (peer: string | undefined, forwardedFor: string | null | undefined): string => {
    let client = parseAddress(peer ?? "");
    if (!client) return "unknown";
    const before = forwardedFor?.split(",") ?? [];
    for (let hop = 0; trustProxy?.trusts(client, hop) && before.length > 0; hop += 1) {
      const next = parseAddress(before.pop() ?? "");
      if (!next) break;
      client = next;
    }
    return toKey(client);
  };
}

/** Some proxies append the port. */
function parseAddress(text: string): Address | undefined {
  const bare = text.trim().replace(/^\[([^\]]*)\](:\d+)?$|^([\d.]+):\d+$/, "$1$3");
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare);
}

/** IPv6 by its /64: one client usually has all of it. */
function toKey(address: Address): string {
  return address.kind() === "ipv4"
    ? address.toString()
    : new ipaddr.IPv6([...address.toByteArray().slice(0, 8), ...new Array(8).fill(0)]).toString();
}
