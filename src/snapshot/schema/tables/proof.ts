import { MISFITS } from "../../derive/misfits.ts";
import { integer, maybe, type TableDefinition, text } from "../definition.ts";

export const snapshotTable = {
  name: "snapshot",
  kind: "internal",
  description: "One row: what this file is.",
  columns: {
    version: text("Its name: start of the crawl and the first digits of the content hash."),
    content_hash: text("sha256 over the hashes of all slices; changes exactly when the data does."),
    schema_version: text("Semver of these tables; readers are broken by a new major only."),
    started_at: text("Start of the last run of the crawl that asked anything, ISO 8601 in UTC."),
    game_version: maybe.text("Newest version of the game that the upstream lists."),
    heroes: integer("Size of the roster.", { unit: "heroes" }),
    licence: text("Whose data this is."),
    attribution: text("Where it comes from."),
    archive_hash: text(
      "sha256 over started_at (and sample and rolling, where they are 1), coverage, language_proof, refusal, endpoint_state and every record, byte for byte: all that the other tables are made of.",
    ),
    sample: integer("1: made-up numbers of a sample upstream, of no worth but for trying things out; 0: real ones."),
    rolling: integer(
      "1: some slices were carried over from an earlier snapshot, or were never asked: coverage.asked_at says of when each is; 0: all were asked by this crawl, but for those that the upstream refuses (coverage.reason).",
    ),
  },
  key: ["version"],
  checks: ["sample IN (0, 1)", "rolling IN (0, 1)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const coverageTable = {
  name: "coverage",
  kind: "internal",
  description: "One row for each slice that a whole answer needs.",
  columns: {
    dataset: text("Endpoint."),
    slice: text("The parameters that select data, as hero=17&rank=glory&days=7&lang=en."),
    hero_id: maybe.integer("Hero, where the endpoint has one."),
    subject: maybe.text("Vote, where it has one."),
    lane: maybe.text("Lane, where it has one."),
    rank: maybe.text("Rank bracket, where it has one."),
    days: maybe.integer("Window or length of the series, where it has one.", { unit: "days" }),
    lang: text("Language it was asked in."),
    status: text("captured; empty: the upstream has no record; failed: see reason."),
    reason: maybe.text(
      "Why it failed. Of an answer that is there: why it is one of an earlier night (refused: the upstream refuses it; withdrawn: it refuses the group that it belongs to; left-out: its endpoint was left out).",
    ),
    records: integer("How many records it has.", { unit: "records" }),
    sha256: maybe.text("Over the canonical records: keys sorted, numbers in one form."),
    batch: maybe.text("Batch of the upstream that it is of: epoch milliseconds, or a day where only that is known."),
    stale: integer("1: of another batch than most slices of its table, and it came back so when it was asked again."),
    asked_at: maybe.text(
      "Start of the run that asked for it, ISO 8601 in UTC: what is here was so then. It is never later than snapshot.started_at. In a file that is not rolling it is earlier only if the crawl was continued, or if the upstream refuses the slice now. 1970-01-01T00:00:00.000Z: the clock of that night was wrong. null: there is no answer.",
    ),
    suspect: integer(
      "1: it may have changed since: a text, as another one like it has or as the game has a new version, or what was empty before that version. It is among the next to be asked.",
    ),
  },
  key: ["dataset", "slice"],
  checks: ["status IN ('captured', 'empty', 'failed')", "stale IN (0, 1)", "suspect IN (0, 1)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const recordTable = {
  name: "record",
  kind: "internal",
  description: "Every record as it was sent. The server answers from here.",
  columns: {
    dataset: text("Endpoint."),
    slice: text("As in coverage."),
    position: integer("Place in the upstream's own order, from 0."),
    json: text("The record, with the digits of its numbers as they came."),
    texts: maybe.text(
      "Where it shows texts of lists, so that those of another language can be put there: of each the start and the length in json, quotes included, and its number in listed_text, as [152,103,0,262,6,1]. Counted in UTF-16 units, as JavaScript counts; null: not noted.",
    ),
  },
  key: ["dataset", "slice", "position"],
  references: [{ columns: ["dataset", "slice"], table: "coverage" }],
} satisfies TableDefinition;

export const listedTextTable = {
  name: "listed_text",
  kind: "internal",
  description:
    "The texts of lists that records of other endpoints show: names of heroes, titles of lanes. In another language it is the text of the same entry at the same path of the list in that language.",
  columns: {
    text_id: integer("Its number in record.texts, from 0."),
    dataset: text("Endpoint of the list."),
    entries: text("Path of the entries in its records; empty: the records themselves."),
    id_path: text("Path of the id in an entry."),
    id: text("The entry."),
    path: text("Path of the text in the entry."),
    needed: integer("1: a record is not answered in a language that lacks it; 0: it stays as it is."),
  },
  key: ["text_id"],
  checks: ["needed IN (0, 1)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const textRuleTable = {
  name: "text_rule",
  kind: "internal",
  description:
    "By what rule the texts in the records of an endpoint were noted. A program with another rule does not use the notes.",
  columns: {
    dataset: text("Endpoint."),
    rule: text("As JSON: where its records name entries of lists, and which of their texts they show."),
  },
  key: ["dataset"],
  checks: ["json_valid(rule)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const languageProofTable = {
  name: "language_proof",
  kind: "internal",
  description:
    "Slices of endpoints asked in English only that were also asked in other languages, and compared with what is served in their place.",
  columns: {
    dataset: text("Endpoint."),
    slice: text("What was asked."),
    lang: text("Language it was asked in."),
    difference: maybe.text(
      "Path of the first difference; null: none. An endpoint with a difference is in the file in all languages.",
    ),
  },
  key: ["dataset", "slice"],
  withoutRowid: true,
} satisfies TableDefinition;

export const textQualityTable = {
  name: "text_quality",
  kind: "internal",
  description: "How the texts look, by dataset and language.",
  columns: {
    dataset: text("Endpoint."),
    lang: text("Language."),
    texts: integer("Names and texts looked at.", { unit: "texts" }),
    missing: integer("Empty ones.", { unit: "texts" }),
    same_as_english: integer("Sentences that are the English ones.", { unit: "texts" }),
    wrong_script: integer("Without a letter of the language's script.", { unit: "texts" }),
    placeholder: integer("Fillers such as TBD.", { unit: "texts" }),
  },
  key: ["dataset", "lang"],
  withoutRowid: true,
} satisfies TableDefinition;

const textIssueTable = {
  name: "text_issue",
  kind: "internal",
  description:
    "Texts that are not as they should be, one by one; text_issue_list shows them. The first 1000 of each dataset and language; text_quality counts all.",
  columns: {
    dataset: text("Endpoint."),
    lang: text("Language."),
    slice: text("As in coverage."),
    position: integer("Of the record, as in record."),
    english_position: maybe.integer("Of the English record of the same thing; null where there is none."),
    path: text("Where in the record, as json_extract takes it behind `$.`."),
    issue: text(
      "missing: empty, or not there where the English record has one (text_quality counts only the empty ones). same_as_english: a sentence that is the English one. wrong_script: without a letter of the language's script. placeholder: a filler such as TBD.",
    ),
  },
  key: ["dataset", "lang", "slice", "position", "path"],
  references: [{ columns: ["dataset", "slice", "position"], table: "record" }],
  withoutRowid: true,
} satisfies TableDefinition;

export const shapeTable = {
  name: "shape",
  kind: "internal",
  description: "The fingerprint of the records, compared from night to night.",
  columns: {
    dataset: text("Endpoint."),
    path: text("Path of a field; [] are the elements of an array."),
    types: text("JSON types seen there, by |."),
    seen: integer("How often it was there.", { unit: "values" }),
    parents: integer("How often it could have been.", { unit: "values" }),
    example: text("The first value, cut short."),
    by_type: text('How often each type was seen, with its first value: {"number":{"seen":132,"example":"1"}}.'),
  },
  key: ["dataset", "path"],
  checks: ["json_valid(by_type)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const misfitTable = {
  name: "misfit",
  kind: "internal",
  description:
    "What was sent and is not in the tables as it came: odd values, rows that were left out. The archive and the server have it all. Empty for a night without any.",
  columns: {
    misfit_id: integer("Place in this list, from 1."),
    table_name: text("Table; record: the archive."),
    column_name: maybe.text("Column; none where a whole row was left out."),
    dataset: text("Endpoint."),
    path: text("Field of the record; empty where the slice itself names it."),
    kind: text(
      Object.entries(MISFITS)
        .map(([kind, meaning]) => `${kind}: ${meaning}`)
        .join(" "),
    ),
    count: integer("How often.", { unit: "values" }),
    example: text("The first value as JSON, cut short; for a row that was left out, its key."),
  },
  key: ["misfit_id"],
} satisfies TableDefinition;

export const proofTables: TableDefinition[] = [
  snapshotTable,
  coverageTable,
  recordTable,
  listedTextTable,
  textRuleTable,
  languageProofTable,
  textQualityTable,
  textIssueTable,
  shapeTable,
  misfitTable,
];
