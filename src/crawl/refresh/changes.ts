import { canonical, hashSlice } from "../../api/body/canonical.ts";
import { unwrapPictures } from "../../api/body/pictures.ts";
import { type Slice, sliceId } from "../../api/endpoint.ts";
import { capturedById } from "../../journal/captured.ts";
import type { Run } from "../run.ts";
import { heldOf } from "./base.ts";

/** When and by whom a record was written: new with each batch, whatever the record says. */
const BOOKKEEPING = /^(?:_id|_?(?:created|updated)(?:At|User))$/;

/** Those of these slices that say something else than in the base. */
export function findChanged(run: Run, slices: readonly Slice[]): Slice[] {
  const { base } = run.options.refresh ?? {};
  const have = capturedById(run.journal);
  return slices.filter((slice) => {
    const [stored, held] = [have.get(sliceId(slice)), heldOf(base, slice)];
    if (!stored || !held || !base) return false;
    const records = run.journal.records(stored);
    return hashSlice(records) !== held.sha256 && toWords(records) !== toWords(base.records(slice));
  });
}

const toWords = (records: readonly unknown[]): string =>
  canonical(
    JSON.parse(JSON.stringify(unwrapPictures(records), (key, value) => (BOOKKEEPING.test(key) ? undefined : value))),
  );
