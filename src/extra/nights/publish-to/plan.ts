import { COMPANION_NAMES, COMPANIONS } from "../../../snapshot/published/folder.ts";
import type { Manifest } from "../../../snapshot/published/manifest.ts";
import type { Pointer } from "../../../snapshot/published/pointer.ts";
import { chooseKept } from "../../../snapshot/published/prune.ts";
import { compareSequence } from "../../../snapshot/published/sequence.ts";
import { type Contents, POINTER, publishedIn, snapshotName, versionOfName, WITHDRAWN } from "./contents.ts";

/** A file to put, with the size and hash that it must have, unless it is a document. */
export interface Put {
  name: string;
  expected?: { size: number; sha256: string };
}

/** The steps of a publication, in this order: a reader meanwhile finds every night that is named complete. */
export interface PublicationPlan {
  puts: Put[];
  /** True if the pointer there is another. */
  pointer: boolean;
  /** Signatures of nights that lie there already, and the list of withdrawn ones. */
  renewed: Put[];
  removals: string[];
}

/** Compares what is published here with the contents of the place; nothing else affects the plan. */
export function planPublication(here: Contents, there: Contents, pointer: Pointer, keep: number): PublicationPlan {
  const [ours, theirs] = [publishedIn(here), publishedIn(there)];
  const byVersion = (files: readonly Manifest[]) => new Map(files.map((manifest) => [manifest.version, manifest]));
  const [nightsHere, nightsThere] = [byVersion(ours.published), byVersion(theirs.published)];
  const published = [...new Map([...nightsThere, ...nightsHere]).values()];
  const damaged = theirs.damaged.filter((version) => !nightsHere.has(version));
  const kept = chooseKept({ published, damaged }, pointer.version, keep);
  const isLatest = ({ version }: Manifest) => version === pointer.version;
  // The night that the pointer names comes last: if it was put before with other bytes, the pointer follows at once.
  const nights = [...nightsHere.values()]
    .filter(({ version }) => kept.has(version))
    .sort((a, b) => Number(isLatest(a)) - Number(isLatest(b)) || compareSequence(a, b));
  const plan: PublicationPlan = { puts: [], pointer: false, renewed: [], removals: [] };
  const lasting = new Set<string>();
  for (const night of nights) {
    const files = filesOf(night).filter(({ name }) => here.sizes.has(name));
    const documents = documentsOf(night).filter((name) => here.documents.has(name));
    for (const name of [...filesOf(night).map(({ name }) => name), ...documents])
      if (!isHistory(name) || here.sizes.has(name)) lasting.add(name);
    const before = nightsThere.get(night.version);
    const missing = files.filter((file) => !isThere(file, before, there));
    const other = documents.filter((name) => here.documents.get(name) !== there.documents.get(name));
    const puts = [...missing, ...other.map((name) => ({ name }))];
    (missing.length === 0 && before && !isLatest(night) ? plan.renewed : plan.puts).push(...puts);
  }
  const withdrawn = here.documents.get(WITHDRAWN);
  if (withdrawn !== undefined && withdrawn !== there.documents.get(WITHDRAWN)) plan.renewed.push({ name: WITHDRAWN });
  plan.pointer = here.documents.get(POINTER) !== there.documents.get(POINTER);
  // A manifest goes before its file, as their names are sorted: a file without one is not published.
  plan.removals = [...there.sizes.keys()].sort().filter((name) => {
    const version = versionOfName(name);
    if (version === undefined) return false;
    return !kept.has(version) || (nightsHere.has(version) && !lasting.has(name));
  });
  return plan;
}

/** Lists the files of a night in the order in which they are put. */
const filesOf = ({ version, size, sha256, ...manifest }: Manifest): Required<Put>[] => [
  { name: snapshotName(version, "sqlite"), expected: { size, sha256 } },
  ...COMPANION_NAMES.flatMap((name) => {
    const expected = manifest[name];
    return expected ? [{ name: snapshotName(version, COMPANIONS[name]), expected }] : [];
  }),
];

/** Tells whether a file is a history: only the newest is kept, here and there. */
const isHistory = (name: string) => name.endsWith(`.${COMPANIONS.history}`);

const documentsOf = ({ version }: Manifest) => [snapshotName(version, "json"), snapshotName(version, "json.minisig")];

/**
 * Tells whether a file is there already. A manifest there is put after its files: if it has the same hash of one, whose size is right,
 * these are its bytes.
 */
function isThere({ name, expected }: Required<Put>, before: Manifest | undefined, { sizes }: Contents): boolean {
  const said = before && filesOf(before).find((file) => file.name === name);
  return said?.expected.sha256 === expected.sha256 && sizes.get(name) === expected.size;
}
