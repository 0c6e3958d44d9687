import { integer, maybe, real, type TableDefinition, text } from "../definition.ts";

const MS = "epoch milliseconds";
const SHARE = "share of 1";
const toHero = { columns: ["hero_id"], table: "hero" };
const toRank = { columns: ["rank"], table: "rank" };

const APPEARANCE =
  "Share of all picks of the window that were this hero: it sums to about 1 over the roster, and is not the share of matches with the hero.";

const MINUTES: [column: string, key: string, minutes: string][] = [
  ["win_rate_0_6", "min_win_rate6", "up to 6 minutes"],
  ["win_rate_6_8", "min_win_rate6_8", "6 to 8 minutes"],
  ["win_rate_8_10", "min_win_rate8_10", "8 to 10 minutes"],
  ["win_rate_10_12", "min_win_rate10_12", "10 to 12 minutes"],
  ["win_rate_12_14", "min_win_rate12_14", "12 to 14 minutes"],
  ["win_rate_14_16", "min_win_rate14_16", "14 to 16 minutes"],
  ["win_rate_16_18", "min_win_rate16_18", "16 to 18 minutes"],
  ["win_rate_18_20", "min_win_rate18_20", "18 to 20 minutes"],
  ["win_rate_20", "min_win_rate20", "20 minutes or longer"],
];

const from = (...sources: string[]) =>
  `coverage.dataset IN (${sources.map((source) => `'${source}'`).join(", ")}) AND coverage.lang = 'en'`;
const EXTREMES = ["counters", "compatibility", "stats"];
const PAIRED = from(...EXTREMES);
const ACADEMY = ["academy-stats", "academy-counters", "teammates"];

