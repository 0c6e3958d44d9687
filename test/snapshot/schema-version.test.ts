/** The version of the schema, without a crawled world: none could be made of tables that no version knows. */
import SQLite from "better-sqlite3";
import { expect, test } from "vitest";
import { createTables, finishTables } from "../../src/snapshot/derive/deriver.ts";
import { hashSchema, SCHEMA_HASHES, SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";

const NEXT = `put the hash into src/snapshot/schema/version.ts; until 1.0.0 is tagged under the same version, with the folder made again by
  node --import ./scripts/cli/typescript.js test/released/make.ts; after that under a new one, with its row in data/README.md`;

test("the schema is the one that readers know, by its hash: a change is a new version", () => {
  const db = new SQLite(":memory:");
  createTables(db);
  finishTables(db);
  expect(hashSchema(db), NEXT).toBe(SCHEMA_HASHES[SCHEMA_VERSION]);
  db.close();
});
