import { DIMENSIONS, ENDPOINT_STATES } from "../../../api/refusals.ts";
import { integer, maybe, type TableDefinition, text } from "../definition.ts";

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");

export const refusalTable = {
  name: "refusal",
  kind: "internal",
  description:
    "What the upstream refused as a group in this night: one row for each endpoint in which it refused the slices that have a value in common. Single slices are in coverage, by their reason.",
  columns: {
    dimension: text(
      "What the slices have in common: endpoint (all of it is withdrawn), lang, rank, days, lane or hero.",
    ),
    value: text("Its value: a dataset, a code, a number of days or a hero's id."),
    dataset: text("Endpoint."),
    since: text("Start of the crawl of the night since which it is refused, ISO 8601 in UTC."),
    since_version: text("Version of that night's snapshot."),
    status: maybe.integer("Status of HTTP that it was refused with. null: it gave nothing that counts for days."),
    code: maybe.text("The service's own code, if it gave one; without a status the reason, as in coverage."),
    slices_carried: integer("Slices of it that this file has from an earlier night.", { unit: "slices" }),
    slices_missing: integer("Slices of it that this file lacks.", { unit: "slices" }),
  },
  key: ["dimension", "value", "dataset"],
  checks: [`dimension IN (${quoted(DIMENSIONS)})`],
  withoutRowid: true,
} satisfies TableDefinition;

export const endpointStateTable = {
  name: "endpoint_state",
  kind: "internal",
  description: "One row for each endpoint that was to be asked: whether the upstream gives it.",
  columns: {
    dataset: text("Endpoint."),
    state: text(
      "open; withdrawn: the upstream refuses all of it; left-out: this crawl was told not to ask it (`--without`).",
    ),
    since: text("Start of the crawl of the night in which it was first so, ISO 8601 in UTC."),
    deprecated: maybe.integer("1: the upstream's own document says that it is on its way out; null: never read."),
  },
  key: ["dataset"],
  checks: [`state IN (${quoted(ENDPOINT_STATES)})`, "deprecated IN (0, 1)"],
  withoutRowid: true,
} satisfies TableDefinition;

export const refusalTables: TableDefinition[] = [refusalTable, endpointStateTable];
