import { namingListOf, type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import {
  DIMENSIONS,
  describeRefusal,
  endpointPart,
  type GroupDimension,
  type GroupPart,
  groupId,
  isInPart,
  partId,
  partsOf,
  type Refusal,
  valueIn,
} from "../../api/refusals.ts";
import { sliceGroup } from "../../journal/stale.ts";
import { ENOUGH, type Evidence } from "./evidence.ts";

/** What the groups of a night follow from. */
export interface Verdicts {
  /** The slices that a whole file has. */
  expected: readonly Slice[];
  /** By `sliceId`: slices that were refused, or not asked because others like them were. */
  refused: ReadonlySet<string>;
  evidence: Evidence;
  /** Of groups that the snapshot in hand knows, and that have not answered. */
  known: readonly GroupPart[];
}

/**
 * The groups that the refused slices belong to: those that are known, then endpoints of which everything is refused, then the value
 * of a parameter that most of the rest has in common, and so on. A slice belongs to one group at most; a few that have nothing in
 * common belong to none.
 */
export function findGroups({ expected, refused, evidence, known }: Verdicts): GroupPart[] {
  const parts: GroupPart[] = known.filter((part) => expected.some((slice) => isInPart(part, slice)));
  const isFree = (slice: Slice) => !parts.some((part) => isInPart(part, slice));
  const byDataset = Map.groupBy(expected, ({ dataset }) => dataset);
  const slices = expected.filter((slice) => refused.has(sliceId(slice)));
  for (const [dataset, members] of Map.groupBy(slices, ({ dataset }) => dataset)) {
    const part = endpointPart(dataset);
    const isAll = evidence.isPartClosed(part) || members.length === byDataset.get(dataset)?.length;
    if (isAll && members.some(isFree)) parts.push(part);
  }
  for (let left = slices.filter(isFree); left.length > 0; left = left.filter(isFree)) {
    const best = findLargest(left, byDataset, refused, evidence);
    if (!best) break;
    parts.push(...best);
  }
  for (const rest of Map.groupBy(slices.filter(isFree), (slice) => sliceGroup({ slice })).values())
    if (rest[0] && rest.length >= ENOUGH && evidence.isClosed(rest[0]))
      parts.push(nearestPart(rest[0], byDataset.get(rest[0].dataset) ?? [], parts));
  return [...new Map(parts.map((part) => [partId(part), part])).values()].sort(byPart);
}

const byPart = (a: GroupPart, b: GroupPart) =>
  DIMENSIONS.indexOf(a.dimension) - DIMENSIONS.indexOf(b.dimension) || (partId(a) < partId(b) ? -1 : 1);

/** The parts of the value that covers the most of these slices; undefined if none covers enough of them. */
function findLargest(
  left: readonly Slice[],
  byDataset: ReadonlyMap<string, readonly Slice[]>,
  refused: ReadonlySet<string>,
  evidence: Evidence,
): GroupPart[] | undefined {
  const parts = new Map<string, { part: GroupPart; covered: number }>();
  for (const slice of left)
    for (const part of partsOf(slice)) {
      const before = parts.get(partId(part)) ?? { part, covered: 0 };
      parts.set(partId(part), { part, covered: before.covered + 1 });
    }
  const isWhole = (part: GroupPart) => {
    const members = byDataset.get(part.dataset) ?? [];
    if (!hasSeveral(members, part.dimension) || evidence.capturedIn(part) > 0) return false;
    return (
      evidence.isPartClosed(part) ||
      members.filter((slice) => isInPart(part, slice)).every((slice) => refused.has(sliceId(slice)))
    );
  };
  const whole = [...parts.values()].filter(({ part }) => isWhole(part));
  const groups = [...Map.groupBy(whole, ({ part }) => groupId(part)).values()].map((members) => ({
    parts: members.map(({ part }) => part),
    covered: members.reduce((sum, { covered }) => sum + covered, 0),
  }));
  const isEnough = ({ parts: [first], covered }: (typeof groups)[number]) =>
    covered >= ENOUGH || (first !== undefined && isAllRefused(first, byDataset, refused));
  const [best] = groups.filter(isEnough).sort((a, b) => b.covered - a.covered);
  return best?.parts;
}

/** Whether no slice with this value, of any endpoint, is answered: a small selection may have fewer than what is enough. */
const isAllRefused = (
  { dimension, value }: GroupPart,
  byDataset: ReadonlyMap<string, readonly Slice[]>,
  refused: ReadonlySet<string>,
) =>
  [...byDataset.values()].flat().every((slice) => valueIn(slice, dimension) !== value || refused.has(sliceId(slice)));

const hasSeveral = (slices: readonly Slice[], dimension: GroupDimension) =>
  new Set(slices.map((slice) => valueIn(slice, dimension))).size > 1;

/** Of a slice group that is refused alone: the group that is there already, else the parameter that it shares with the fewest others. */
function nearestPart(slice: Slice, members: readonly Slice[], partsSoFar: readonly GroupPart[]): GroupPart {
  const parts = partsOf(slice).filter(({ dimension }) => dimension !== "hero" && hasSeveral(members, dimension));
  const groups = new Set(partsSoFar.map(groupId));
  const countOf = (part: GroupPart) => members.filter((member) => isInPart(part, member)).length;
  const [fewest] = parts.toSorted((a, b) => countOf(a) - countOf(b));
  return parts.find((part) => groups.has(groupId(part))) ?? fewest ?? endpointPart(slice.dataset);
}

/** How most slices of a part are refused, told from those that were asked; of an endpoint that cannot be asked, how its list is. */
export function refusalOfPart(
  part: GroupPart,
  refusals: readonly { slice: Slice; refusal: Refusal }[],
): Refusal | undefined {
  const list = namingListOf(endpointOf(part.dataset));
  const ofPart = refusals.filter(({ slice }) => isInPart(part, slice));
  const all = ofPart.length > 0 ? ofPart : refusals.filter(({ slice }) => slice.dataset === list);
  const [most] = [...Map.groupBy(all, ({ refusal }) => describeRefusal(refusal)).values()].sort(
    (a, b) => b.length - a.length,
  );
  return most?.[0]?.refusal;
}
