import { integer, maybe, text } from "../definition.ts";
import { asked, at, objects, place } from "../row-source.ts";
import type { DefinedTable } from "../with-cells.ts";

const toLanguage = { columns: ["lang"], table: "language" };
const LIST = [objects("list")];

export const ratingTables: DefinedTable[] = [
  {
    name: "vote",
    kind: "row",
    description: "Votes of players on heroes. Questions are in vote_text, candidates in vote_candidate.",
    columns: {
      subject: integer("Publisher's number of the vote.", { from: at("subject") }),
      comments: maybe.integer("Number of comments so far.", { from: at("comment_count"), unit: "comments" }),
    },
    key: ["subject"],
    rows: [{ datasets: ["ratings"], langs: "base", each: LIST }],
  },
  {
    name: "vote_text",
    kind: "text",
    description: "Questions of the votes by language.",
    columns: {
      subject: integer("Vote.", { from: at("subject") }),
      lang: text("Language.", { from: asked("lang") }),
      title: text("Question.", { from: at("title"), source: "ratings list[].title, rating subject.title" }),
      description: maybe.text("Explanation.", { from: at("desc"), source: "ratings list[].desc, rating subject.desc" }),
    },
    key: ["subject", "lang"],
    references: [{ columns: ["subject"], table: "vote" }, toLanguage],
    rows: [{ datasets: ["ratings"], langs: "each", each: LIST }],
  },
  {
    name: "vote_candidate",
    kind: "statistic",
    description:
      "Candidates of each vote with their scores. The scores are from the English answer, as they change while people vote.",
    columns: {
      subject: integer("Vote.", { from: asked("subject") }),
      candidate_id: text("Publisher's number of the candidate.", { from: at("object") }),
      position: integer("Place in the list, from 1. 1 is the best.", { from: place() }),
      score: maybe.real("Mean score.", { from: at("score"), unit: "0 to 10" }),
      score_total: maybe.integer("Sum of all scores.", { from: at("score_total") }),
      score_count: maybe.integer("Number of votes so far.", { from: at("score_count"), unit: "votes" }),
      image_url: maybe.text("Picture.", { from: at("image") }),
      image_big_url: maybe.text("Large picture.", { from: at("image_big") }),
    },
    key: ["subject", "candidate_id"],
    references: [{ columns: ["subject"], table: "vote" }],
    withoutRowid: true,
    rows: [{ datasets: ["rating"], langs: "base", each: LIST }],
  },
  {
    name: "vote_candidate_text",
    kind: "text",
    label: "name",
    description: "Names of the candidates by language, and the most liked comment on each.",
    columns: {
      subject: integer("Vote.", { from: asked("subject") }),
      candidate_id: text("Candidate.", { from: at("object") }),
      lang: text("Language.", { from: asked("lang") }),
      name: text("Name.", { from: at("title") }),
      top_comment: maybe.text("Most liked comment of a player, as it was written.", { from: at("hot_comment") }),
    },
    key: ["subject", "candidate_id", "lang"],
    references: [{ columns: ["subject", "candidate_id"], table: "vote_candidate" }, toLanguage],
    withoutRowid: true,
    rows: [{ datasets: ["rating"], langs: "each", each: LIST }],
  },
];
