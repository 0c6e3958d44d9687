import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unwrap } from "../../../src/api/body/wrapping.ts";
import { type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { openJournal } from "../../../src/journal/open.ts";

/** The place of what is around the records. */
export const ENVELOPE = "(envelope)";

/** The bodies of a journal by slice, in its order. */
export interface Bodies {
  slices: readonly Slice[];
  bodyOf: (slice: Slice) => string;
  close: () => void;
}

/** Reads a copy: a journal has one reader at a time. Slices of several pages, and the proof of languages, are left out. */
export function openBodies(journalFile: string): Bodies {
  const folder = mkdtempSync(join(tmpdir(), "metasnap-bodies-"));
  const copy = join(folder, "copy.journal");
  copyFileSync(journalFile, copy);
  const journal = openJournal(copy);
  const stored = new Map(journal.slices().flatMap((one) => (one.pages === 1 ? [[sliceId(one.slice), one]] : [])));
  return {
    slices: [...stored.values()].map(({ slice }) => slice),
    bodyOf: (slice) => journal.pages(stored.get(sliceId(slice))?.id ?? 0).join(""),
    close() {
      journal.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export const recordsIn = ({ dataset }: Slice, body: string): unknown[] =>
  unwrap(endpointOf(dataset).wrapping ?? "pages", JSON.parse(body));

/** Slices of one dataset that are looked at, from all over it: all paths are in the first few already. */
const ENOUGH = 200;

/** Every path of every dataset that a journal holds, the record itself (`""`) and the envelope among them. */
export function collectPaths({ slices, bodyOf }: Bodies): Map<string, string[]> {
  return new Map(
    [...Map.groupBy(slices, ({ dataset }) => dataset)].map(([dataset, own]) => {
      const paths = new Set([ENVELOPE]);
      const stride = Math.ceil(own.length / ENOUGH);
      for (const slice of own.filter((_, place) => place % stride === 0))
        for (const record of recordsIn(slice, bodyOf(slice))) visit(record, "", paths);
      return [dataset, [...paths].sort()];
    }),
  );
}

function visit(node: unknown, path: string, paths: Set<string>) {
  paths.add(path);
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) for (const element of node) visit(element, `${path}[]`, paths);
  else for (const [key, value] of Object.entries(node)) visit(value, path === "" ? key : `${path}.${key}`, paths);
}
