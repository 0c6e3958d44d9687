import { DAYS_COLUMN, HERO_ID, RANK_COLUMN, share } from "../columns.ts";
import type { TableDefinition } from "../definition.ts";

/** Days of a whole trend. */
export const DAYS_OF_TREND = 30;

/** Means of more days are too few in a trend. */
export const MOST_DAYS = 7;

export const rateErrorTable = {
  name: "hero_rate_error",
  kind: "internal",
  description: `How sure the win rates of hero_rate are, made from hero_trend. Heroes whose trend in a rank does not end with ${DAYS_OF_TREND} days, one behind the other, have no row.`,
  columns: {
    rank: RANK_COLUMN,
    days: DAYS_COLUMN,
    hero_id: HERO_ID,
    win_rate_error: share(
      `Standard error of the win rate: in two of three cases chance moves it by less. It is the scatter of the trend: of the means of as many consecutive days as the window has, about a line through them. Longer windows than ${MOST_DAYS} days have that of ${MOST_DAYS} × √(${MOST_DAYS} / days). In trials it is too large, by half, where a patch moved the rate, and too small, by a third at most, if the days of the trend are means of up to a week, which the upstream does not state.`,
    ),
  },
  key: ["rank", "days", "hero_id"],
  references: [
    { columns: ["hero_id"], table: "hero" },
    { columns: ["rank"], table: "rank" },
    { columns: ["days"], table: "day_window" },
  ],
  withoutRowid: true,
} satisfies TableDefinition;
