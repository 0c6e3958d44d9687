import { INCREASE } from "../../../api/matchup-points.ts";
import { SHARE } from "../columns.ts";
import { integer, real, text } from "../definition.ts";
import { asked, at, constant, objects } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

export const matchupTables: DefinedTable[] = [
  {
    name: "hero_matchup",
    kind: "statistic",
    partOf: "hero_batch",
    description:
      "Win rates of each hero against and with each other hero, by rank. Use it for any two heroes, for a team or for a matrix. hero_pairing has the best and worst heroes by window; the upstream counts the two separately. The hero's overall rates are in hero_batch, with the sources academy-counters and teammates.",
    columns: {
      rank: text("Rank bracket.", { from: asked("rank") }),
      // A number and no word: 0 and 1 take no room in a row, and there are two hundred thousand rows.
      match_type: integer("0: the other hero is an opponent. 1: the other hero is a team mate.", {
        from: { "academy-counters": constant(0), teammates: constant(1) },
        source: "academy-counters data.camp_type, teammates data.camp_type",
      }),
      hero_id: integer("Hero.", { from: asked("hero") }),
      other_hero_id: integer("The other hero.", { from: at("heroid") }),
      increase_win_rate: real(
        `${INCREASE} The upstream does not state the window. For a clear matchup hero_pairing has the same sign but another number.`,
        { from: at("increase_win_rate"), unit: SHARE },
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
    rows: ["academy-counters", "teammates"].map((dataset) => ({
      datasets: [dataset],
      langs: "base",
      each: [objects("data.sub_hero")],
    })),
  },
];
