import { parseSliceId } from "../../../src/api/endpoint.ts";
import type { Forecast } from "../../../src/crawl/refresh/forecast.ts";
import { refreshKindOf } from "../../../src/crawl/refresh/kinds.ts";
import { type Books, dayOf } from "./books.ts";
import type { Days } from "./upstream.ts";

const DAY_MS = 86_400_000;
export const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** Holds the ages of each night against what the plan has told of them before the first. */
export function createAges({ rows }: Books, days: Days, { datasets, texts, nights_until_complete }: Forecast) {
  const bounds = new Map(datasets.map(({ dataset, bound }) => [dataset, bound]));
  /** By slice that was never asked, the first night in which it could have been. */
  const missing = new Map<string, number>();
  /** The days on which a night ended; the upstream was off on others, or the night was given up. */
  const ended: string[] = [];
  /** Of such nights. */
  const filledWithin = Math.ceil(nights_until_complete * 1.5 + 3);
  const patches: string[] = [];

  function judgeHole(id: string): string[] {
    const since = missing.get(id) ?? ended.length;
    missing.set(id, since);
    const nights = ended.length - since;
    return nights <= filledWithin ? [] : [`${id}: was not asked in ${nights} nights`];
  }

  function judgeSlice(id: string, askedAt: string | null, isEmpty: boolean, today: string): string[] {
    if (askedAt === null) return judgeHole(id);
    missing.delete(id);
    const slice = parseSliceId(id);
    const kind = refreshKindOf(slice);
    // What was empty has every third of the turns of its table.
    const turn = (bounds.get(slice.dataset) ?? 0) * (isEmpty ? 3 : 1);
    const bound = { list: 0, text: texts.bound, turn }[kind];
    const age = daysBetween(dayOf(askedAt), today);
    return age <= bound ? [] : [`${id}: is ${age} days old, and was to be ${bound} at most`];
  }

  /** Texts that are still those from before a version of the game. */
  async function findOutdated(patch: string): Promise<string[]> {
    const found: string[] = [];
    for (const [id, { sha256, asked_at }] of rows()) {
      const slice = parseSliceId(id);
      if (refreshKindOf(slice) !== "text" || asked_at === null || dayOf(asked_at) >= patch) continue;
      if ((await days.hashOf(slice, patch)) !== sha256) found.push(`${id}: is the text from before ${patch}`);
    }
    return found;
  }

  return {
    /** A version of the game has come. */
    notePatch: (day: string) => void patches.push(day),
    async judge(today: string): Promise<string[]> {
      if (ended.at(-1) !== today) ended.push(today);
      const faults = [...rows()].flatMap(([id, { asked_at, status }]) =>
        judgeSlice(id, asked_at, status === "empty", today),
      );
      for (const patch of patches.filter((day) => daysBetween(day, today) >= texts.bound_after_a_version)) {
        patches.splice(patches.indexOf(patch), 1);
        faults.push(...(await findOutdated(patch)));
      }
      return faults;
    },
    /** Days since each answer was asked, by endpoint: half of them, 95 of 100, the oldest. */
    spread(today: string): Record<string, (number | undefined)[]> {
      const asked = [...rows()].flatMap(([id, { asked_at }]) => (asked_at === null ? [] : [{ id, asked_at }]));
      const byKind = Map.groupBy(asked, ({ id }) => {
        const slice = parseSliceId(id);
        return `${slice.dataset}${refreshKindOf(slice) === "text" ? " texts" : ""}`;
      });
      return Object.fromEntries(
        [...byKind].map(([kind, members]) => {
          const ages = members.map(({ asked_at }) => daysBetween(dayOf(asked_at), today)).sort((a, b) => a - b);
          return [kind, [0.5, 0.95, 1].map((share) => ages[Math.ceil(share * ages.length) - 1])];
        }),
      );
    },
  };
}
