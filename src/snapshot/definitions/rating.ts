import { integer, maybe, type TableDefinition, text } from "../definition.ts";

const toLanguage = { columns: ["lang"], table: "language" };
const CANDIDATES = "jsonb_each(record.json, '$.list') AS candidate";

export const ratingTables: TableDefinition[] = [
  {
    name: "vote",
    description: "Votes of players on heroes. Questions are in vote_text, candidates in vote_candidate.",
    columns: {
      subject: integer("The publisher's number.", { source: "ratings list[].subject, rating subject.id" }),
      comments: maybe.integer("Comments written so far.", { unit: "comments", source: "ratings list[].comment_count" }),
    },
    key: ["subject"],
    fill: `SELECT entry.value ->> '$.subject', max(entry.value ->> '$.comment_count')
           FROM record, jsonb_each(record.json, '$.list') AS entry
           WHERE dataset = 'ratings' AND slice = 'lang=en' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "vote_text",
    description: "What is voted on, by language.",
    columns: {
      subject: integer("Vote."),
      lang: text("Language."),
      title: text("Question.", { source: "ratings list[].title, rating subject.title" }),
      description: maybe.text("Explanation.", { source: "ratings list[].desc, rating subject.desc" }),
    },
    key: ["subject", "lang"],
    references: [{ columns: ["subject"], table: "vote" }, toLanguage],
    fill: `SELECT vote.subject, lang, max(entry.value ->> '$.title'), max(entry.value ->> '$.desc')
           FROM coverage JOIN record USING (dataset, slice), jsonb_each(record.json, '$.list') AS entry
           JOIN vote ON vote.subject = entry.value ->> '$.subject'
           WHERE coverage.dataset = 'ratings' GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    name: "vote_candidate",
    description: "The candidates of a vote with their scores, as the English answer has them: people go on voting.",
    columns: {
      subject: integer("Vote."),
      candidate_id: text("The publisher's number.", { source: "rating list[].object" }),
      position: integer("Place in the list, from 1: the best first."),
      score: maybe.real("Mean score.", { unit: "0 to 10", source: "rating list[].score" }),
      score_total: maybe.integer("Sum of all scores.", { source: "rating list[].score_total" }),
      score_count: maybe.integer("Votes so far.", { unit: "votes", source: "rating list[].score_count" }),
      image_url: maybe.text("Picture.", { source: "rating list[].image" }),
      image_big_url: maybe.text("Large picture.", { source: "rating list[].image_big" }),
    },
    key: ["subject", "candidate_id"],
    references: [{ columns: ["subject"], table: "vote" }],
    withoutRowid: true,
    fill: `SELECT vote.subject, candidate.value ->> '$.object', candidate.key + 1,
             CAST(nullif(candidate.value ->> '$.score', '') AS REAL), candidate.value ->> '$.score_total',
             candidate.value ->> '$.score_count', candidate.value ->> '$.image', candidate.value ->> '$.image_big'
           FROM coverage JOIN record USING (dataset, slice) JOIN vote ON vote.subject = coverage.subject, ${CANDIDATES}
           WHERE coverage.dataset = 'rating' AND lang = 'en'
           GROUP BY 1, 2 HAVING min(candidate.key) = candidate.key ORDER BY 1, 2`,
  },
  {
    name: "vote_candidate_text",
    description: "Names of the candidates by language, and the comment that most people liked.",
    columns: {
      subject: integer("Vote."),
      candidate_id: text("Candidate."),
      lang: text("Language."),
      name: text("Name.", { source: "rating list[].title" }),
      top_comment: maybe.text("A player's comment, as it was written.", { source: "rating list[].hot_comment" }),
    },
    key: ["subject", "candidate_id", "lang"],
    references: [{ columns: ["subject", "candidate_id"], table: "vote_candidate" }, toLanguage],
    withoutRowid: true,
    fill: `SELECT known.subject, known.candidate_id, lang, candidate.value ->> '$.title',
             nullif(candidate.value ->> '$.hot_comment', '')
           FROM coverage JOIN record USING (dataset, slice), ${CANDIDATES}
           JOIN vote_candidate AS known ON known.subject = coverage.subject AND known.candidate_id = candidate.value ->> '$.object'
           WHERE coverage.dataset = 'rating'
           GROUP BY 1, 2, 3 HAVING min(candidate.key) = candidate.key ORDER BY 1, 2, 3`,
  },
];