export const statisticsTables: TableDefinition[] = [
  {
    name: "hero_rate",
    description: "How often each hero is picked, banned and wins, by rank and window: the rank list.",
    columns: {
      rank: text("Rank bracket."),
      days: integer("Window.", { unit: "days" }),
      hero_id: integer("Hero.", { source: "rank data.main_heroid" }),
      win_rate: real("Matches won.", { unit: SHARE, source: "rank data.main_hero_win_rate" }),
      ban_rate: real("Matches in which the hero was banned; above 1 has been published.", {
        unit: SHARE,
        source: "rank data.main_hero_ban_rate",
      }),
      appearance_rate: real(APPEARANCE, { unit: SHARE, source: "rank data.main_hero_appearance_rate" }),
      channel_id: maybe.integer("Id of the hero's record.", { source: "rank data.main_hero_channel.id" }),
    },
    key: ["rank", "days", "hero_id"],
    references: [toHero, toRank, { columns: ["days"], table: "day_window" }],
    indexes: [["hero_id"]],
    withoutRowid: true,
    fill: `SELECT rank, days, json ->> '$.data.main_heroid', json ->> '$.data.main_hero_win_rate',
             json ->> '$.data.main_hero_ban_rate', json ->> '$.data.main_hero_appearance_rate',
             json ->> '$.data.main_hero_channel.id'
           FROM coverage JOIN record USING (dataset, slice) JOIN hero ON hero.hero_id = json ->> '$.data.main_heroid'
           WHERE coverage.dataset = 'rank' AND lang = 'en' ORDER BY 1, 2, 3`,
  },
  {
    name: "hero_rate_opponent",
    description: "The opponents that the rank list shows beside each hero: those it does best against.",
    columns: {
      rank: text("Rank bracket."),
      days: integer("Window.", { unit: "days" }),
      hero_id: integer("Hero."),
      position: integer("Place in the list, from 1."),
      other_hero_id: integer("The opponent.", { source: "rank data.sub_hero[].heroid" }),
      increase_win_rate: real("By how much the hero's win rate is higher against the opponent.", {
        unit: SHARE,
        source: "rank data.sub_hero[].increase_win_rate",
      }),
      other_channel_id: maybe.integer("Id of the opponent's record.", {
        source: "rank data.sub_hero[].hero_channel.id",
      }),
    },
    key: ["rank", "days", "hero_id", "position"],
    references: [{ columns: ["rank", "days", "hero_id"], table: "hero_rate" }],
    indexes: [["hero_id"], ["other_hero_id"]],
    withoutRowid: true,
    fill: `SELECT rank, days, record.json ->> '$.data.main_heroid', entry.key + 1, entry.value ->> '$.heroid',
             entry.value ->> '$.increase_win_rate', entry.value ->> '$.hero_channel.id'
           FROM coverage JOIN record USING (dataset, slice) JOIN hero ON hero.hero_id = record.json ->> '$.data.main_heroid',
             jsonb_each(record.json, '$.data.sub_hero') AS entry
           WHERE coverage.dataset = 'rank' AND lang = 'en' ORDER BY 1, 2, 3, 4`,
  },
  {
    name: "hero_batch",
    description:
      "The head of each record of pairings: the hero's own rates in it, and the batch of the upstream it belongs to.",
    columns: {
      source: text(
        "Endpoint: counters (opponents), compatibility (team mates), stats and academy-stats (team mates, window not stated), academy-counters (all opponents) or teammates (all team mates).",
      ),
      hero_id: integer("Hero.", { source: "data.main_heroid" }),
      rank: text("Rank bracket."),
      days: integer("Window; 0 for stats and those of the academy, whose window the upstream does not state.", {
        unit: "days",
      }),
      batch_at_ms: maybe.integer("Stamp of the batch, the same for all heroes of a rank and window.", {
        unit: MS,
        source: "_updatedAt",
      }),
      created_at_ms: maybe.integer("When the record was first made.", { unit: MS, source: "_createdAt" }),
      record_id: maybe.integer("The publisher's record id.", { source: "id" }),
      source_id: maybe.integer("The publisher's id of the source.", { source: "sourceId" }),
      channel_id: maybe.integer("Id of the hero's record.", { source: "data.main_hero_channel.id" }),
      win_rate: real("Matches won.", { unit: SHARE, source: "data.main_hero_win_rate" }),
      ban_rate: maybe.real("Matches in which the hero was banned.", { unit: SHARE, source: "data.main_hero_ban_rate" }),
      appearance_rate: maybe.real(APPEARANCE, {
        unit: SHARE,
        source: "data.main_hero_appearance_rate, data.main_hero_pick_rate",
      }),
      match_type: maybe.text("0: the lists are opponents; 1: team mates.", { source: "data.match_type" }),
      camp_type: maybe.text("As match_type in all that was seen.", { source: "data.camp_type" }),
    },
    key: ["source", "hero_id", "rank", "days"],
    references: [toHero, toRank],
    withoutRowid: true,
    fill: `SELECT coverage.dataset, hero_id, rank, coalesce(days, 0), json ->> '$._updatedAt', json ->> '$._createdAt',
             json ->> '$.id', json ->> '$.sourceId', json ->> '$.data.main_hero_channel.id', json ->> '$.data.main_hero_win_rate',
             json ->> '$.data.main_hero_ban_rate',
             coalesce(json ->> '$.data.main_hero_appearance_rate', json ->> '$.data.main_hero_pick_rate'),
             json ->> '$.data.match_type', json ->> '$.data.camp_type'
           FROM coverage JOIN record USING (dataset, slice) WHERE ${from(...EXTREMES, ...ACADEMY)} AND position = 0 ORDER BY 1, 2, 3, 4`,
  },
  {
    name: "hero_pairing",
    description: "The five heroes that a hero does best and worst with or against, by rank and window.",
    columns: {
      source: text("Endpoint, as in hero_batch."),
      hero_id: integer("Hero."),
      rank: text("Rank bracket."),
      days: integer("Window; 0 for stats.", { unit: "days" }),
      side: text("best or worst, seen from the hero.", { source: "data.sub_hero, data.sub_hero_last" }),
      position: integer("Place in the list, from 1.", { source: "data.sub_hero*[].hero_index" }),
      other_hero_id: integer("The other hero.", { source: "data.sub_hero*[].heroid" }),
      increase_win_rate: real("By how much the hero's win rate is higher with or against the other.", {
        unit: SHARE,
        source: "data.sub_hero*[].increase_win_rate",
      }),
      other_win_rate: maybe.real("The other's own win rate.", {
        unit: SHARE,
        source: "data.sub_hero*[].hero_win_rate",
      }),
      other_appearance_rate: maybe.real("The other's own share of picks.", {
        unit: SHARE,
        source: "data.sub_hero*[].hero_appearance_rate",
      }),
      other_channel_id: maybe.integer("Id of the other's record.", { source: "data.sub_hero*[].hero_channel.id" }),
      ...Object.fromEntries(
        MINUTES.map(([name, key, minutes]) => [
          name,
          maybe.real(`Win rate in matches of ${minutes}.`, { unit: SHARE, source: `data.sub_hero*[].${key}` }),
        ]),
      ),
    },
    key: ["source", "hero_id", "rank", "days", "side", "position"],
    references: [{ columns: ["source", "hero_id", "rank", "days"], table: "hero_batch" }],
    indexes: [["other_hero_id"], ["rank", "days", "hero_id"]],
    checks: ["side IN ('best', 'worst')"],
    withoutRowid: true,
    fill: `SELECT coverage.dataset, hero_id, rank, coalesce(days, 0), side.column2, entry.key + 1, entry.value ->> '$.heroid',
             entry.value ->> '$.increase_win_rate', entry.value ->> '$.hero_win_rate', entry.value ->> '$.hero_appearance_rate',
             entry.value ->> '$.hero_channel.id', ${MINUTES.map(([, key]) => `entry.value ->> '$.${key}'`).join(", ")}
           FROM coverage JOIN record USING (dataset, slice),
             (VALUES ('$.data.sub_hero', 'best'), ('$.data.sub_hero_last', 'worst')) AS side,
             jsonb_each(record.json, side.column1) AS entry
           WHERE ${PAIRED} AND record.position = 0 ORDER BY 1, 2, 3, 4, 5, 6`,
  },
  {
    name: "hero_trend_series",
    description:
      "The head of each series of daily rates: the batch of the upstream it belongs to. Its days are in hero_trend.",
    columns: {
      rank: text("Rank bracket."),
      hero_id: integer("Hero."),
      days: integer("Length that was asked for.", { unit: "days" }),
      batch_at_ms: maybe.integer("Stamp of the batch.", { unit: MS, source: "trends _updatedAt" }),
      created_at_ms: maybe.integer("When the record was first made.", { unit: MS, source: "trends _createdAt" }),
      record_id: maybe.integer("The publisher's record id.", { source: "trends id" }),
      source_id: maybe.integer("The publisher's id of the source.", { source: "trends sourceId" }),
      match_type: maybe.text("As in hero_batch; of no meaning for a trend.", { source: "trends data.match_type" }),
      camp_type: maybe.text("As in hero_batch; of no meaning for a trend.", { source: "trends data.camp_type" }),
    },
    key: ["rank", "hero_id", "days"],
    references: [toHero, toRank],
    indexes: [["hero_id"]],
    withoutRowid: true,
    fill: `SELECT rank, hero_id, days, json ->> '$._updatedAt', json ->> '$._createdAt', json ->> '$.id', json ->> '$.sourceId',
             json ->> '$.data.match_type', json ->> '$.data.camp_type'
           FROM coverage JOIN record USING (dataset, slice)
           WHERE coverage.dataset = 'trends' AND position = 0 ORDER BY 1, 2, 3`,
  },
  {
    name: "hero_trend",
    description: "Rates of each hero by day, from the longest series in the snapshot.",
    columns: {
      rank: text("Rank bracket."),
      hero_id: integer("Hero.", { source: "trends data.main_heroid" }),
      date: text("Day, YYYY-MM-DD.", { source: "trends data.win_rate[].date" }),
      win_rate: real("Matches won.", { unit: SHARE, source: "trends data.win_rate[].win_rate" }),
      ban_rate: real("Matches in which the hero was banned.", {
        unit: SHARE,
        source: "trends data.win_rate[].ban_rate",
      }),
      appearance_rate: real(APPEARANCE, { unit: SHARE, source: "trends data.win_rate[].app_rate" }),
    },
    key: ["rank", "hero_id", "date"],
    references: [toHero, toRank],
    indexes: [["hero_id"]],
    withoutRowid: true,
    fill: `SELECT rank, hero_id, day.value ->> '$.date', day.value ->> '$.win_rate', day.value ->> '$.ban_rate', day.value ->> '$.app_rate'
           FROM coverage JOIN record USING (dataset, slice), jsonb_each(record.json, '$.data.win_rate') AS day
           WHERE coverage.dataset = 'trends' AND record.position = 0
           GROUP BY 1, 2, 3 HAVING max(days) = days ORDER BY 1, 2, 3`,
  },
];
