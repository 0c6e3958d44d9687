import { MISFITS } from "../../derive/misfits.ts";
import { DAY, INSTANT, integer, maybe, type TableDefinition, text } from "../definition.ts";

export const snapshotTable = {
  name: "snapshot",
  kind: "internal",
  description: "One row with the identity of this file: version, hashes, dates and origin.",
  columns: {
    version: text("Name of the snapshot: the start of its crawl and the first eight digits of the content hash."),
    content_hash: text("sha256 over the hashes of all slices. It changes exactly when the data changes."),
    schema_version: text("Semantic version of the tables. Only a new major version breaks readers."),
    started_at: text("Start of the last crawl run that asked for anything.", { unit: INSTANT }),
    game_version: maybe.text("Newest version of the game that the upstream lists."),
    heroes: integer("Size of the roster.", { unit: "heroes" }),
    licence: text("Owner of the data."),
    attribution: text("Origin of the data."),
    archive_hash: text(
      "sha256 over everything that the other tables are made of: started_at, coverage, language_proof, sample, rolling, closed_part, endpoint_state, doubt and every record, byte for byte.",
    ),
    sample: integer("1: the numbers are made up by a sample upstream, for trials only. 0: the numbers are real."),
    rolling: integer(
      "1: this crawl did not ask for some slices, because they were not due: they were carried over from an earlier snapshot, or were never asked. coverage.asked_at dates each slice. 0: this crawl asked for all slices; what it could not have is carried over or missing (coverage.reason).",
    ),
  },
  key: ["version"],
  checks: ["sample IN (0, 1)", "rolling IN (0, 1)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const coverageTable = {
  name: "coverage",
  kind: "internal",
  description: "One row for each slice that a complete snapshot has, with its status.",
  columns: {
    slice_id: integer(
      "Number of the slice in this file, from 1. Rows of other tables name the answer that they come from by it.",
    ),
    dataset: text("Endpoint."),
    slice: text("The parameters that select the data, for example hero=17&rank=glory&days=7&lang=en."),
    hero_id: maybe.integer("Hero, if the endpoint takes one."),
    subject: maybe.text("Vote, if the endpoint takes one."),
    lane: maybe.text("Lane, if the endpoint takes one."),
    rank: maybe.text("Rank bracket, if the endpoint takes one."),
    days: maybe.integer("Window or length of the series, if the endpoint takes one.", { unit: "days" }),
    lang: text("Language it was asked in."),
    status: text(
      "captured: the slice has records. empty: the upstream has no record. failed: reason says why there is no answer.",
    ),
    reason: maybe.text(
      "Why the slice failed. If the slice has an answer: why that answer is carried over from an earlier night although the slice was due. It is the last fault, or one of: left-out, the crawl left the endpoint out; not-asked, no crawl has asked for the slice yet; unsettled, its table waits for its next turn.",
    ),
    part_id: maybe.integer(
      "The closed part that explains why the slice could not be had. null: it is single, or not missing.",
    ),
    records: integer("Number of records in the slice.", { unit: "records" }),
    sha256: maybe.text("sha256 over the canonical records: keys are sorted and numbers have one form."),
    batch: maybe.text(
      "Batch of the upstream that the answer belongs to: a time, or a day if only the day is known, both in the form of ISO 8601.",
    ),
    data_date: maybe.text(
      "Day that the numbers are of: the day of the batch, or the last day of a series. Rank lists have no stamp: theirs is the day of the heroes' own answers with the same rates. null: nobody can know.",
      { unit: DAY },
    ),
    stale: integer(
      "1: the answer belongs to another batch than most slices of its endpoint, rank, window and lane, and a second request gave the same batch.",
    ),
    asked_at: maybe.text(
      "Start of the run that asked for the slice. The time is never later than snapshot.started_at. In a file that is not rolling, the time is earlier only if the crawl was continued, or if the slice could not be had (reason). 1970-01-01T00:00:00.000Z: the clock of that night was wrong. null: the slice has no answer.",
      { unit: INSTANT },
    ),
    tried_at: maybe.text(
      "Start of the last run that asked for the slice and took nothing. null: the answer came from the last request.",
      { unit: INSTANT },
    ),
    suspect: integer(
      "1: the answer may be outdated, and one of the next crawls asks for it first. A text is suspect if a similar text changed or the game has a new version. An empty slice is suspect if the game has a new version.",
    ),
  },
  key: ["slice_id"],
  references: [{ columns: ["part_id"], table: "closed_part" }],
  indexes: [
    { columns: ["dataset", "slice"], unique: true },
    // It is empty in a complete snapshot: missing slices are known without reading thousands of others.
    { columns: ["status"], covers: ["dataset", "slice", "reason"], where: "status = 'failed'" },
  ],
  checks: ["status IN ('captured', 'empty', 'failed')", "stale IN (0, 1)", "suspect IN (0, 1)"],
} satisfies TableDefinition;

export const recordTable = {
  name: "record",
  kind: "internal",
  description: "Every record as the upstream sent it. The server answers from this table.",
  columns: {
    slice_id: integer("Slice, as in coverage."),
    position: integer("Place in the upstream's order, from 1."),
    json: text("The record as JSON. Its numbers keep the digits that the upstream sent."),
    texts: maybe.text(
      "Places in json that show a text of a list, so that the server can put the text of another language there. Each place is three numbers: start and length in json with the quotes, in UTF-16 units, and text_id in listed_text. Two places: [152,103,0,262,6,1]. null: not noted.",
    ),
  },
  key: ["slice_id", "position"],
  references: [{ columns: ["slice_id"], table: "coverage" }],
} satisfies TableDefinition;

export const listedTextTable = {
  name: "listed_text",
  kind: "internal",
  description:
    "Texts of lists that records of other endpoints show, such as names of heroes and titles of lanes. The translation is the text at the same path of the same entry in the list of the other language.",
  columns: {
    text_id: integer("Number of the text in record.texts, from 0."),
    dataset: text("Endpoint of the list."),
    entries: text("Path of the entries in the list's records. Empty: each record is an entry."),
    id_path: text("Path of the id in an entry."),
    id: text("Id of the entry."),
    path: text("Path of the text in the entry."),
    needed: integer(
      "1: the server does not answer the record in a language that lacks this text. 0: the text stays as it was sent.",
    ),
  },
  key: ["text_id"],
  checks: ["needed IN (0, 1)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const textRuleTable = {
  name: "text_rule",
  kind: "internal",
  description:
    "The rule by which record.texts was filled, for each endpoint. A program with another rule ignores record.texts.",
  columns: {
    dataset: text("Endpoint."),
    rule: text(
      "The rule as JSON: where the endpoint's records name entries of lists, and which texts of these entries they show.",
    ),
  },
  key: ["dataset"],
  checks: ["json_valid(rule)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const languageCheckTable = {
  name: "language_proof",
  kind: "internal",
  description:
    "Comparisons that check the endpoints that are asked in English only. A few of their slices were also asked in other languages and compared with what the server would answer.",
  columns: {
    slice_id: integer("Slice that was compared, as in coverage."),
    lang: text("Language it was asked in."),
    difference: maybe.text(
      "Path of the first difference. null: no difference. An endpoint with a difference is in the file in all languages.",
    ),
  },
  key: ["slice_id", "lang"],
  references: [{ columns: ["slice_id"], table: "coverage" }],
  withoutRowid: true,
} satisfies TableDefinition;

const textQualityTable = {
  name: "text_quality",
  kind: "internal",
  description: "Number of texts and of faulty texts, by endpoint and language.",
  columns: {
    dataset: text("Endpoint."),
    lang: text("Language."),
    texts: integer("Names and texts that were checked.", { unit: "texts" }),
    missing: integer("Empty texts.", { unit: "texts" }),
    same_as_english: integer("Sentences that are the same as in English.", { unit: "texts" }),
    wrong_script: integer("Texts without a letter of the language's script.", { unit: "texts" }),
    placeholder: integer("Placeholders such as TBD.", { unit: "texts" }),
  },
  key: ["dataset", "lang"],
  withoutRowid: true,
} satisfies TableDefinition;

const textIssueTable = {
  name: "text_issue",
  kind: "internal",
  description:
    "One row for each faulty text, at most 1000 for each endpoint and language. text_issue_list shows the texts, and text_quality counts all of them.",
  columns: {
    slice_id: integer("Slice, as in coverage."),
    position: integer("Position of the record, as in record."),
    english_position: maybe.integer("Position of the same entry's English record. null: there is no English record."),
    path: text("Path of the text in the record, as json_extract takes it after `$.`."),
    issue: text(
      "missing: the text is empty, or absent although the English record has it (text_quality counts only empty texts). same_as_english: the sentence is the same as in English. wrong_script: the text has no letter of the language's script. placeholder: the text is a filler such as TBD.",
    ),
  },
  key: ["slice_id", "position", "path"],
  references: [{ columns: ["slice_id", "position"], table: "record" }],
  withoutRowid: true,
} satisfies TableDefinition;

const shapeTable = {
  name: "shape",
  kind: "internal",
  description: "Fields of the records with their types. Each crawl compares them with the night before.",
  columns: {
    dataset: text("Endpoint."),
    path: text(
      "Path of the field. [] stands for the elements of an array. Keys with dots, brackets or quotes are in quotes.",
    ),
    types: text("JSON types of the field's values, separated by |."),
    seen: integer("Number of values of the field.", { unit: "values" }),
    parents: integer("Number of objects or arrays that could have the field.", { unit: "values" }),
    example: text("First value, shortened."),
    by_type: text('Number of values and first value of each type, for example {"number":{"seen":132,"example":"1"}}.'),
  },
  key: ["dataset", "path"],
  checks: ["json_valid(by_type)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const misfitTable = {
  name: "misfit",
  kind: "internal",
  description:
    "Values and rows that the tables could not take as the upstream sent them. The archive and the server keep the original. The table is empty if everything fitted.",
  columns: {
    misfit_id: integer("Number of the row, from 1."),
    table_name: text("Table that could not take the value or row. record stands for the archive."),
    column_name: maybe.text("Column. null: the whole row was left out."),
    dataset: text("Endpoint."),
    path: text("Field of the record. Empty: the value comes from the slice's parameters."),
    kind: text(
      Object.entries(MISFITS)
        .map(([kind, meaning]) => `${kind}: ${meaning}`)
        .join(" "),
    ),
    count: integer("Number of values or rows.", { unit: "values" }),
    example: text("First value as JSON, shortened. For a row that was left out: its key."),
  },
  key: ["misfit_id"],
} satisfies TableDefinition;

export const archiveTables: TableDefinition[] = [
  snapshotTable,
  coverageTable,
  recordTable,
  listedTextTable,
  textRuleTable,
  languageCheckTable,
  textQualityTable,
  textIssueTable,
  shapeTable,
  misfitTable,
];
