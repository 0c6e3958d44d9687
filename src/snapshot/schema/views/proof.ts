import type { Question } from "./definition.ts";

export const proofViews: readonly Question[] = [
  {
    name: "text_issue_list",
    description:
      "Texts that are missing, the English ones, in another script or placeholders, with the English text: filter by lang, dataset and issue.",
    columns: {
      dataset: "Endpoint.",
      lang: "Language.",
      hero: "English name of the hero whose record it is; null in records that are of none.",
      path: "Where in the record.",
      issue: "missing, same_as_english, wrong_script or placeholder.",
      text: "The text; null where it is not there.",
      english: "The text at that place of the English record; null where none is there.",
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
    description: "Slices that this snapshot lacks, with the reason. Empty for a whole one.",
    columns: { dataset: "Endpoint.", slice: "What is missing.", reason: "Why." },
    select: "SELECT dataset, slice, reason FROM coverage WHERE status = 'failed'",
    example: "SELECT dataset, slice, reason FROM coverage_hole ORDER BY dataset, slice LIMIT 3",
  },
  {
    name: "data_age",
    description:
      "When each endpoint was asked, by rank and window. In a file that is not rolling all of it was asked by one crawl.",
    columns: {
      dataset: "Endpoint.",
      rank: "Rank bracket, where it has one.",
      days: "Window or length of the series, where it has one.",
      slices: "How many.",
      missing: "Those without an answer.",
      suspect: "Texts among them that may have changed since.",
      oldest: "Start of the crawl that asked for the oldest of them.",
      newest: "The same of the newest.",
    },
    select: `SELECT dataset, rank, days, count(*) AS slices, sum(status = 'failed') AS missing, sum(suspect) AS suspect,
       min(asked_at) AS oldest, max(asked_at) AS newest
FROM coverage GROUP BY dataset, rank, days`,
    example:
      "SELECT dataset, rank, days, slices, round(julianday(started_at) - julianday(oldest), 1) AS days_old FROM data_age, snapshot ORDER BY oldest, dataset, rank, days LIMIT 3",
  },
];
