import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP } from "node:net";

/** Addresses that lead into the network we stand in: whoever sends us there wants us to ask for him. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv6");

/** IPv4 addresses written as IPv6 count as what they are. */
export function isPrivate(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "");
  const family = isIP(bare);
  return family !== 0 && PRIVATE.check(bare, family === 6 ? "ipv6" : "ipv4");
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
