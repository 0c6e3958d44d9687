import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { isIP } from "node:net";
import { promisify } from "node:util";
import ipaddr from "ipaddr.js";

/** The only range of IPv6 that holds public addresses (RFC 4291, global unicast as allocated by IANA). */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/**
 * Private and other non-public ranges; redirects to them are refused (SSRF). An IPv4-mapped IPv6 address counts as its IPv4
 * address; one that a gateway translates to IPv4 (NAT64, 6to4, Teredo) counts as private. False for a host name.
 */
export function isPrivate(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (isIP(bare) === 0) return false;
  const parsed = ipaddr.process(bare);
  return parsed.range() !== "unicast" || (parsed.kind() === "ipv6" && !parsed.match(GLOBAL_UNICAST));
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * `dns.lookup` that fails with `PrivateAddress` for a private address. The connection itself uses it, so that the checked
 * address is the one connected to (DNS rebinding).
 */
export function lookupPublic(host: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const forbidden = addresses.find(({ address }) => isPrivate(address));
    if (forbidden) return callback(new PrivateAddress(host, forbidden.address), []);
    hand(addresses, options, callback);
  });
}

/**
 * `dns.lookup` that gives each name the addresses of the first answer: what an operator has chosen is not another host in the
 * next moment.
 */
export function createSteadyLookup(find: typeof lookup = lookup) {
  const known = new Map<string, Promise<LookupAddress[]>>();
  return (host: string, options: LookupOptions, callback: LookupCallback): void => {
    const first = known.get(host) ?? promisify(find)(host, { ...options, all: true });
    known.set(host, first);
    first.then(
      (addresses) => hand(addresses, options, callback),
      (error: Error) => {
        known.delete(host);
        callback(error, []);
      },
    );
  };
}

function hand(addresses: LookupAddress[], { all }: LookupOptions, callback: LookupCallback) {
  const [first] = addresses;
  if (all || !first) callback(null, addresses);
  else callback(null, first.address, first.family);
}

export class PrivateAddress extends Error {
  constructor(host: string, address: string) {
    super(`${host} is the private address ${address}`);
  }
}
