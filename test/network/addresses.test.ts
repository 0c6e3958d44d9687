import type { LookupAddress, lookup } from "node:dns";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSteadyLookup, isPrivate } from "../../src/extra/nights/pull/addresses.ts";
import { SEED } from "../helpers/random.ts";

/** From the registries of IANA for special purposes (IPv4, IPv6), and multicast. */
const INSIDE_4 = [
  ..."0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24".split(" "),
  ..."192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4".split(" "),
];
/** Anycast of single services. Nobody hosts a mirror there. */
const SERVICES_4 = ["192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24"];
const INSIDE_6 = [
  ..."::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16".split(" "),
  ..."fc00::/7 fe80::/10 fec0::/10 ff00::/8 ::ffff:0:0:0/96 4000::/2 8000::/2".split(" "),
];
const SERVICES_6 = ["2620:4f:8000::/48"];

const toNumber4 = (address: string) => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const toText4 = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");

/** The eight groups as one number. */
function toNumber6(address: string): bigint {
  const [head = "", tail] = address.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const before = head === "" ? [] : head;
  const zeros = tail === undefined ? [] : new Array<string>(8 - before.length - tail.length).fill("0");
  return [...before, ...zeros, ...(tail ?? [])].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}
const toText6 = (number: bigint) =>
  Array.from({ length: 8 }, (_, at) => ((number >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(":");

const split = (range: string) => range.split("/") as [string, string];
const ends4 = (range: string): [number, number] => {
  const [address, prefix] = split(range);
  return [toNumber4(address), toNumber4(address) + 2 ** (32 - Number(prefix)) - 1];
};
const ends6 = (range: string): [bigint, bigint] => {
  const [address, prefix] = split(range);
  return [toNumber6(address), toNumber6(address) + 2n ** BigInt(128 - Number(prefix)) - 1n];
};

const RANGES_4 = [...INSIDE_4, ...SERVICES_4].map(ends4);
const RANGES_6 = [...INSIDE_6, ...SERVICES_6].map(ends6);
const inside4 = (number: number) => RANGES_4.some(([first, last]) => number >= first && number <= last);
const inside6 = (number: bigint) =>
  number >> 125n !== 1n || RANGES_6.some(([first, last]) => number >= first && number <= last);

const any4 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const any6 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
const within4 = fc.constantFrom(...RANGES_4).chain(([min, max]) => fc.integer({ min, max }));
const within6 = fc.constantFrom(...RANGES_6).chain(([min, max]) => fc.bigInt({ min, max }));
const global6 = fc.bigInt({ min: 1n << 125n, max: (1n << 126n) - 1n });

describe("addresses", () => {
  test.for([...INSIDE_4, ...SERVICES_4])("%s is inside, its neighbours are what they are", (range) => {
    const [first, last] = ends4(range);
    for (const number of [first, last, first - 1, last + 1])
      if (number >= 0 && number < 2 ** 32)
        expect([number, isPrivate(toText4(number))]).toEqual([number, inside4(number)]);
    expect(isPrivate(toText4(first))).toBe(true);
  });

  test.for([...INSIDE_6, ...SERVICES_6])("%s is inside, its neighbours are what they are", (range) => {
    const [first, last] = ends6(range);
    for (const number of [first, last, first - 1n, last + 1n]) {
      // Mapped addresses are of IPv4.
      if (number < 0n || number >> 128n > 0n || number >> 32n === 0xffffn) continue;
      expect([toText6(number), isPrivate(toText6(number))]).toEqual([toText6(number), inside6(number)]);
    }
    expect(isPrivate(toText6(first))).toBe(true);
  });

  test("of IPv4 are known in every range, and so are those that are mapped into IPv6", () => {
    const check = fc.property(fc.oneof(any4, within4), (number) => {
      const text = toText4(number);
      expect(isPrivate(text)).toBe(inside4(number));
      expect(isPrivate(`::ffff:${text}`)).toBe(inside4(number));
      expect(isPrivate(`[${toText6(0xffff_0000_0000n + BigInt(number))}]`)).toBe(inside4(number));
    });
    fc.assert(check, { seed: SEED, numRuns: 5000 });
  });

  test("of IPv6 are known in every range", () => {
    const check = fc.property(fc.oneof(any6, within6, global6), (number) => {
      fc.pre(number >> 32n !== 0xffffn);
      for (const text of [toText6(number), `[${toText6(number)}]`, `${toText6(number)}%eth0`])
        expect([text, isPrivate(text)]).toEqual([text, inside6(number)]);
    });
    fc.assert(check, { seed: SEED, numRuns: 5000 });
  });

  test("of IPv4 that is inside, in any gateway's form, are inside", () => {
    const check = fc.property(within4, (number) => {
      const [high, low] = [(number >>> 16).toString(16), (number & 0xffff).toString(16)];
      const forms = [
        `64:ff9b::${high}:${low}`,
        `64:ff9b:1::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `::${high}:${low}`,
      ];
      const teredo = `2001:0:${high}:${low}:0:0:${high}:${low}`;
      for (const text of [...forms, teredo, `::ffff:0:${high}:${low}`])
        expect([text, isPrivate(text)]).toEqual([text, true]);
    });
    fc.assert(check, { seed: SEED, numRuns: 1000 });
  });

  test.for(["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1", "2a00:1450:4001::1", "mirror.example", "1.2.3"])(
    "%s is not inside",
    (address) => expect(isPrivate(address)).toBe(false),
  );
});

test("a name that was looked up keeps its addresses, whatever is said of it later", async () => {
  const answers: LookupAddress[][] = [[{ address: "1.1.1.1", family: 4 }], [{ address: "10.0.0.1", family: 4 }]];
  const steady = createSteadyLookup(((_host: string, _options: object, callback: (...answer: unknown[]) => void) =>
    callback(null, answers.shift())) as typeof lookup);
  const find = promisify(steady) as unknown as (host: string, options: object) => Promise<unknown>;
  for (const _ of [1, 2, 3]) expect(await find("mirror.example", {})).toBe("1.1.1.1");
  expect(await find("mirror.example", { all: true })).toEqual([{ address: "1.1.1.1", family: 4 }]);
  expect(await find("other.example", {})).toBe("10.0.0.1");
});
