import { createHash } from "node:crypto";
import { namingListOf, type Slice, sliceId } from "../../api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { type EndpointState, groupId, isInPart, type RefusedGroup } from "../../api/refusals.ts";
import { ENOUGH, SELECTING } from "./evidence.ts";

/** What the snapshot in hand says about itself, read without proving the file: it steers what is asked, and no record comes from it. */
export interface InHand {
  version: string;
  startedAt: string;
  /** Ids of its heroes. */
  heroes: readonly number[];
  groups: readonly RefusedGroup[];
  endpoints: readonly EndpointState[];
  /** By `sliceId`: what is refused, in groups and one by one. */
  refused: ReadonlySet<string>;
  /** By `sliceId`, of what has an answer: whether there is a record in it. */
  hasRecords: ReadonlyMap<string, boolean>;
  /** The datasets that have records. */
  filled: readonly string[];
}

/** A group that the snapshot in hand knows as refused, and the few slices of it that ask whether it still is. */
export interface KnownGroup {
  parts: readonly RefusedGroup[];
  probes: ReadonlySet<string>;
}

/** A path that names a word which no list in hand names: it stands for all of them, and cannot be asked. */
export const isUnnamed = ({ dataset, subject }: Slice): boolean =>
  subject === undefined && namingListOf(endpointOf(dataset)) !== undefined;

/** The datasets whose English list names what another endpoint is asked by. */
const NAMING = new Set(ENDPOINTS.flatMap((endpoint) => namingListOf(endpoint) ?? []));
const isNaming = ({ dataset, lang }: Slice) => lang === BASE_LANG && NAMING.has(dataset);

/** The known groups with their probes among these slices. `seed` draws others each night. */
export function drawProbes(
  groups: readonly RefusedGroup[],
  expected: readonly Slice[],
  seed: string,
  before: ReadonlyMap<string, KnownGroup>,
): Map<string, KnownGroup> {
  const drawn = [...Map.groupBy(groups, groupId)].map(([id, parts]): [string, KnownGroup] => {
    const members = expected.filter((slice) => !isUnnamed(slice) && parts.some((part) => isInPart(part, slice)));
    const ids = new Set(members.map(sliceId));
    // What was asked already stays a probe.
    const kept = members.filter((slice) => before.get(id)?.probes.has(sliceId(slice)) || isNaming(slice));
    const probes = drawDifferent(members, ENOUGH, `${seed} ${id}`, kept).map(sliceId);
    return [id, { parts, probes: new Set(probes).intersection(ids) }];
  });
  return new Map(drawn);
}

/** So many slices that differ from each other in as many parameters as can be; those in `first` are among them. */
export function drawDifferent(slices: readonly Slice[], count: number, seed: string, first: readonly Slice[]): Slice[] {
  const hashed = slices.map((slice) => ({
    slice,
    draw: createHash("sha256")
      .update(`${seed} ${sliceId(slice)}`)
      .digest("hex"),
  }));
  hashed.sort((a, b) => (a.draw < b.draw ? -1 : 1));
  const drawn = [...first];
  const left = new Set(hashed.map(({ slice }) => slice).filter((slice) => !first.includes(slice)));
  while (drawn.length < count && left.size > 0) {
    const best = findMostDifferent([...left], drawn);
    if (!best) break;
    drawn.push(best);
    left.delete(best);
  }
  return drawn;
}

/** The slice with the most parameters that none of the others has. */
export function findMostDifferent(slices: readonly Slice[], others: readonly Slice[]): Slice | undefined {
  let best: { slice: Slice; score: number } | undefined;
  for (const slice of slices) {
    const isNew = (name: (typeof SELECTING)[number] | "dataset") =>
      others.every((other) => other[name] !== slice[name]);
    const score = Number(isNew("dataset")) * 2 + SELECTING.filter(isNew).length;
    if (!best || score > best.score) best = { slice, score };
  }
  return best?.slice;
}
