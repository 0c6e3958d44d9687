import type { Add, Sent, Shapes } from "./archive.ts";

type Batch = Pick<Shapes["builds"], "id" | "sourceId" | "_createdAt" | "_updatedAt">;

const batchOf = ({ id, sourceId, _createdAt, _updatedAt }: Batch) => ({
  batch_at_ms: _updatedAt ?? null,
  created_at_ms: _createdAt ?? null,
  record_id: id ?? null,
  source_id: sourceId ?? null,
});

export function addTimeline(add: Add, { hero: hero_id, lane, rank, record }: Sent<Shapes["timeline"]>) {
  const key = { hero_id, lane, rank };
  add("hero_lane_rate", { ...key, win_rate: record.data.total_win_rate ?? null, ...batchOf(record) });
  for (const [place, { time_min, time_max, win_rate }] of record.data.time_win_rate.entries()) {
    const minutes = { from_minute: time_min, to_minute: time_max ?? null };
    add("hero_minute_rate", { ...key, position: place + 1, ...minutes, win_rate });
  }
}

export function addBuilds(add: Add, { hero: hero_id, lane, rank, record }: Sent<Shapes["builds"]>) {
  for (const [at, build] of record.data.build.entries()) {
    const key = { hero_id, lane, rank, position: at + 1 };
    const rates = { win_rate: build.build_win_rate, pick_rate: build.build_pick_rate };
    add("hero_build", { ...key, ...rates, emblem_id: build.runeid, spell_id: build.skillid, ...batchOf(record) });
    for (const [i, item_id] of build.equipid.entries()) add("hero_build_item", { ...key, place: i + 1, item_id });
    for (const [i, talent_id] of build.new_rune_skill.entries()) {
      add("hero_build_talent", { ...key, place: i + 1, talent_id });
    }
  }
}

/** The academy's heads are in the table of all heads; the matrix is a table of its own. */
export function addAcademyHead(
  add: Add,
  { dataset: source, hero: hero_id, rank, record }: Sent<Shapes["academy-stats"] | Shapes["teammates"]>,
) {
  const { data } = record;
  const appearance = "main_hero_pick_rate" in data ? data.main_hero_pick_rate : data.main_hero_appearance_rate;
  add("hero_batch", {
    source,
    hero_id,
    rank,
    days: 0,
    ...batchOf(record),
    channel_id: null,
    win_rate: data.main_hero_win_rate,
    ban_rate: data.main_hero_ban_rate ?? null,
    appearance_rate: typeof appearance === "number" ? appearance : null,
    match_type: typeof data.match_type === "string" ? data.match_type : null,
    camp_type: data.camp_type ?? null,
  });
}

export function addMatrix(add: Add, { dataset, hero: hero_id, rank, record }: Sent<Shapes["teammates"]>) {
  const match_type = dataset === "teammates" ? 1 : 0;
  for (const { heroid: other_hero_id, increase_win_rate } of record.data.sub_hero) {
    add("hero_matchup", { rank, match_type, hero_id, other_hero_id, increase_win_rate });
  }
}
