import { DIMENSIONS, ENDPOINT_STATES } from "../../../api/parts.ts";
import { INSTANT, integer, maybe, type TableDefinition, text } from "../definition.ts";

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");

export const closedPartTable = {
  name: "closed_part",
  kind: "internal",
  description:
    "Parts of the upstream of which nothing, or nearly nothing, could be had in this night: an endpoint, the slices of an endpoint with one value, or the slices of all endpoints with it. coverage.part_id names the slices that are missing for that.",
  columns: {
    part_id: integer("Number of the part in this file, from 1."),
    dataset: text("Endpoint. Empty: all endpoints."),
    dimension: text(
      "Parameter that the slices have in common: lang, rank, days, lane or hero. Empty: the whole endpoint.",
    ),
    value: text("Value of that parameter: a code, a number of days or a hero's id. Empty: the whole endpoint."),
    since: text("Start of the first crawl that found the part closed.", { unit: INSTANT }),
    since_version: text("Version of the first snapshot that lists the part."),
    reason: text("The fault that most of its slices ended with, as in coverage."),
    status: maybe.integer("HTTP status of that fault. null: there was none, or it was 200 without an error code."),
    code: maybe.text("Error code of the service, if it gave one."),
    planned: integer("Slices that a complete snapshot has of the part.", { unit: "slices" }),
    missing: integer("Slices that could not be had, and that no part before it explains.", { unit: "slices" }),
    carried: integer("Those of the missing slices that this file has from an earlier night. It lacks the others.", {
      unit: "slices",
    }),
  },
  key: ["part_id"],
  checks: [`dimension IN ('', ${quoted(DIMENSIONS)})`],
} satisfies TableDefinition;

export const endpointStateTable = {
  name: "endpoint_state",
  kind: "internal",
  description: "One row for each endpoint of the crawl, which says whether the upstream gives it.",
  columns: {
    dataset: text("Endpoint."),
    state: text(
      "open: the upstream answers. closed: closed_part has the whole endpoint. left-out: the crawl did not ask for it (`--without`).",
    ),
    since: text("Start of the first crawl that found this state.", { unit: INSTANT }),
    deprecated: maybe.integer(
      "1: the upstream's OpenAPI document marks the endpoint as deprecated. null: the document was never read.",
    ),
  },
  key: ["dataset"],
  checks: [`state IN (${quoted(ENDPOINT_STATES)})`, "deprecated IN (0, 1)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const doubtTable = {
  name: "doubt",
  kind: "internal",
  description:
    "Answers that are valid, do not fit the others, and came back as they were when they were asked for again. They are in the file as they came. Later crawls do not ask for them again while the same is seen.",
  columns: {
    check_name: text(
      "What the answer was held against: odd-marks, fields that nearly all answers of the endpoint have; unknown-heroes, the list of heroes; unlisted-texts, the lists that have the texts which it shows; other-batch and passing-batch, the batch of most answers of its table (coverage.stale); rank-lists, the same rates in the heroes' own answers.",
    ),
    slice_id: integer("Slice, as in coverage."),
    seen: text(
      "What of the answer is doubted, as the check names it: a batch, fields, ids of heroes, or marks of texts.",
    ),
    why: text("The doubt in a sentence."),
    since: text("Start of the first crawl that had the doubt.", { unit: INSTANT }),
  },
  key: ["check_name", "slice_id"],
  references: [{ columns: ["slice_id"], table: "coverage" }],
  withoutRowid: true,
} satisfies TableDefinition;

export const standingTables: TableDefinition[] = [closedPartTable, endpointStateTable, doubtTable];
