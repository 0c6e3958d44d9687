import { EXIT, Failure } from "../../api/failure.ts";
import { isMadeUp, nameProvenance } from "../../api/sample-data.ts";
import type { Journal } from "../../journal/journal.ts";
import type { UpstreamResponse } from "../upstream/upstream.ts";
import { type Rejected, reject } from "./validate.ts";

/** Refuses an answer with made-up numbers if real ones are wanted, and the other way round. */
export type CheckKind = (response: UpstreamResponse) => Rejected | undefined;

/**
 * The first answer that is taken says of which kind the journal is, unless the folder holds snapshots: then it is of theirs
 * (`sample`: made up). A host that has said once that its numbers are made up is trusted if an answer does not say so:
 * something in front of it may have answered, or dropped the header. Throws a Failure if a journal that goes on is of
 * another kind than the folder.
 */
export function createKindCheck(journal: Journal, { data, sample }: { data: string; sample?: boolean | undefined }) {
  const began = kindOf(journal);
  if (began !== undefined && sample !== undefined && began !== sample)
    throw new Failure(
      EXIT.usage,
      `${journal.file}: is an unfinished journal of ${nameProvenance(began)} numbers, and the snapshots in ${data} hold ${nameProvenance(sample)} ones`,
      "name another folder with --data, or drop it with --fresh",
    );
  const holder = began === undefined && sample !== undefined ? `the snapshots in ${data} hold` : "this crawl holds";
  let kind = began ?? sample;
  let known = began !== undefined;
  const declared = new Set<string>();
  const check: CheckKind = ({ host, headers }) => {
    if (isMadeUp(headers)) declared.add(host);
    const found = isMadeUp(headers) || (kind === true && declared.has(host));
    kind ??= found;
    if (found !== kind)
      return reject(
        "wrong-kind",
        `its numbers are ${nameProvenance(found)}, and ${holder} ${nameProvenance(kind)} ones`,
      );
    if (!known) journal.setState("sample", found);
    known = true;
    return undefined;
  };
  return check;
}

/** Returns the kind of the numbers; undefined before the first answer. */
function kindOf(journal: Journal): boolean | undefined {
  const isEmpty = journal.slices().every(({ pages }) => pages === 0);
  return isEmpty ? undefined : journal.getState("sample");
}
