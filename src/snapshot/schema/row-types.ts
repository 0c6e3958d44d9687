import type { Selectable } from "kysely";
import type { ClosedPart, EndpointState } from "../../api/parts.ts";
import type { RowOf } from "./definition.ts";
import type {
  coverageTable,
  languageCheckTable,
  listedTextTable,
  misfitTable,
  recordTable,
  snapshotTable,
  textRuleTable,
} from "./tables/archive.ts";
import type { closedPartTable, doubtTable, endpointStateTable } from "./tables/closed-part.ts";

/** The tables that are read by Kysely, with the types of their definitions. */
export interface Tables {
  snapshot: RowOf<typeof snapshotTable>;
  coverage: RowOf<typeof coverageTable>;
  record: RowOf<typeof recordTable>;
  listed_text: RowOf<typeof listedTextTable>;
  text_rule: RowOf<typeof textRuleTable>;
  language_proof: RowOf<typeof languageCheckTable>;
  misfit: RowOf<typeof misfitTable>;
  closed_part: RowOf<typeof closedPartTable>;
  endpoint_state: RowOf<typeof endpointStateTable>;
  doubt: RowOf<typeof doubtTable>;
  sqlite_schema: { type: string; name: string };
}

export type SnapshotTable = Selectable<Tables["snapshot"]>;
export type RecordTable = Selectable<Tables["record"]>;
export type Coverage = Selectable<Tables["coverage"]>;
export type ClosedPartRow = Selectable<Tables["closed_part"]> & Pick<ClosedPart, "dimension">;
export type EndpointStateRow = Selectable<Tables["endpoint_state"]> & Pick<EndpointState, "state">;
export type DoubtRow = Selectable<Tables["doubt"]>;
export type LanguageCheckRow = Selectable<Tables["language_proof"]>;
/** A row as other files know it: numbers of slices are of one file only. */
type ByName<Row extends { slice_id: number }> = Omit<Row, "slice_id"> & Pick<Coverage, "dataset" | "slice">;
export type NamedDoubt = ByName<DoubtRow>;
/** A language check with the slice in the language it was asked in. */
export type LanguageCheck = ByName<LanguageCheckRow>;
export type ListedText = Selectable<Tables["listed_text"]>;
export type TextRuleRow = Selectable<Tables["text_rule"]>;
