import type { SnapshotView } from "../definition.ts";

export const archiveViews: readonly SnapshotView[] = [
  {
    name: "text_issue_list",
    description:
      "Faulty texts beside the English text: missing, not translated, in another script, or placeholders. Filter by lang, dataset and issue.",
    columns: {
      dataset: "Endpoint.",
      lang: "Language.",
      hero: "English name of the hero. null: the record does not belong to a hero.",
      path: "Path of the text in the record.",
      issue: "missing, same_as_english, wrong_script or placeholder.",
      text: "The text. null: the record does not have it.",
      english: "The text at the same path of the English record. null: the English record does not have it.",
    },
    select: `SELECT text_issue.dataset, text_issue.lang, hero.name AS hero, text_issue.path, text_issue.issue,
       json_extract(record.json, '$.' || text_issue.path) AS text,
       json_extract(base.json, '$.' || text_issue.path) AS english
FROM text_issue
JOIN record USING (dataset, slice, position)
JOIN coverage USING (dataset, slice)
LEFT JOIN hero ON hero.hero_id = coalesce(coverage.hero_id, json_extract(record.json, '$.data.hero_id'))
LEFT JOIN record AS base ON base.dataset = text_issue.dataset AND base.position = text_issue.english_position
  AND base.slice = substr(text_issue.slice, 1, length(text_issue.slice) - length(text_issue.lang)) || 'en'`,
    example:
      "SELECT dataset, path, issue, count(*) AS texts FROM text_issue_list WHERE lang = 'ja' GROUP BY dataset, path, issue ORDER BY texts DESC LIMIT 3",
  },
  {
    name: "coverage_hole",
    description: "Slices that this snapshot lacks, with the reason. The view is empty if the snapshot is complete.",
    columns: { dataset: "Endpoint.", slice: "Slice that is missing.", reason: "Why it is missing." },
    select: "SELECT dataset, slice, reason FROM coverage WHERE status = 'failed'",
    example: "SELECT dataset, slice, reason FROM coverage_hole ORDER BY dataset, slice LIMIT 3",
  },
  {
    name: "data_age",
    description:
      "Age of the answers of each endpoint, by rank and window. If the file is not rolling, one crawl asked for all of them.",
    columns: {
      dataset: "Endpoint.",
      rank: "Rank bracket, if the endpoint takes one.",
      days: "Window or length of the series, if the endpoint takes one.",
      slices: "Number of slices.",
      missing: "Slices without an answer.",
      suspect: "Slices whose answer may be outdated.",
      oldest: "Start of the run that asked for the oldest answer.",
      newest: "Start of the run that asked for the newest answer.",
    },
    select: `SELECT dataset, rank, days, count(*) AS slices, sum(status = 'failed') AS missing, sum(suspect) AS suspect,
       min(asked_at) AS oldest, max(asked_at) AS newest
FROM coverage GROUP BY dataset, rank, days`,
    example:
      "SELECT dataset, rank, days, slices, round(julianday(started_at) - julianday(oldest), 1) AS days_old FROM data_age, snapshot ORDER BY oldest, dataset, rank, days LIMIT 3",
  },
];
