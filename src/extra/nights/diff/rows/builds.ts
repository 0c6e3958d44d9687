import { type LabelLookup, labelOfKey } from "../labels.ts";
import type { Pair } from "../pair.ts";
import type { Scope } from "../scope.ts";
import type { ListChange } from "./lists.ts";

/** The parts of a build, with the column of their ids. */
const PARTS = { hero_build_item: "item_id", hero_build_talent: "talent_id" };

/**
 * Builds that a hero has got on a lane, in all ranks together, and those that went. The upstream orders builds and their parts anew every
 * night: that is no change. Those of single ranks are counted only.
 */
export function compareBuilds(pair: Pair, labels: LabelLookup, scope: Scope): ListChange[] {
  const table = pair.tables.find(({ name }) => name === "hero_build");
  const shown = scope.rowFilter("hero_build");
  if (!table || !shown) return [];
  const [was, now] = [readBuilds(pair, labels, "was"), readBuilds(pair, labels, "main")];
  return [...now].flatMap(([id, { key, builds }]) => {
    const known = was.get(id)?.builds;
    if (!known || !shown(key) || pair.origins?.isUnknown(table, key)) return [];
    const [before, after] = [[...known.difference(builds)], [...builds.difference(known)]];
    if (after.length === 0) return [];
    const label = labelOfKey(labels, key);
    return [{ table: table.name, label, key, before, after, ...pair.origins?.momentsOf(table, key) }];
  });
}

/** Reads the builds by hero and lane, each by the names of its parts. */
function readBuilds({ db }: Pair, labels: LabelLookup, schema: string) {
  const rows = Object.entries(PARTS).flatMap(([table, id]) =>
    db
      .prepare<[], { hero_id: number; lane: string; build_position: number; id: number }>(
        `SELECT hero_id, lane, build_position, ${id} AS id FROM ${schema}.${table} WHERE rank = 'all' ORDER BY ${id}`,
      )
      .all()
      .map(({ id: value, ...row }) => ({ ...row, name: labels(id, value) })),
  );
  const lists = Map.groupBy(rows, ({ hero_id, lane }) => `${hero_id} ${lane}`);
  return new Map(
    [...lists].map(([list, parts]) => {
      const { hero_id = 0, lane = "" } = parts[0] ?? {};
      const builds = Map.groupBy(parts, ({ build_position }) => build_position).values();
      const named = [...builds].map((build) => build.map(({ name }) => name).join(" + "));
      return [list, { key: { hero_id, lane, rank: "all" }, builds: new Set(named) }];
    }),
  );
}
