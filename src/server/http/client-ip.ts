import { isIP } from "node:net";
import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

type Address = IPv4 | IPv6;

/** Which proxies are believed: so many in front of us, or those with these addresses. */
export interface Trust {
  /** As it was given. */
  text: string;
  /** Hop 0 is whoever is connected to us. */
  believes(address: Address, hop: number): boolean;
}

/** `2`, or addresses and ranges as `10.0.0.0/8,::1`. Nothing when it is neither. */
export function parseTrust(text: string): Trust | undefined {
  if (/^\d{1,2}$/.test(text)) return { text, believes: (_, hop) => hop < Number(text) };
  const ranges = text.split(",").map((word) => parseRange(word.trim()));
  if (!ranges.every((range) => range !== undefined)) return undefined;
  const within = (address: Address) =>
    ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  return { text, believes: within };
}

function parseRange(text: string): [Address, number] | undefined {
  const [address = "", bits, more] = text.split("/");
  if (isIP(address) === 0 || more !== undefined) return undefined;
  if (bits === undefined) return [ipaddr.parse(address), isIP(address) === 4 ? 32 : 128];
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined;
}

/**
 * Who calls, as a key to count by. `X-Forwarded-For` is read from the right, as far as it was written by proxies that are
 * believed: what is left of that anybody can invent.
 */
export function createClientOf(trust?: Trust) {
  return (peer: string | undefined, forwardedFor: string | null | undefined): string => {
    let client = parseAddress(peer ?? "");
    if (!client) return "unknown";
    const before = forwardedFor?.split(",") ?? [];
    for (let hop = 0; trust?.believes(client, hop) && before.length > 0; hop += 1) {
      const next = parseAddress(before.pop() ?? "");
      if (!next) break;
      client = next;
    }
    return toKey(client);
  };
}

/** Some proxies write the port too. */
function parseAddress(text: string): Address | undefined {
  const bare = text.trim().replace(/^\[([^\]]*)\](:\d+)?$|^([\d.]+):\d+$/, "$1$3");
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare);
}

/** Whoever has one address of version 6 has the 2^64 beside it. */
function toKey(address: Address): string {
  return address.kind() === "ipv4"
    ? address.toString()
    : new ipaddr.IPv6([...address.toByteArray().slice(0, 8), ...new Array(8).fill(0)]).toString();
}
