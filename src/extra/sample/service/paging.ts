import type { World } from "../numbers/calendar.ts";
import { HEROES, type Hero } from "../roster.ts";
import type { Query } from "./query.ts";

export interface Page {
  records: unknown[];
  total: number;
}

export const isPage = (data: unknown): data is Page =>
  typeof data === "object" && data !== null && "records" in data && "total" in data;

export function toPage<T>(items: readonly T[], { size, index }: Query, record: (item: T) => unknown): Page {
  const start = (index - 1) * size;
  return { records: items.slice(start, start + size).map(record), total: items.length };
}

export function applyOrder<T>(ascending: readonly T[], order: Query["order"]): readonly T[] {
  return order === "asc" ? ascending : ascending.toReversed();
}

export function rosterOf({ heroes }: World): readonly Hero[] {
  return HEROES.slice(0, heroes);
}

/** Heroes with one of the roles and one of the lanes asked for; a hero without role or lane never matches. */
export function filterByPosition(world: World, query: Query): Hero[] {
  return rosterOf(world).filter(
    ({ roles, lanes }) => roles.some((id) => query.role.includes(id)) && lanes.some((id) => query.lane.includes(id)),
  );
}
