import type { World } from "../numbers/calendar.ts";
import { HEROES, type Hero } from "../roster.ts";
import type { Query } from "./query.ts";

export interface Page {
  records: unknown[];
  total: number;
}

export function page<T>(items: readonly T[], { size, index }: Query, record: (item: T) => unknown): Page {
  const start = (index - 1) * size;
  return { records: items.slice(start, start + size).map(record), total: items.length };
}

export function ordered<T>(ascending: readonly T[], order: Query["order"]): readonly T[] {
  return order === "asc" ? ascending : ascending.toReversed();
}

export function rosterOf({ heroes }: World): readonly Hero[] {
  return HEROES.slice(0, heroes);
}

/** Heroes of the roles and on the lanes that are asked for; one without any is never among them. */
export function placed(world: World, query: Query): Hero[] {
  return rosterOf(world).filter(
    ({ roles, lanes }) => roles.some((id) => query.role.includes(id)) && lanes.some((id) => query.lane.includes(id)),
  );
}
