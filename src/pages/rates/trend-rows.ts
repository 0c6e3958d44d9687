import type { Snapshot } from "../../snapshot/read/snapshot.ts";

export type RateName = "win_rate" | "appearance_rate" | "ban_rate";

/** One rate of all heroes in a rank, by day. */
export interface Trends {
  days: string[];
  /** By hero; null where a day is missing. */
  lines: ReadonlyMap<number, (number | null)[]>;
}

interface Row {
  hero_id: number;
  date: string;
  value: number;
}

const sqlOf = (rate: RateName) =>
  `SELECT hero_id, date, ${rate} AS value FROM hero_trend WHERE rank = @rank ORDER BY hero_id, date`;

const SQL: Readonly<Record<RateName, string>> = {
  win_rate: sqlOf("win_rate"),
  appearance_rate: sqlOf("appearance_rate"),
  ban_rate: sqlOf("ban_rate"),
};

export function readTrends({ select }: Snapshot, rank: string, rate: RateName): Trends {
  const rows = select<Row>(SQL[rate], { rank });
  const days = [...new Set(rows.map(({ date }) => date))].sort();
  const places = new Map(days.map((day, place) => [day, place]));
  const lines = new Map<number, (number | null)[]>();
  for (const { hero_id, date, value } of rows) {
    const line = lines.get(hero_id) ?? days.map(() => null);
    line[places.get(date) ?? 0] = value;
    lines.set(hero_id, line);
  }
  return { days, lines };
}
