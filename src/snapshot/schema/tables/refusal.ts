import { DIMENSIONS, ENDPOINT_STATES } from "../../../api/refusals.ts";
import { INSTANT, integer, maybe, type TableDefinition, text } from "../definition.ts";

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");

export const refusalTable = {
  name: "refusal",
  kind: "internal",
  description:
    "Groups of slices that the upstream refused in this night. A group is all slices that have one value in common, such as a language; it has one row for each endpoint. Single refused slices are in coverage.",
  columns: {
    dimension: text(
      "Parameter that the slices have in common: lang, rank, days, lane or hero. endpoint: the whole endpoint is withdrawn.",
    ),
    value: text("Value that the slices have in common: an endpoint, a code, a number of days or a hero's id."),
    dataset: text("Endpoint."),
    since: text("Start of the first crawl that was refused the group.", { unit: INSTANT }),
    since_version: text("Version of the first snapshot that lists the group as refused."),
    status: maybe.integer("HTTP status of the refusal. null: the upstream gave no usable answer for days."),
    code: maybe.text("Error code of the service, if it gave one. Without a status: the reason, as in coverage."),
    slices_carried: integer("Slices of the group that this file carries over from an earlier night.", {
      unit: "slices",
    }),
    slices_missing: integer("Slices of the group that this file lacks.", { unit: "slices" }),
  },
  key: ["dimension", "value", "dataset"],
  checks: [`dimension IN (${quoted(DIMENSIONS)})`],
  withoutRowid: true,
} satisfies TableDefinition;

export const endpointStateTable = {
  name: "endpoint_state",
  kind: "internal",
  description: "One row for each endpoint of the crawl, which says whether the upstream gives it.",
  columns: {
    dataset: text("Endpoint."),
    state: text(
      "open: the upstream answers. withdrawn: the upstream refuses the whole endpoint. left-out: the crawl did not ask for it (`--without`).",
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

export const refusalTables: TableDefinition[] = [refusalTable, endpointStateTable];
