import { cellsApart, numbersApart, type TextRun } from "../../../api/apart.ts";
import type { DatasetMoments, Moments } from "./asked.ts";
import type { Changes, Diff } from "./diff.ts";
import { signedPoints } from "./news.ts";
import { MIN_SCORE } from "./statistics/noise.ts";

/** A text, or the runs of a changed text. */
export type SectionCell = string | TextRun[];

/** One table of the report. */
export interface Section {
  title: string;
  note?: string;
  head: string[];
  rows: SectionCell[][];
  /** The kind of each row: if only some rows are shown, each kind gets its share. */
  kinds?: string[];
}

/** The most characters of a list in a terminal; the JSON has all of it. */
const MOST_LIST_CHARS = 120;

const percent = (share: number, digits: number) => `${(100 * share).toFixed(digits)} %`;
const deviations = (score: number) => `${Math.abs(score).toFixed(1)} ×`;
const signed = (count: number) => (count > 0 ? `+${count}` : String(count).replace("-", "−"));

/** Writes in one line what is compared. */
export function headline({ before, after, identical, changes, asked }: Diff): string {
  if (identical) return `${before.version} and ${after.version} hold the same data${describeAsked(asked)}`;
  const apart = changes.days_apart === 1 ? "one night apart" : `${changes.days_apart} nights apart`;
  const game =
    before.game_version === after.game_version
      ? ""
      : `, game ${cellsApart(before.game_version, after.game_version).join(" → ")}`;
  return `${before.version} → ${after.version}, ${apart}${game}${describeAsked(asked)}`;
}

function describeAsked(asked: readonly DatasetMoments[] | undefined): string {
  if (!asked) return "";
  const sum = (what: "compared" | "carried" | "older" | "not_asked") =>
    asked.reduce((total, { [what]: count }) => total + count, 0);
  const [compared, carried, older, missing] = [sum("compared"), sum("carried"), sum("older"), sum("not_asked")];
  const parts = [
    `${compared} answers compared`,
    ...(older > 0 ? [`${older} of them older in the second`] : []),
    `${carried} carried over`,
    ...(missing > 0 ? [`${missing} not asked in one of them`] : []),
  ];
  return `; ${parts.join(", ")}`;
}

/** Writes the lines under the headline: the filters, and how much changed. */
export function preamble({ filters, news, changes }: Diff): string[] {
  if (!changes) return [];
  const named = Object.entries(filters).map(
    ([name, values]) => `${name} ${(values as (string | number)[]).join(", ")}`,
  );
  const only = named.length > 0 ? [`Only ${named.join("; ")}; what does not fit is left out.`] : [];
  return [...only, `${news.short}.`];
}

/** Makes the tables of the report; parts without a change are left out. */
export function toSections(changes: Changes, moments?: readonly DatasetMoments[]): Section[] {
  const parts = [heroes, rates, matchups, texts, lists, rows, numbers, shape, coverage];
  return [...parts.map((part) => part(changes)), asked(moments ?? [])].filter(({ rows: found }) => found.length > 0);
}

function heroes({ heroes: { added, gone } }: Changes): Section {
  const line = (what: string) => (hero: { hero_id: number; name: string }) => [what, String(hero.hero_id), hero.name];
  return { title: "Heroes", head: ["", "id", "name"], rows: [...added.map(line("added")), ...gone.map(line("gone"))] };
}

function rates({ rates: { movers, spread } }: Changes): Section {
  const idOf = ({ rank, days, rate }: { rank: string; days: number; rate: string }) => `${rank} ${days} ${rate}`;
  const medians = new Map(spread.map((group) => [idOf(group), group.median]));
  const rows = movers.map((mover) => [
    mover.name,
    mover.rank,
    String(mover.days),
    mover.rate.replace("_rate", ""),
    ...numbersApart(mover.before, mover.after, percent, 2),
    signedPoints(mover.change),
    signedPoints(medians.get(idOf(mover)) ?? 0),
    deviations(mover.score),
    mover.also_in
      .map(({ days }) => days)
      .sort((a, b) => a - b)
      .join(" "),
  ]);
  const note = `Changes of ${MIN_SCORE} deviations and more from what all heroes did in that rank and window (others), in points of a percent.`;
  const head = ["hero", "rank", "days", "rate", "before", "after", "change", "others", "far", "also in"];
  const kinds = movers.map(({ rate }) => rate);
  return addMoments({ title: "Rates", note, head, rows, kinds }, movers);
}

function matchups({ matchups: { matchups: found } }: Changes): Section {
  const rows = found.map(({ name, other, rank, before, after, change, score }) => [
    ...[name, other, rank],
    ...numbersApart(before, after, signedPoints, 2),
    ...[signedPoints(change), deviations(score)],
  ]);
  const note = "How much better a hero does against another than before, by the same measure.";
  const head = ["hero", "against", "rank", "before", "after", "change", "far"];
  return addMoments({ title: "Matchups", note, head, rows }, found);
}

