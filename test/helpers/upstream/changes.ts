import type { Rewrite } from "./upstream.ts";

/** All of them, one after another. */
export const changeAll =
  (...changes: readonly Rewrite[]): Rewrite =>
  (path, body) =>
    changes.reduce((changed, change) => change(path, changed), body);

/** The story of hero 1 has another word in front, in these languages. */
export const reword =
  (words: Readonly<Record<string, string>>): Rewrite =>
  (path, body) => {
    const word = words[/^\/api\/heroes\/1\?(?:.*&)?lang=([\w-]+)/.exec(path)?.[1] ?? ""];
    return word ? body.replaceAll(/"story":"(?!")/g, `"story":"${word} `) : body;
  };

/** Boots that nothing is built into, in both lists of the equipment. */
export const RETIRED = { id: 3561, name: "Thunder Arrow 2" };

/** The game no longer has them. */
export const retire: Rewrite = (path, body) => {
  if (!path.startsWith("/api/academy/equipment")) return body;
  const { data, ...rest } = JSON.parse(body) as { data: { total: number; records: { data: { equipid: number } }[] } };
  const records = data.records.filter((record) => record.data.equipid !== RETIRED.id);
  return JSON.stringify({ ...rest, data: { ...data, records, total: data.total - 1 } });
};

/** A hero wins more on a day: by so much, of a week by a seventh of that. */
export const raise =
  (hero: number, by: number): Rewrite =>
  (path, body) => {
    const days = Number(/^\/api\/heroes\/rank\?(?:.*&)?days=(\d+)/.exec(path)?.[1]);
    if (!days) return body;
    const { data, ...rest } = JSON.parse(body) as { data: { records: { data: Record<string, number> }[] } };
    for (const { data: record } of data.records)
      if (record.main_heroid === hero)
        record.main_hero_win_rate = Number(((record.main_hero_win_rate ?? 0) + by / days).toFixed(6));
    return JSON.stringify({ ...rest, data });
  };
