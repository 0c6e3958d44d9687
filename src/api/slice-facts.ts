import { type HeroRates, readIdentity, readRates, readStamp, recordKey } from "./body/record-fields.ts";
import type { Endpoint, Identity } from "./endpoint.ts";
import { fingerprintShown } from "./localise.ts";

/** Facts of a captured slice for the consistency checks of a crawl; the journal keeps them beside the answer. */
export interface SliceFacts {
  /** Start of the run that asked for it. */
  asked_at?: string;
  /** The number of its records. */
  records: number;
  /** The newest batch stamp of its records. */
  stamp?: number | string;
  rates?: HeroRates[];
  /** The ids of the heroes, if it is a list of heroes. */
  keys?: number[];
  /** The identifying fields that its records carry: the field signature. It should be the same in all slices of an endpoint. */
  face?: string;
  /** The first detail in it that is not as documented. */
  odd?: string;
  /** Fingerprints of the texts of other lists that its records show. */
  shown?: string[];
}

/** Stands for the time of an answer that was asked in a night with a wrong clock. */
export const UNKNOWN_TIME = new Date(0).toISOString();

export function readSliceFacts(endpoint: Endpoint, records: readonly unknown[]): SliceFacts {
  const { rates, identity, text, ofHeroes } = endpoint;
  const shown = records.flatMap((record) => fingerprintShown(text, record));
  const stamps = records.flatMap((record) => readStamp(endpoint, record) ?? []);
  const newest = stamps.reduce<number | string | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
  const first = records[0];
  return {
    records: records.length,
    ...(newest !== undefined && { stamp: newest }),
    ...(rates && { rates: records.flatMap((record) => readRates(endpoint, record)) }),
    ...(ofHeroes && { keys: records.map((record) => Number(recordKey(endpoint, record))) }),
    ...(identity && first !== undefined && { face: signatureOf(readIdentity(identity, first), newest !== undefined) }),
    ...(shown.length > 0 && { shown: [...new Set(shown)] }),
  };
}

const signatureOf = ({ bigrank, match_type }: Partial<Record<keyof Identity, string>>, stamped: boolean) =>
  [bigrank === undefined ? "no bigrank" : "bigrank", `match_type ${match_type}`, stamped ? "stamp" : "no stamp"].join(
    ", ",
  );
