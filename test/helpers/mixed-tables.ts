import type { Coverage } from "../../src/snapshot/schema/row-types.ts";

/** Tables that are not of one batch, or of which a part was asked in another night than the rest. */
export function mixedTables(rows: readonly Coverage[]): string[] {
  const captured = rows.filter(({ status, hero_id }) => status === "captured" && hero_id !== null);
  const tables = Map.groupBy(captured, ({ dataset, lane, rank, days, lang }) =>
    [dataset, lane, rank, days, lang].join(),
  );
  return [...tables].flatMap(([table, members]) => {
    const moments = new Set(members.map(({ batch, asked_at }) => `${batch} ${asked_at?.slice(0, 10)}`));
    return moments.size === 1 || table.startsWith("hero,") ? [] : [`${table}: ${[...moments].join(", ")}`];
  });
}
