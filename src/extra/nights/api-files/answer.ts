import { type Chunk, joinChunks, wrap } from "../../../api/body/wrapping.ts";
import { type Endpoint, type Slice, sliceKey } from "../../../api/endpoint.ts";
import { BASE_LANG, type Lang } from "../../../api/enumerations.ts";
import { HERO_IDENTIFIER } from "../../../api/request/path-parameter.ts";
import { isSample } from "../../../api/sample-data.ts";
import type { StoredPage } from "../../../snapshot/read/slices.ts";
import type { Snapshot } from "../../../snapshot/read/snapshot.ts";

/** The reasons why a file is missing, besides those of the table `coverage`. */
export const ABSENCES = {
  "not-in-snapshot": "the snapshot knows nothing of the slice",
  "no-translation": "a list of that language lacks a text that the records show",
  "not-a-path": "the word of the upstream cannot stand in a path",
} as const;

/** The bytes of a file, or the reason why the file is missing. */
export type FileAnswer = { body: Buffer } | { reason: string };

/** The whole answer to a slice, with the records that a server gives. */
export function readAnswer(snapshot: Snapshot, endpoint: Endpoint, slice: Slice): FileAnswer {
  const { lang } = slice;
  // A server refuses all of a language whose list of heroes is missing.
  const heroes = HERO_IDENTIFIER.list;
  if (!snapshot.heldList(heroes, lang)?.total) return { reason: reasonOf(snapshot, { dataset: heroes, lang }) };
  const inLanguage = readPage(snapshot, slice);
  if (inLanguage) return toAnswer(snapshot, endpoint, inLanguage);
  if (endpoint.text === "all" || lang === BASE_LANG) return { reason: reasonOf(snapshot, slice) };
  const base: Slice = { ...slice, lang: BASE_LANG };
  const inBase = readPage(snapshot, base);
  return inBase ? toAnswer(snapshot, endpoint, inBase, lang) : { reason: reasonOf(snapshot, base) };
}

const readPage = (snapshot: Snapshot, slice: Slice): StoredPage | undefined =>
  snapshot.page(slice.dataset, sliceKey(slice), 0, Number.MAX_SAFE_INTEGER);

const reasonOf = (snapshot: Snapshot, slice: Slice): string =>
  snapshot.holeOf(slice.dataset, sliceKey(slice))?.reason ?? ("not-in-snapshot" satisfies keyof typeof ABSENCES);

function toAnswer(snapshot: Snapshot, { text, wrapping }: Endpoint, page: StoredPage, translateTo?: Lang): FileAnswer {
  const records: (readonly Chunk[])[] = [];
  for (const record of page.records) {
    const chunks =
      translateTo === undefined || typeof text === "string"
        ? [record.json]
        : snapshot.localise(record, text, translateTo);
    if (chunks === undefined) return { reason: "no-translation" satisfies keyof typeof ABSENCES };
    // Each record begins a new line, so that a commit shows which records changed.
    records.push(["\n", ...chunks]);
  }
  return { body: mark(snapshot, wrap(wrapping ?? "pages", records, page.total)) };
}

/** A body as a file, which says in itself whether its numbers are made up: a static host sends no header of ours. */
function mark({ head }: Snapshot, [first = "{}", ...rest]: readonly Chunk[]): Buffer {
  const begin = isSample(head) ? '{"sample":true,' : "{";
  return joinChunks([begin, first.toString().slice(1), ...rest, "\n"]);
}

/** A document of ours as a file with the frame of an answer. */
export const toDataFile = (snapshot: Snapshot, data: object): Buffer =>
  mark(snapshot, wrap("data", [["\n", JSON.stringify(data)]], 1));
