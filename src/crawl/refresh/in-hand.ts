import { type Slice, sliceId } from "../../api/endpoint.ts";
import { createListLookup, type ListLookup } from "../../api/localise.ts";
import { capturedById } from "../../journal/captured.ts";
import type { Run } from "../run.ts";
import { heldOf } from "./base.ts";

/** The lists that this crawl has asked for, or that it carries over. */
export function listsInHand({ journal, options }: Run): ListLookup {
  const captured = capturedById(journal, ["answer", "proof"]);
  const base = options.refresh?.base;
  return createListLookup((dataset, lang) => {
    const slice: Slice = { dataset, lang };
    const list = captured.get(sliceId(slice));
    if (list) return journal.records(list);
    return heldOf(base, slice) ? base?.records(slice) : undefined;
  });
}
