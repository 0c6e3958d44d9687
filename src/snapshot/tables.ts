import type { Selectable } from "kysely";
import type { RowOf } from "./definition.ts";
import type {
  coverageTable,
  languageProofTable,
  listedTextTable,
  misfitTable,
  recordTable,
  snapshotTable,
  textRuleTable,
} from "./definitions/proof.ts";

export const SNAPSHOT_APPLICATION_ID = 0x4d534e50; // "MSNP"

/** Readers are broken by a new major only; `PRAGMA user_version` carries it as major × 10000 + minor × 100 + patch. */
export const SCHEMA = { major: 1, minor: 5, patch: 0 };
export const SCHEMA_VERSION = `${SCHEMA.major}.${SCHEMA.minor}.${SCHEMA.patch}`;
export const USER_VERSION = SCHEMA.major * 10_000 + SCHEMA.minor * 100 + SCHEMA.patch;

/** The tables that are read by Kysely, with the types of their definitions. */
export interface Tables {
  snapshot: RowOf<typeof snapshotTable>;
  coverage: RowOf<typeof coverageTable>;
  record: RowOf<typeof recordTable>;
  listed_text: RowOf<typeof listedTextTable>;
  text_rule: RowOf<typeof textRuleTable>;
  language_proof: RowOf<typeof languageProofTable>;
  misfit: RowOf<typeof misfitTable>;
  sqlite_schema: { type: string; name: string };
}

export type SnapshotTable = Selectable<Tables["snapshot"]>;
export type RecordTable = Selectable<Tables["record"]>;
export type Coverage = Selectable<Tables["coverage"]>;
export type LanguageProof = Selectable<Tables["language_proof"]>;
export type ListedText = Selectable<Tables["listed_text"]>;
export type TextRuleRow = Selectable<Tables["text_rule"]>;
