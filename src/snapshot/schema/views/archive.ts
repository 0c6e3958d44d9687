import { INSTANT, integer, maybe, type SnapshotView, text } from "../definition.ts";

export const archiveViews: readonly SnapshotView[] = [
  {
    name: "text_issue_list",
    description:
      "Faulty texts beside the English text: missing, not translated, in another script, or placeholders. Filter by lang, dataset and issue.",
    columns: {
      lang: text("Language."),
      dataset: text("Endpoint."),
      hero_id: maybe.integer("Hero. null: the record does not belong to a hero."),
      hero: maybe.text("English name of the hero."),
      path: text("Path of the text in the record."),
      issue: text("One of: missing, same_as_english, wrong_script, placeholder."),
      text: maybe.text("The text. null: the record does not have it."),
      english: maybe.text(
        "The text at the same path of the English record. null: the English record does not have it.",
      ),
    },
    order: ["lang", "dataset", "hero_id", "path", "issue", "text"],
    select: `SELECT coverage.lang, coverage.dataset, hero.hero_id, hero.name AS hero, text_issue.path, text_issue.issue,
       CAST(json_extract(record.json, '$.' || text_issue.path) AS TEXT) AS text,
       CAST(json_extract(base.json, '$.' || text_issue.path) AS TEXT) AS english
FROM text_issue
JOIN record USING (slice_id, position)
JOIN coverage USING (slice_id)
LEFT JOIN hero ON hero.hero_id = coalesce(coverage.hero_id, json_extract(record.json, '$.data.hero_id'))
LEFT JOIN coverage AS english ON english.dataset = coverage.dataset
  AND english.slice = substr(coverage.slice, 1, length(coverage.slice) - length(coverage.lang)) || 'en'
LEFT JOIN record AS base ON base.slice_id = english.slice_id AND base.position = text_issue.english_position`,
    example:
      "SELECT dataset, path, issue, count(*) AS texts FROM text_issue_list WHERE lang = 'ja' GROUP BY dataset, path, issue ORDER BY texts DESC LIMIT 3",
  },
  {
    name: "coverage_hole",
    description: "Slices that this snapshot lacks, with the reason. The view is empty if the snapshot is complete.",
    columns: {
      dataset: text("Endpoint."),
      slice: text("Slice that is missing."),
      reason: maybe.text("Why it is missing."),
    },
    order: ["dataset", "slice"],
    select: "SELECT dataset, slice, reason FROM coverage WHERE status = 'failed'",
    example: "SELECT dataset, slice, reason FROM coverage_hole ORDER BY dataset, slice LIMIT 3",
  },
  {
    name: "data_age",
    description:
      "Age of the answers of each endpoint, by rank and window. If the file is not rolling, one crawl asked for all of them.",
    columns: {
      dataset: text("Endpoint."),
      rank: maybe.text("Rank bracket, if the endpoint takes one."),
      days: maybe.integer("Window or length of the series, if the endpoint takes one.", { unit: "days" }),
      slices: integer("Number of slices."),
      missing: integer("Slices without an answer."),
      suspect: integer("Slices whose answer may be outdated."),
      oldest: maybe.text("Start of the run that asked for the oldest answer.", { unit: INSTANT }),
      newest: maybe.text("Start of the run that asked for the newest answer.", { unit: INSTANT }),
    },
    order: ["dataset", "rank", "days"],
    select: `SELECT dataset, rank, days, count(*) AS slices, sum(status = 'failed') AS missing, sum(suspect) AS suspect,
       min(asked_at) AS oldest, max(asked_at) AS newest
FROM coverage GROUP BY dataset, rank, days`,
    example:
      "SELECT dataset, rank, days, slices, round(julianday(started_at) - julianday(oldest), 1) AS days_old FROM data_age, snapshot ORDER BY oldest, dataset, rank, days LIMIT 3",
  },
];
