import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Of IPv6 only this part is given out; what lies outside leads into our network, to a neighbour or nowhere. */
const GLOBAL = ipaddr.parseCIDR("2000::/3");

/**
 * Whether an address leads anywhere but into the public internet: whoever sends us there wants us to ask for him. Addresses
 * of IPv4 written as IPv6 count as what they are; what a gateway would turn into one (NAT64, 6to4, Teredo) counts as inside.
 */
export function isPrivate(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (isIP(bare) === 0) return false;
  const parsed = ipaddr.process(bare);
  return parsed.range() !== "unicast" || (parsed.kind() === "ipv6" && !parsed.match(GLOBAL));
}

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Resolves a name for the connection itself, so that no second answer of the name server can differ from the one checked. */
export function lookupPublic(host: string, options: LookupOptions, callback: Callback): void {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, []);
    const bad = found.find(({ address }) => isPrivate(address));
    if (bad) return callback(new PrivateAddress(host, bad.address), []);
    const [first] = found;
    if (options.all || !first) callback(null, found);
    else callback(null, first.address, first.family);
  });
}

export class PrivateAddress extends Error {
  constructor(host: string, address: string) {
    super(`${host} is the private address ${address}`);
  }
}
