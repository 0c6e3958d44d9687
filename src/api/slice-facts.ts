import { type HeroRates, readIdentity, readRates, readStamp, recordKey } from "./body/record-fields.ts";
import type { Endpoint, Identity } from "./endpoint.ts";
import { fingerprintShown } from "./localise.ts";

/** What the consistency checks of a crawl need of a captured slice; the journal keeps it beside the answer. */
export interface SliceFacts {
  /** Start of the run that asked for it. */
  asked_at?: string;
  /** How many records it has. */
  records: number;
  /** The newest batch stamp of its records. */
  stamp?: number | string;
  rates?: HeroRates[];
  /** Of a list of heroes: their ids. */
  keys?: number[];
  /** Which identifying fields its records carry: the field signature. It should be the same in all slices of an endpoint. */
  face?: string;
  /** The first thing in it that is not as documented. */
  odd?: string;
  /** Fingerprints of the texts of other lists that its records show. */
  shown?: string[];
}

/** When an answer was asked of which the night that asked it had a wrong clock: nobody knows. */
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
