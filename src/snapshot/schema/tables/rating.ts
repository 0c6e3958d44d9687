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
      subject: integer("Publisher's number of the vote."),
      comments: maybe.integer("Number of comments so far.", { unit: "comments" }),
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
    description: "Questions of the votes by language.",
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
    description:
      "Candidates of each vote with their scores. The scores are from the English answer, as they change while people vote.",
    columns: {
      subject: integer("Vote."),
      candidate_id: text("Publisher's number of the candidate."),
      position: integer("Place in the list, from 1. 1 is the best."),
      score: maybe.real("Mean score.", { unit: "0 to 10" }),
      score_total: maybe.integer("Sum of all scores."),
      score_count: maybe.integer("Number of votes so far.", { unit: "votes" }),
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
    description: "Names of the candidates by language, and the most liked comment on each.",
    columns: {
      subject: integer("Vote."),
      candidate_id: text("Candidate."),
      lang: text("Language."),
      name: text("Name."),
      top_comment: maybe.text("Most liked comment of a player, as it was written."),
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
