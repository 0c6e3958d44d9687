import { integer, real, type TableDefinition, text } from "../definition.ts";

const SHARE = "share of 1";

export const matchupTables: TableDefinition[] = [
  {
    name: "hero_matchup",
    description:
      "How every hero does against and together with every other one, by rank. The hero's own rates are in hero_batch, with the sources academy-counters and teammates.",
    columns: {
      rank: text("Rank bracket."),
      // A number and no word: 0 and 1 take no room in a row, and there are two hundred thousand rows.
      match_type: integer("0: the other one is an opponent; 1: a team mate.", {
        source: "academy-counters data.camp_type, teammates data.camp_type",
      }),
      hero_id: integer("Hero.", { source: "academy-counters data.main_heroid, teammates data.main_heroid" }),
      other_hero_id: integer("The other one.", {
        source: "academy-counters data.sub_hero[].heroid, teammates data.sub_hero[].heroid",
      }),
      increase_win_rate: real("By how much the hero's win rate is higher with or against the other.", {
        unit: SHARE,
        source: "academy-counters data.sub_hero[].increase_win_rate, teammates data.sub_hero[].increase_win_rate",
      }),
    },
    key: ["rank", "match_type", "hero_id", "other_hero_id"],
    references: [
      { columns: ["hero_id"], table: "hero" },
      { columns: ["rank"], table: "rank" },
    ],
    checks: ["match_type IN (0, 1)"],
    withoutRowid: true,
    fill: `SELECT rank, coverage.dataset = 'teammates', hero_id, entry.value ->> '$.heroid', entry.value ->> '$.increase_win_rate'
           FROM coverage JOIN record USING (dataset, slice), jsonb_each(record.json, '$.data.sub_hero') AS entry
           WHERE coverage.dataset IN ('academy-counters', 'teammates') AND lang = 'en' AND record.position = 0
           GROUP BY 1, 2, 3, 4 HAVING min(entry.key) = entry.key ORDER BY 1, 2, 3, 4`,
  },
];