function texts({ texts: found }: Changes): Section {
  const rows = found.map(({ label, column, lang, words }) => [label, column.replace("_plain", ""), lang, words]);
  return addMoments({ title: "Texts", head: ["of", "text", "lang", "change"], rows }, found);
}

function lists({ lists: found }: Changes): Section {
  const rows = found.map(({ table, label, key, before, after }) => [
    table,
    key.lang ? `${label} (${key.lang})` : label,
    ...cellsApart(before.join(", "), after.join(", "), MOST_LIST_CHARS),
  ]);
  const title = "Roles, lanes, relations and other lists";
  return addMoments({ title, head: ["list", "of", "before", "after"], rows }, found);
}

function rows({ tables }: Changes): Section {
  const listed = tables.filter(({ kind }) => kind === "row" || kind === "text");
  const lines = listed.flatMap(({ table, kind, added, gone, changed }) => [
    ...added.map(({ label, key }) => [table, "added", key.lang ? `${label} (${key.lang})` : label, ""]),
    ...gone.map(({ label, key }) => [table, "gone", key.lang ? `${label} (${key.lang})` : label, ""]),
    ...(kind === "text" ? [] : changed).map(({ label, columns }) => {
      const parts = Object.entries(columns).map(
        ([name, { before, after }]) => `${name}: ${cellsApart(before, after).join(" → ")}`,
      );
      return [table, "changed", label, parts.join(", ")];
    }),
  ]);
  const entries = listed.flatMap(({ kind, added, gone, changed }) => [
    ...added,
    ...gone,
    ...(kind === "text" ? [] : changed),
  ]);
  return addMoments({ title: "Rows", head: ["table", "", "of", "change"], rows: lines }, entries);
}

function numbers({ tables }: Changes): Section {
  const rows = tables.map(({ table, counts }) => [
    table,
    String(counts.added),
    String(counts.gone),
    String(counts.changed),
  ]);
  const note = "How many rows came, went and hold other values.";
  return { title: "Tables", note, head: ["table", "added", "gone", "changed"], rows };
}

function shape({ shape: drift }: Changes): Section {
  const rows = drift.map(({ dataset, path, before, now, count, needed }) => [
    dataset,
    path,
    before,
    now,
    String(count),
    needed ? "needed" : "",
  ]);
  return { title: "Shape of the records", head: ["dataset", "path", "before", "now", "count", ""], rows };
}

/** Makes the table of coverage, in which languages with the same changes share a row. */
function coverage({ coverage: datasets }: Changes): Section {
  const rows = datasets.flatMap(({ dataset, languages }) => {
    const lines = languages.map(({ lang, before, after }) => {
      const change = (name: "slices" | "captured" | "empty" | "failed" | "records") =>
        (after?.[name] ?? 0) - (before?.[name] ?? 0);
      const names = ["slices", "captured", "empty", "failed", "records"] as const;
      const parts = names.filter((name) => change(name) !== 0).map((name) => `${signed(change(name))} ${name}`);
      return { lang, text: parts.join(", ") };
    });
    return [...Map.groupBy(lines, ({ text }) => text)].map(([text, same]) => [
      dataset,
      same.map(({ lang }) => lang).join(" "),
      text,
    ]);
  });
  return { title: "Coverage", head: ["dataset", "languages", "change"], rows };
}

/** Adds a last column with the days between which each row changed, if one of the snapshots is rolling. */
function addMoments(section: Section, entries: readonly Partial<Moments>[]): Section {
  if (!entries.some(({ changed_after }) => changed_after !== undefined)) return section;
  const { head, rows } = section;
  return {
    ...section,
    head: [...head, "between"],
    rows: rows.map((row, index) => [...row, between(entries[index] ?? {})]),
  };
}

function between({ changed_after = "", changed_before = "" }: Partial<Moments>): string {
  const days = new Set([changed_after, changed_before].map((moment) => moment.slice(0, 10)));
  return [...days].join(" – ");
}

function asked(datasets: readonly DatasetMoments[]): Section {
  const rows = datasets.map((entry) => {
    const { dataset, compared, older, carried, not_asked } = entry;
    const figures = [compared, older, carried, not_asked].map((count) => (count === 0 ? "" : String(count)));
    return [dataset, ...figures, compared === 0 ? "" : between(entry)];
  });
  const note =
    "Answers that both have from the same crawl are carried over, and not compared. Changes are of between these days.";
  const head = ["dataset", "compared", "older in the second", "carried over", "not asked", "between"];
  return { title: "What was asked", note, head, rows };
}
