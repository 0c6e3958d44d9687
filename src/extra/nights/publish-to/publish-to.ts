import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../../../api/failure.ts";
import { isSample, nameProvenance } from "../../../api/sample-data.ts";
import { hashFile } from "../../../base/files.ts";
import { hintWithoutSnapshot, pointerFile } from "../../../snapshot/published/folder.ts";
import type { Pointer } from "../../../snapshot/published/pointer.ts";
import { isLater } from "../../../snapshot/published/sequence.ts";
import { type Contents, listFolder, POINTER, pointerIn, publishedIn, readDocuments, snapshotName } from "./contents.ts";
import type { Place } from "./place.ts";
import { type Put, planPublication } from "./plan.ts";

export interface PublishToOptions {
  /** Nights that stay there. */
  keep: number;
  /** Point there to what is the latest here although something later lies there that is not of this folder. */
  takeOver?: boolean;
  /** Called after each step. */
  onStep?: (step: "put" | "removed", name: string) => void;
}

export interface PublishedTo {
  version: string;
  changed: boolean;
}

/**
 * Puts the nights of a folder into a place that a static host serves: the files of each night before its manifest, and the pointer when all
 * of them are there. Nights that `keep` drops are removed after that. Rejects with a Failure for usage if the place has nights that are not
 * of this folder; then nothing has changed there.
 */
export async function publishTo(data: string, place: Place, options: PublishToOptions): Promise<PublishedTo> {
  const { keep, takeOver = false, onStep = () => {} } = options;
  // Publications here may go on meanwhile: what is read first holds, and its files never change.
  const here = readHere(data);
  const pointer = latestOf(here, data);
  const sizes = await place.list();
  const there: Contents = { sizes, documents: await place.readDocuments([...sizes.keys()]) };
  refuseForeign(here, there, pointer, place, takeOver);
  const plan = planPublication(here, there, pointer, keep);
  const staged = stage(here);
  const putAll = async (puts: readonly Put[]) => {
    for (const { name, expected } of puts) {
      const file = join(expected ? data : staged, name);
      if (expected) await refuseOtherBytes(file, expected);
      await place.put(file, name);
      onStep("put", name);
    }
  };
  try {
    await putAll(plan.puts);
    await refuseMissing(place, here, plan.puts);
    if (plan.pointer) await putAll([{ name: POINTER }]);
    await putAll(plan.renewed);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
  for (const name of plan.removals) {
    await place.remove(name);
    onStep("removed", name);
  }
  const changed = plan.pointer || [plan.puts, plan.renewed, plan.removals].some(({ length }) => length > 0);
  return { version: pointer.version, changed };
}

/** The pointer first: what it names lies there. */
function readHere(data: string): Contents {
  const pointer = readDocuments(data, [POINTER]);
  const sizes = listFolder(data);
  return { sizes, documents: new Map([...readDocuments(data, sizes.keys()), ...pointer]) };
}

function latestOf(here: Contents, data: string): Pointer {
  const pointer = pointerIn(here);
  const file = pointerFile(data);
  if (pointer === undefined) {
    const hint = hintWithoutSnapshot(data, "run `npm run crawl` first");
    throw new Failure(EXIT.usage, `${file}: does not exist`, hint);
  }
  if (pointer instanceof Error) {
    const hint = "choose with `npm run rollback -- --to <version>`";
    throw new Failure(EXIT.usage, `${file}: is not a pointer of metasnap`, hint, pointer);
  }
  const isWhole = here.sizes.has(snapshotName(pointer.version, "sqlite"));
  if (isWhole && publishedIn(here).published.some(({ version }) => version === pointer.version)) return pointer;
  const hint = "build it again with `npm run build`, or go back with `npm run rollback`";
  throw new Failure(EXIT.usage, `${file}: names ${pointer.version}, whose file or manifest is not here`, hint);
}

/** A pointer there that is ours is put right, whether ours went on or back. One that is not is left alone. */
function refuseForeign(here: Contents, there: Contents, ours: Pointer, place: Place, takeOver: boolean) {
  const refuse = (what: string, hint: string) => {
    throw new Failure(EXIT.usage, `${place.name}: ${what}; nothing was put there`, hint);
  };
  const theirs = pointerIn(there);
  const { published } = publishedIn(there);
  // Beside nights of ours it is one that a killed run has left half written.
  if (theirs instanceof Error && published.length === 0)
    refuse("has a latest.json that is not a pointer of metasnap", "name another place");
  const other = [theirs, ...published].find(
    (published) => published && !(published instanceof Error) && isSample(published) !== isSample(ours),
  );
  if (other)
    refuse(
      `has snapshots of ${nameProvenance(!isSample(ours))} numbers, and those of ${ours.version} are ${nameProvenance(isSample(ours))}`,
      "name another place",
    );
  if (theirs === undefined || theirs instanceof Error || takeOver) return;
  if (here.documents.has(snapshotName(theirs.version, "json")) || !isLater(theirs, ours)) return;
  const what = `points to ${theirs.version}, which is not of this folder, and is later than ${ours.version}`;
  refuse(what, "let one folder publish there, or put ours in its place with --take-over");
}

/** The documents as they were read, to be put one by one. */
function stage({ documents }: Contents): string {
  const folder = mkdtempSync(join(tmpdir(), "metasnap-"));
  for (const [name, text] of documents) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function refuseOtherBytes(file: string, { size, sha256 }: Required<Put>["expected"]) {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new Failure(EXIT.incomplete, `${file}: was removed in the meantime`, "run the same command again");
  if (stats.size === size && (await hashFile(file)) === sha256) return;
  throw new Failure(EXIT.usage, `${file}: is not what its manifest says`, "`npm run verify` says what is wrong");
}

/** Checks that the files are there before the pointer names them. */
async function refuseMissing(place: Place, here: Contents, puts: readonly Put[]) {
  if (puts.length === 0) return;
  const sizes = await place.list();
  for (const { name, expected } of puts) {
    const size = expected?.size ?? Buffer.byteLength(here.documents.get(name) ?? "");
    if (sizes.get(name) === size) continue;
    const message = `${place.name}: has ${sizes.get(name) ?? "no"} bytes as ${name}, and ${size} were put there`;
    throw new Failure(EXIT.unreachable, message, "run the same command again to put it there");
  }
}
