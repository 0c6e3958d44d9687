import type { Add, Sent, Shapes } from "./archive.ts";

const MINUTES = ["6_8", "8_10", "10_12", "12_14", "14_16", "16_18", "18_20", "20"] as const;

export function addPairings(add: Add, { dataset, hero: hero_id, rank, days, record }: Sent<Shapes["counters"]>) {
  const key = { source: dataset, hero_id, rank, days };
  const { data } = record;
  add("hero_batch", {
    ...key,
    batch_at_ms: record._updatedAt ?? null,
    created_at_ms: record._createdAt ?? null,
    record_id: record.id ?? null,
    source_id: record.sourceId ?? null,
    channel_id: data.main_hero_channel?.id ?? null,
    win_rate: data.main_hero_win_rate,
    ban_rate: data.main_hero_ban_rate ?? null,
    appearance_rate: data.main_hero_appearance_rate ?? null,
    match_type: data.match_type ?? null,
    camp_type: data.camp_type ?? null,
  });
  for (const [side, list] of Object.entries({ best: data.sub_hero, worst: data.sub_hero_last })) {
    for (const [place, other] of list.entries()) {
      add("hero_pairing", {
        ...key,
        side,
        position: place + 1,
        other_hero_id: other.heroid,
        increase_win_rate: other.increase_win_rate,
        other_win_rate: other.hero_win_rate ?? null,
        other_appearance_rate: other.hero_appearance_rate ?? null,
        other_channel_id: other.hero_channel?.id ?? null,
        win_rate_0_6: other.min_win_rate6 ?? null,
        ...Object.fromEntries(MINUTES.map((span) => [`win_rate_${span}`, other[`min_win_rate${span}`] ?? null])),
      });
    }
  }
}

export function addRate(add: Add, { rank, days, record: { data } }: Sent<Shapes["rank"]>) {
  const key = { rank, days, hero_id: data.main_heroid };
  add("hero_rate", {
    ...key,
    win_rate: data.main_hero_win_rate,
    ban_rate: data.main_hero_ban_rate,
    appearance_rate: data.main_hero_appearance_rate,
    channel_id: data.main_hero_channel?.id ?? null,
  });
  for (const [place, { heroid: other_hero_id, increase_win_rate, hero_channel }] of data.sub_hero.entries()) {
    const other_channel_id = hero_channel?.id ?? null;
    add("hero_rate_opponent", { ...key, position: place + 1, other_hero_id, increase_win_rate, other_channel_id });
  }
}

/** The days of a hero come from the longest of its series. */
export function addSeries(add: Add, sent: Sent<Shapes["trends"]>, longest: boolean) {
  const { rank, hero: hero_id, days, record } = sent;
  add("hero_trend_series", {
    rank,
    hero_id,
    days,
    batch_at_ms: record._updatedAt ?? null,
    created_at_ms: record._createdAt ?? null,
    record_id: record.id ?? null,
    source_id: record.sourceId ?? null,
    match_type: record.data.match_type ?? null,
    camp_type: record.data.camp_type ?? null,
  });
  if (!longest) return;
  for (const { date, win_rate, ban_rate, app_rate } of record.data.win_rate) {
    add("hero_trend", { rank, hero_id, date, win_rate, ban_rate, appearance_rate: app_rate });
  }
}
