import type { Endpoint, Rates } from "./endpoint.ts";

/** What a captured slice says about the moment it shows. */
export interface Facts {
  /** The newest stamp in it. */
  stamp?: number | string;
  rates?: Rates[];
}

export function factsOf({ stamp, rates }: Endpoint, records: readonly unknown[]): Facts {
  const stamps = stamp ? records.flatMap((record) => stamp(record) ?? []) : [];
  const newest = stamps.reduce<number | string | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
  return {
    ...(newest !== undefined && { stamp: newest }),
    ...(rates && { rates: records.map(rates) }),
  };
}
