import { alongNames, lineChart } from "../charts/lines.ts";
import { percent, table } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { CsvTable, PageContext } from "../page.ts";

const RATES = "SELECT rank, days, win_rate, ban_rate, appearance_rate FROM hero_rate WHERE hero_id = @id";

interface RateRow {
  rank: string;
  days: number;
  win_rate: number;
  ban_rate: number;
  appearance_rate: number;
}

/** By rank and window, in their order. */
function readRates({ snapshot, facts }: PageContext, id: number) {
  const found = snapshot.select<RateRow>(RATES, { id });
  const known = new Map(found.map((rate) => [`${rate.rank} ${rate.days}`, rate]));
  return facts.ranks.flatMap(({ value: rank, label }) =>
    facts.windows.flatMap(({ value: days, label: window }) => {
      const rate = known.get(`${rank} ${days}`);
      return rate ? [{ ...rate, label, window }] : [];
    }),
  );
}

export const csvOfRates = (context: PageContext, id: number): CsvTable => ({
  columns: ["hero_id", "rank", "days", "win_rate", "appearance_rate", "ban_rate"],
  rows: readRates(context, id).map((one) => [id, one.rank, one.days, one.win_rate, one.appearance_rate, one.ban_rate]),
});

export function rates(context: PageContext, id: number): Html | undefined {
  const { facts } = context;
  const found = readRates(context, id);
  if (found.length === 0) return undefined;
  const rows = found.map((one) => [
    one.label,
    one.window,
    percent(one.win_rate),
    percent(one.appearance_rate),
    percent(one.ban_rate),
  ]);
  const columns = [
    { head: "Rank" },
    { head: "Window" },
    ...["Win rate", "Pick rate", "Ban rate"].map((head) => ({ head, number: true })),
  ];
  const find = (rank: string, days: string) => found.find((one) => one.rank === rank && one.days === Number(days));
  const climbed = facts.ranks.filter(({ value }) => value !== "all");
  const chart = lineChart({
    title: "Win rate from rank to rank",
    steps: alongNames(climbed.map(({ label }) => label)),
    lines: facts.windows.map(({ value: days, label }) => ({
      name: label,
      values: climbed.map(({ value: rank }) => find(rank, days)?.win_rate ?? null),
    })),
  });
  return html`<h2>Rates</h2>${chart}${table("In each rank and window", columns, rows)}`;
}
