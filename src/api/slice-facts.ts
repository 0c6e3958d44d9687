import { type HeroRates, readIdentity, readRates, readStamp, recordKey } from "./body/record-fields.ts";
import type { Endpoint, Identity } from "./endpoint.ts";
import { fingerprintShown } from "./localise.ts";

/** What a captured slice says about itself and about the moment it shows. */
export interface SliceFacts {
  /** The newest stamp in it. */
  stamp?: number | string;
  rates?: HeroRates[];
  /** Of a list of heroes: whom it is about. */
  keys?: number[];
  /** Which marks of identity its records carry; all slices of an endpoint should look alike. */
  face?: string;
  /** The texts of other lists that its records show, as fingerprints. */
  shown?: string[];
}

export function readSliceFacts(endpoint: Endpoint, records: readonly unknown[]): SliceFacts {
  const { rates, identity, text, ofHeroes } = endpoint;
  const shown = records.flatMap((record) => fingerprintShown(text, record));
  const stamps = records.flatMap((record) => readStamp(endpoint, record) ?? []);
  const newest = stamps.reduce<number | string | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
  const first = records[0];
  return {
    ...(newest !== undefined && { stamp: newest }),
    ...(rates && { rates: records.flatMap((record) => readRates(endpoint, record)) }),
    ...(ofHeroes && { keys: records.map((record) => Number(recordKey(endpoint, record))) }),
    ...(identity && first !== undefined && { face: faceOf(readIdentity(identity, first), newest !== undefined) }),
    ...(shown.length > 0 && { shown: [...new Set(shown)] }),
  };
}

const faceOf = ({ bigrank, match_type }: Partial<Record<keyof Identity, string>>, stamped: boolean) =>
  [bigrank === undefined ? "no bigrank" : "bigrank", `match_type ${match_type}`, stamped ? "stamp" : "no stamp"].join(
    ", ",
  );
