import { sliceName } from "../../api/endpoint.ts";
import type { NotDue } from "../../api/faults.ts";
import { describeDuration } from "../../base/words.ts";
import { toSlice } from "../build/coverage-cells.ts";
import type { Coverage, SnapshotTable } from "../schema/row-types.ts";

type Row = Pick<Coverage, "dataset" | "slice" | "status" | "reason" | "asked_at" | "tried_at" | "suspect">;

/**
 * The first slice whose time cannot be: no time at all or one after the start of the crawl, an answer without one or a hole with
 * one, and something that only a rolling file has. Earlier times are those of a crawl that was continued.
 */
export function findWrongTime({ started_at, rolling }: SnapshotTable, coverage: readonly Row[]): string | undefined {
  const judged = new Map<string, boolean>();
  const isTime = (time: string) => {
    const isGood = judged.get(time) ?? (isIsoTime(time) && time <= started_at);
    judged.set(time, isGood);
    return isGood;
  };
  const isRight = ({ status, asked_at, tried_at, suspect }: Row) =>
    (tried_at === null || isTime(tried_at)) &&
    (asked_at === null ? status === "failed" : status !== "failed" && isTime(asked_at)) &&
    (suspect === 0 || (rolling === 1 && asked_at !== null));
  const wrong = coverage.find((row) => !isRight(row));
  return wrong && `${sliceName(toSlice(wrong))} says ${String(wrong.asked_at).slice(0, 40)}, of ${wrong.status}`;
}

export function isIsoTime(text: string): boolean {
  const time = Date.parse(text);
  return Number.isFinite(time) && new Date(time).toISOString() === text;
}

export const countNeverAsked = (coverage: readonly Row[]): number =>
  coverage.filter(({ status, reason }) => status === "failed" && reason === ("not-asked" satisfies NotDue)).length;

/** Says how old all answers are together. */
export function describeAges(coverage: readonly Row[], moment: number): string {
  const oldestFirst = coverage
    .flatMap(({ asked_at, dataset }) => (asked_at === null ? [] : [{ asked_at, dataset }]))
    .sort((a, b) => Number(a.asked_at > b.asked_at) - Number(a.asked_at < b.asked_at));
  const [oldest] = oldestFirst;
  const newest = oldestFirst.at(-1);
  if (!oldest || !newest) return "no answers";
  const ageOf = ({ asked_at }: { asked_at: string }) =>
    describeDuration(Math.max(0, moment - Date.parse(asked_at)) / 1000);
  if (oldest.asked_at === newest.asked_at) return `all ${ageOf(oldest)} old`;
  const half = oldestFirst[oldestFirst.length - Math.ceil(oldestFirst.length / 2)] ?? oldest;
  return `half up to ${ageOf(half)} old, the oldest ${ageOf(oldest)} (${oldest.dataset})`;
}
