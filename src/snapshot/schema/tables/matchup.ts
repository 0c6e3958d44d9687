import { integer, real, type TableDefinition, text } from "../definition.ts";
import { asked, at, constant, objects, type RowSource } from "../row-source.ts";

const SHARE = "share of 1";

export const matchupTables: TableDefinition[] = [
  {
    name: "hero_matchup",
    kind: "statistic",
    partOf: "hero_batch",
    description:
      "How every hero does against and together with every other one, by rank. For any two heroes, a team or a matrix; who is best or worst, and by window, is in hero_pairing, which the upstream counts by itself. The hero's own rates are in hero_batch, with the sources academy-counters and teammates.",
    columns: {
      rank: text("Rank bracket."),
      // A number and no word: 0 and 1 take no room in a row, and there are two hundred thousand rows.
      match_type: integer("0: the other one is an opponent; 1: a team mate.", {
        source: "academy-counters data.camp_type, teammates data.camp_type",
      }),
      hero_id: integer("Hero."),
      other_hero_id: integer("The other one."),
      increase_win_rate: real(
        "By how much the hero's win rate is higher with or against the other. Over a window that the upstream does not state: hero_pairing has the same sign where it is clear, and another number.",
        { unit: SHARE },
      ),
    },
    // By hero first: who asks for one hero need not name a rank, and a whole rank is read in a fiftieth of a second.
    key: ["hero_id", "rank", "match_type", "other_hero_id"],
    references: [
      { columns: ["hero_id"], table: "hero" },
      { columns: ["rank"], table: "rank" },
    ],
    checks: ["match_type IN (0, 1)"],
    withoutRowid: true,
    rows: [matchupRows("academy-counters", 0), matchupRows("teammates", 1)],
  },
];

function matchupRows(dataset: string, matchType: number): RowSource {
  return {
    datasets: [dataset],
    langs: "base",
    each: [objects("data.sub_hero")],
    cells: {
      rank: asked("rank"),
      match_type: constant(matchType),
      hero_id: asked("hero"),
      other_hero_id: at("heroid"),
      increase_win_rate: at("increase_win_rate"),
    },
  };
}
