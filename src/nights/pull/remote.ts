import { basename } from "node:path/posix";
import * as z from "zod";
import { nameVersion } from "../../snapshot/published/folder.ts";
import { manifestSchema } from "../../snapshot/published/manifest.ts";
import { type Pointer, pointerSchema } from "../../snapshot/published/pointer.ts";
import type { Place } from "../../snapshot/published/sequence.ts";
import { type Answer, type Client, describe, nameOf } from "./client.ts";
import { Absent, Refused, Unreachable } from "./trouble.ts";

/** No snapshot is larger; whoever says so wants to fill the disk. */
export const MAX_SNAPSHOT = 2 ** 30;

const MAX_POINTER = 64 * 1024;
/** A whole night's has a twelfth of it, and is 7 levels deep. */
const MAX_MANIFEST = 2 ** 20;
const DEEPEST = 64;

/** Clocks are not all right; nothing that is made by one of them is further ahead. */
const AHEAD = 86_400_000;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.int().min(512).max(MAX_SNAPSHOT);
const started_at = z.iso.datetime();
const remotePointer = z.looseObject({ ...pointerSchema.shape, started_at, sha256, content_hash: sha256, size });

const remoteManifest = z.looseObject({
  ...remotePointer.shape,
  compressed: z.object({ size: z.int().min(1).max(MAX_SNAPSHOT), sha256 }).optional(),
  follows: manifestSchema.shape.follows,
  // Told about the crawl; kept beside the file as they came.
  coverage: z.json().optional(),
  quality: z.json().optional(),
  stale: z.json().optional(),
  drift: z.json().optional(),
  misfits: z.json().optional(),
  crawl: z.json().optional(),
});

export type Manifest = z.infer<typeof remoteManifest>;

export interface Remote {
  pointer: Pointer;
  /** Where the files of the versions are. */
  folder: URL;
}

/**
 * What a source has for latest. A mirror has `latest.json` in `/snapshots/`, a copied data folder has it beside
 * `snapshots/`; the address may name either.
 */
export async function readRemote(client: Client, base: URL): Promise<Remote> {
  const path = base.pathname.replace(/\/+$/, "");
  const folder = new URL(base);
  folder.pathname = path.endsWith("/snapshots") ? `${path}/` : `${path}/snapshots/`;
  const places = [new URL("latest.json", folder), new URL("../latest.json", folder)];
  for (const place of places) {
    const text = await readText(client, withQuery(place, base), MAX_POINTER);
    if (text !== undefined) return { pointer: readPlausible(text, place, "pointer"), folder };
  }
  throw new Refused(`${nameOf(base)} has no latest.json, neither in snapshots/ nor beside it`);
}

/** A version that is named by the address of its file. */
export async function readNamed(client: Client, file: URL): Promise<Remote> {
  const folder = withQuery(new URL("./", file), file);
  const place = fileAt(folder, `${basename(file.pathname, ".sqlite")}.json`);
  const text = await readText(client, place, MAX_MANIFEST);
  if (text === undefined) throw new Absent(`${nameOf(place)} is not there`);
  return { pointer: readPlausible(text, place, "manifest"), folder };
}

/** What is published about a version, when it says the same as the pointer. */
export async function readManifest(client: Client, { pointer, folder }: Remote): Promise<Manifest> {
  const place = fileAt(folder, `${pointer.version}.json`);
  const text = await readText(client, place, MAX_MANIFEST);
  if (text === undefined) throw new Absent(`${nameOf(place)} is not there`);
  const manifest = parse(remoteManifest, text, place, "manifest");
  const names = ["version", "content_hash", "schema_version", "started_at", "sha256", "size"] as const;
  const wrong = names.find((name) => manifest[name] !== pointer[name]);
  if (wrong) throw new Refused(`${nameOf(place)} says another ${wrong} than latest.json`);
  return manifest;
}

/** Where the source itself published a version; its name alone where it does not know it. */
export async function findPlace(client: Client, { folder }: Remote, version: string): Promise<Place> {
  const place = fileAt(folder, `${version}.json`);
  const text = await readText(client, place, MAX_MANIFEST);
  try {
    const manifest = parse(remoteManifest, text ?? "", place, "manifest");
    return manifest.version === version ? manifest : { version };
  } catch {
    // It is not there, or damaged.
    return { version };
  }
}

/** Names of versions are of our pattern, so that none leads out of the folder. */
export const fileAt = (folder: URL, name: string) => withQuery(new URL(name, folder), folder);

/** A source may want a token in the query of every address. */
function withQuery(url: URL, base: URL): URL {
  url.search = base.search;
  return url;
}

/** A version is named by its own start and content, and is not of the future: it would be the newest for ever. */
function readPlausible(text: string, place: URL, what: string): Pointer {
  const pointer = parse(remotePointer, text, place, what);
  const { version, started_at, content_hash } = pointer;
  // As a build names it.
  if (version !== nameVersion(started_at, content_hash))
    throw new Refused(`${nameOf(place)} has a version ${version} that does not fit its started_at and content_hash`);
  if (Date.parse(started_at) > Date.now() + AHEAD)
    throw new Refused(
      `${nameOf(place)} has a started_at, ${started_at}, more than a day ahead of the clock here, ${new Date().toISOString()}`,
    );
  return pointer;
}

function parse<T>(schema: z.ZodType<T>, text: string, place: URL, what: string): T {
  if (depthOf(text) > DEEPEST) throw new Refused(`${nameOf(place)} is nested more than ${DEEPEST} levels deep`);
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    throw new Refused(
      `${nameOf(place)} is not a ${what} of metasnap (${issue ? `${issue.path.join(".")}: ${issue.message}` : "no JSON"})`,
      error,
    );
  }
}

/** How deep JSON goes that is not parsed yet: who goes through it needs a stack for every level. */
function depthOf(json: string): number {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') quoted = !quoted;
    else if (quoted) at += character === "\\" ? 1 : 0;
    else if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth -= 1;
  }
  return deepest;
}

/** The text at an address; nothing when the source says that there is none. */
async function readText(client: Client, url: URL, limit: number): Promise<string | undefined> {
  const { status, body } = await client.get(url, {}, AbortSignal.timeout(client.timeout));
  // Object stores answer 403 for what is not there.
  if (status === 403 || status === 404 || status === 410) return discard(body);
  if (status !== 200) {
    discard(body);
    throw new Unreachable(`${nameOf(url)} answers ${status}`);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > limit) throw new Refused(`${nameOf(url)} is larger than ${limit} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Unreachable(`${nameOf(url)} breaks off: ${describe(error)}`, error);
  }
  return Buffer.concat(chunks).toString("utf8");
}

export function discard(body: Answer["body"]): undefined {
  body.on("error", () => {}).destroy();
}
