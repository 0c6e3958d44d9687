import { integer, maybe, type TableDefinition, text } from "../definition.ts";
import { asked, at, objects, place } from "../row-source.ts";

const toLanguage = { columns: ["lang"], table: "language" };
const LIST = [objects("list")];

export const ratingTables: TableDefinition[] = [
  {
    name: "vote",
    kind: "row",
    description: "Votes of players on heroes. Questions are in vote_text, candidates in vote_candidate.",
    columns: {
      subject: integer("The publisher's number."),
      comments: maybe.integer("Comments written so far.", { unit: "comments" }),
    },
    key: ["subject"],
    rows: [
      {
        datasets: ["ratings"],
        langs: "base",
        each: LIST,
        cells: { subject: at("subject"), comments: at("comment_count") },
      },
    ],
  },
  {
    name: "vote_text",
    kind: "text",
    description: "What is voted on, by language.",
    columns: {
      subject: integer("Vote."),
      lang: text("Language."),
      title: text("Question.", { source: "ratings list[].title, rating subject.title" }),
      description: maybe.text("Explanation.", { source: "ratings list[].desc, rating subject.desc" }),
    },
    key: ["subject", "lang"],
    references: [{ columns: ["subject"], table: "vote" }, toLanguage],
    rows: [
      {
        datasets: ["ratings"],
        langs: "each",
        each: LIST,
        cells: { subject: at("subject"), lang: asked("lang"), title: at("title"), description: at("desc") },
      },
    ],
  },
  {
    name: "vote_candidate",
    kind: "statistic",
    description: "The candidates of a vote with their scores, as the English answer has them: people go on voting.",
    columns: {
      subject: integer("Vote."),
      candidate_id: text("The publisher's number."),
      position: integer("Place in the list, from 1: the best first."),
      score: maybe.real("Mean score.", { unit: "0 to 10" }),
      score_total: maybe.integer("Sum of all scores."),
      score_count: maybe.integer("Votes so far.", { unit: "votes" }),
      image_url: maybe.text("Picture."),
      image_big_url: maybe.text("Large picture."),
    },
    key: ["subject", "candidate_id"],
    references: [{ columns: ["subject"], table: "vote" }],
    withoutRowid: true,
    rows: [
      {
        datasets: ["rating"],
        langs: "base",
        each: LIST,
        cells: {
          subject: asked("subject"),
          candidate_id: at("object"),
          position: place(),
          score: at("score"),
          score_total: at("score_total"),
          score_count: at("score_count"),
          image_url: at("image"),
          image_big_url: at("image_big"),
        },
      },
    ],
  },
  {
    name: "vote_candidate_text",
    kind: "text",
    label: "name",
    description: "Names of the candidates by language, and the comment that most people liked.",
    columns: {
      subject: integer("Vote."),
      candidate_id: text("Candidate."),
      lang: text("Language."),
      name: text("Name."),
      top_comment: maybe.text("A player's comment, as it was written."),
    },
    key: ["subject", "candidate_id", "lang"],
    references: [{ columns: ["subject", "candidate_id"], table: "vote_candidate" }, toLanguage],
    withoutRowid: true,
    rows: [
      {
        datasets: ["rating"],
        langs: "each",
        each: LIST,
        cells: {
          subject: asked("subject"),
          candidate_id: at("object"),
          lang: asked("lang"),
          name: at("title"),
          top_comment: at("hot_comment"),
        },
      },
    ],
  },
];
