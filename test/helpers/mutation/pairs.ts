import { type Endpoint, type Slice, sliceKey } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { createRandom, type Random } from "../random.ts";
import { type Json, parseJson } from "./json.ts";
import { ENVELOPE_KINDS, KINDS } from "./kinds.ts";
import { applies, type Change, findPlaces, mutateBody, recordsOf } from "./mutate.ts";
import { type Bodies, collectPaths, ENVELOPE, openBodies } from "./paths.ts";

/** One body of a clean crawl, and the same with something odd in it. */
export interface Pair extends Change {
  slice: Slice;
  endpoint: Endpoint;
  clean: string;
  mutated: string;
}

export interface Draw {
  seed: string | number;
  /** Pairs; left out, all of them. */
  limit?: number;
}

interface Clean {
  slice: Slice;
  text: string;
  body: Json;
  records: readonly Json[];
  /** Of another slice. */
  others: readonly Json[];
}

/**
 * Pairs of all datasets, paths and kinds of a journal, drawn evenly. Each dataset is shown by a drawn slice, and by others
 * for the paths that this one does not have. Those of one slice come on end.
 */
export function* drawPairs(journalFile: string, { seed, limit = Number.POSITIVE_INFINITY }: Draw): Generator<Pair> {
  const bodies = openBodies(journalFile);
  try {
    const random = createRandom(String(seed));
    const shown = [...collectPaths(bodies)].flatMap(([dataset, paths]) => showPaths(bodies, dataset, paths, random));
    const changes = shown.flatMap(({ clean, paths }) => listChanges(clean, paths, random));
    const chosen = new Set(random.shuffle(changes).slice(0, Math.min(limit, changes.length)));
    for (const one of changes) {
      const mutated = chosen.has(one) && mutate(one.clean, one.change);
      const { slice, text } = one.clean;
      if (mutated) yield { ...one.change, slice, endpoint: endpointOf(slice.dataset), clean: text, mutated };
    }
  } finally {
    bodies.close();
  }
}

/** Slices of a dataset that have all of these paths between them, and which each of them has first. */
function showPaths({ slices, bodyOf }: Bodies, dataset: string, paths: readonly string[], random: Random) {
  const own = slices.filter((slice) => slice.dataset === dataset);
  const left = new Set(paths);
  const shown: { clean: Clean; paths: string[] }[] = [];
  for (const slice of random.shuffle(own)) {
    if (left.size === 0) break;
    const clean = readClean(bodyOf, slice, own);
    const found = [...left].filter((path) => path === ENVELOPE || has(clean, path));
    for (const path of found) left.delete(path);
    if (found.length > 0) shown.push({ clean, paths: found });
  }
  return shown;
}

function readClean(bodyOf: Bodies["bodyOf"], slice: Slice, own: readonly Slice[]): Clean {
  const [text, lang] = [bodyOf(slice), slice.lang];
  const next = own.find((other) => other.lang === lang && sliceKey(other) > sliceKey(slice)) ?? own[0];
  const body = parseJson(text);
  const { wrapping } = endpointOf(slice.dataset);
  const others = next ? recordsOf(wrapping, parseJson(bodyOf(next))) : [];
  return { slice, text, body, records: recordsOf(wrapping, body), others };
}

const has = ({ records }: Clean, path: string) => findPlaces(records, path).some(({ parts }) => parts.length > 0);

const mutate = ({ slice, body, others }: Clean, change: Change) =>
  mutateBody(endpointOf(slice.dataset).wrapping, body, change, others);

function listChanges(clean: Clean, paths: readonly string[], random: Random) {
  return paths.flatMap((path) => {
    const places = findPlaces(clean.records, path);
    const fits = (change: Change) =>
      path === ENVELOPE ? mutate(clean, change) !== undefined : applies(places, change, clean.others);
    return (path === ENVELOPE ? ENVELOPE_KINDS : KINDS).flatMap(({ name }) =>
      (path === ENVELOPE ? (["all"] as const) : (["one", "all"] as const))
        .map((how): Change => ({ path, kind: name, how, draw: random.below(2 ** 31) }))
        .filter(fits)
        .map((change) => ({ clean, change })),
    );
  });
}
