import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { zstdCompressSync } from "node:zlib";
import SQLite from "better-sqlite3";
import { hashSlice } from "../../../src/api/body/canonical.ts";
import type { VerifiedBy } from "../../../src/snapshot/verify/verify.ts";

/** Changes a snapshot file into what somebody else might hand out. */
type Craft = (file: string) => undefined;

/** Runs SQL on the file, past all that SQLite guards. */
const sql =
  (text: string): Craft =>
  (file) => {
    const db = new SQLite(file);
    try {
      db.unsafeMode();
      db.pragma("foreign_keys = OFF");
      db.exec(text);
    } finally {
      db.close();
    }
  };

/** Writes over rows of `sqlite_schema`. */
const schemaSql = (text: string): Craft => sql(`PRAGMA writable_schema = ON; ${text}; PRAGMA writable_schema = OFF`);

/** Writes bytes over those at a place of the file. */
const bytes =
  (at: number, ...values: number[]): Craft =>
  (file) => {
    const handle = openSync(file, "r+");
    writeSync(handle, Buffer.from(values), 0, values.length, at);
    closeSync(handle);
  };

const replaced =
  (content: string | Buffer): Craft =>
  (file) =>
    void writeFileSync(file, content);

const cutBy =
  (share: number): Craft =>
  (file) =>
    void truncateSync(file, Math.floor(statSync(file).size * share));

const longerBy =
  (length: number): Craft =>
  (file) =>
    void writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(length, 7)]));

/** Puts this text in the place of a record, with the hash that its slice then has where it is JSON. */
const record =
  (dataset: string, make: (json: string) => string | Buffer): Craft =>
  (file) => {
    const db = new SQLite(file);
    const row = db
      .prepare<[string], { rowid: number; slice_id: number; json: string }>(
        "SELECT record.rowid, slice_id, json FROM record JOIN coverage USING (slice_id) WHERE dataset = ? ORDER BY 1 LIMIT 1",
      )
      .get(dataset);
    const made = make(row?.json ?? "");
    db.prepare("UPDATE record SET json = CAST(? AS TEXT) WHERE rowid = ?").run(Buffer.from(made), row?.rowid);
    const texts = db
      .prepare<[number | undefined], string>("SELECT json FROM record WHERE slice_id = ? ORDER BY position")
      .pluck()
      .all(row?.slice_id);
    db.prepare("UPDATE coverage SET sha256 = ? WHERE slice_id = ?").run(hashOf(texts), row?.slice_id);
    db.close();
  };

function hashOf(texts: readonly string[]): string {
  try {
    return hashSlice(texts.map((text): unknown => JSON.parse(text)));
  } catch {
    return "not JSON";
  }
}

export interface Crafted {
  name: string;
  craft: Craft;
  /** Matches the one line of the refusal. */
  message: RegExp;
}

const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";

/** Objects that nobody of us made: none of their statements may run. */
const SCHEMAS: Record<string, Craft> = {
  trigger: sql("CREATE TRIGGER evil AFTER INSERT ON hero BEGIN SELECT 1; END"),
  "table with a name like SQLite's own": sql(
    "CREATE TABLE sqliteXblob (x); INSERT INTO sqliteXblob VALUES (zeroblob(5000000))",
  ),
  "view in the place of the head": sql(
    `ALTER TABLE snapshot RENAME TO own; CREATE VIEW snapshot AS ${ENDLESS.replace("SELECT x FROM c", "SELECT max(x) AS schema_version FROM c")}`,
  ),
  "view in the place of the archive": sql(
    `ALTER TABLE record RENAME TO own; CREATE VIEW record AS SELECT own.* FROM own, (${ENDLESS})`,
  ),
  "one more view": sql(`CREATE VIEW extra AS ${ENDLESS}`),
  "another view under a known name": sql("DROP VIEW tier_list; CREATE VIEW tier_list AS SELECT 1 AS hero_id"),
  "one more index": sql("CREATE INDEX extra ON hero (hero_id)"),
  "table of a module": sql("CREATE VIRTUAL TABLE evil USING fts5(x)"),
  "statistics of the planner": sql("ANALYZE"),
  "a counter of SQLite's": sql("CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT)"),
  "a table less": sql("DROP TABLE hero_trend"),
  "a column computed for each row": sql("ALTER TABLE hero ADD COLUMN extra TEXT AS (hex(hero_id)) VIRTUAL"),
  "a check that costs": schemaSql(
    "UPDATE sqlite_schema SET sql = replace(sql, 'PRIMARY KEY', 'CHECK (length(hex(hero_id)) > 0), PRIMARY KEY') WHERE name = 'hero'",
  ),
  "a comment in a statement": schemaSql("UPDATE sqlite_schema SET sql = sql || '/* */' WHERE name = 'hero'"),
  "two thousand views": sql(
    `BEGIN; ${Array.from({ length: 2000 }, (_, at) => `CREATE VIEW v${at} AS SELECT ${at}`).join(";")}; COMMIT`,
  ),
  "a statement of two megabytes": sql(`CREATE VIEW long AS SELECT '${"x".repeat(2_000_000)}'`),
};

const LENGTHS: Record<string, Craft> = {
  "a record of 5 MB": sql(
    "UPDATE record SET json = '\"' || hex(zeroblob(2500000)) || '\"' WHERE rowid IN (SELECT rowid FROM record LIMIT 1)",
  ),
  "three records of 50 MB": sql(
    "UPDATE record SET json = '\"' || hex(zeroblob(25000000)) || '\"' WHERE rowid IN (SELECT rowid FROM record LIMIT 3)",
  ),
  "a slice of 20 MB": sql(
    `INSERT INTO record SELECT slice_id, 1000 + value, '"' || hex(zeroblob(500000)) || '"', NULL
     FROM (SELECT slice_id FROM record LIMIT 1), json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]')`,
  ),
  "a name of 1000 characters": sql("UPDATE hero_text SET name = hex(zeroblob(500))"),
  "a word of 2 MB in a table": sql("UPDATE hero_text SET name = hex(zeroblob(1000000))"),
  "a reason of 2 MB": sql("UPDATE coverage SET reason = hex(zeroblob(1000000)) WHERE dataset = 'rank'"),
  "a note of 2 MB": sql(
    "UPDATE record SET texts = '[' || hex(zeroblob(1000000)) || ']' WHERE rowid IN (SELECT rowid FROM record LIMIT 1)",
  ),
};

const SLICES: Record<string, Craft> = {
  "records at other positions": sql(
    "UPDATE record SET position = position + 1000 WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'heroes')",
  ),
  "what is not JSON, and says so": record("rank", () => '{"broken": <script>'),
  "no text at all": record("rank", () => ""),
  "bytes that are no text": record("rank", (json) =>
    Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0x7d])]),
  ),
  "a key that comes twice": record("rank", (json) => `{"data":{},${json.slice(1)}`),
  "brackets in a hundred thousand brackets": record("rank", () => "[".repeat(100_000) + "]".repeat(100_000)),
  "another number under the old hash": sql(
    "UPDATE record SET json = replace(json, '0.5', '0.6') WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'rank')",
  ),
  "a record less": sql("DELETE FROM record WHERE rowid = (SELECT max(rowid) FROM record)"),
  "a hash that is none": sql("UPDATE coverage SET sha256 = 'not JSON' WHERE dataset = 'rank'"),
  "a hash in capitals": sql("UPDATE coverage SET sha256 = upper(sha256) WHERE dataset = 'rank'"),
};

const TABLES: Record<string, Craft> = {
  "other win rates": sql("UPDATE hero_rate SET win_rate = 0.99"),
  "a row more": sql("INSERT INTO role VALUES ('nobody', 99, NULL, NULL)"),
  "rows less": sql("DELETE FROM hero_trend"),
  "another number of heroes": sql("UPDATE snapshot SET heroes = 999999"),
  "another licence": sql("UPDATE snapshot SET licence = 'all yours'"),
  "another attribution": sql("UPDATE snapshot SET attribution = 'by me'"),
  "another version of the game": sql("UPDATE snapshot SET game_version = '9.9.99'"),
  "another fingerprint": sql("UPDATE shape SET example = 'x' WHERE path <> ''"),
  "other figures of the texts": sql("UPDATE text_quality SET missing = 0, texts = texts + 1"),
  "a misfit that was none": sql("INSERT INTO misfit VALUES (99, 'hero', NULL, 'rank', '', 'unfit', 1, 'x')"),
  "another rule of texts": sql("UPDATE text_rule SET rule = '[]' WHERE dataset = 'rank'"),
  "a text of another hero": sql("UPDATE listed_text SET id = '2' WHERE text_id = 0"),
};

const THOUSAND = `WITH RECURSIVE c(x) AS (SELECT 1000 UNION ALL SELECT x + 1 FROM c LIMIT 1000)
  INSERT INTO day_window SELECT x FROM c`;

/** Words that a reader takes from a file. */
const CODES: Record<string, Craft> = {
  "a rank that is SQL": sql("INSERT INTO rank VALUES ('x''); DROP TABLE hero; --', 9, 'x', '1')"),
  "a rank that is a path": sql("INSERT INTO rank VALUES ('../../etc/passwd', 9, 'x', '1')"),
  "a language that is markup": sql("INSERT INTO language VALUES ('<script>alert(1)</script>', 'x', 'Latin')"),
  "a lane without a letter": sql("INSERT INTO lane VALUES ('', '9', NULL, NULL)"),
  "a role of a thousand letters": sql("INSERT INTO role VALUES (hex(zeroblob(500)), '9', NULL, NULL)"),
  "an endpoint with a line break": sql("UPDATE coverage SET dataset = 'ra' || char(10) || 'nk' WHERE dataset = 'rank'"),
};

const ARCHIVES: Record<string, Craft> = {
  "another batch": sql("UPDATE coverage SET batch = '1' WHERE dataset = 'stats'"),
  "the same record in other letters": record("rank", (json) => json.replace("{", "{ ")),
  "a proof that was not made": sql(
    "INSERT INTO language_proof SELECT slice_id, 'ja', NULL FROM coverage WHERE dataset = 'stats' LIMIT 1",
  ),
  "a start in the year 9999": sql("UPDATE snapshot SET started_at = '9999-01-01T00:00:00.000Z'"),
  "another start, by a millisecond": sql("UPDATE snapshot SET started_at = substr(started_at, 1, 20) || '001Z'"),
};

const VERSIONS: Record<string, Craft> = {
  "the schema of another version": sql("PRAGMA user_version = 10700"),
  "a time bomb that says it is older": sql(
    `PRAGMA user_version = 10700; UPDATE snapshot SET schema_version = '1.7.0'; ALTER TABLE record RENAME TO own;
     CREATE VIEW record AS SELECT own.* FROM own, (${ENDLESS} LIMIT 100000000)`,
  ),
};

/** The crafts that every reader finds, by the check that finds them. */
const BY_CHECK: readonly [message: RegExp, crafts: Record<string, Craft>][] = [
  [/does not define exactly what schema 1\.\d\.\d defines/, SCHEMAS],
  [/has schema 1\.7\.0, which is not known here/, VERSIONS],
  [
    /has schema -?\d+\.\d+\.\d+, which is not known here/,
    {
      "a schema of the future": sql("PRAGMA user_version = 990000"),
      "a newer minor": sql("PRAGMA user_version = 19900"),
      "no schema version": sql("PRAGMA user_version = 0"),
      "a schema version below zero": sql("PRAGMA user_version = -10000"),
    },
  ],
  [/not a snapshot of metasnap/, { "a database of somebody else": sql("PRAGMA application_id = 1") }],
  [
    /is not an SQLite database/,
    {
      "no database": replaced("hello ".repeat(1000)),
      nothing: replaced(Buffer.alloc(512)),
      "a compressed file": replaced(zstdCompressSync(randomBytes(2000))),
    },
  ],
  [
    /is damaged/,
    {
      "half a file": cutBy(0.5),
      "a file with more behind it": longerBy(5000),
      "pages of another size": bytes(16, 0x02, 0x00),
      "pages of no size": bytes(16, 0x00, 0x03),
      "a root page that is none": bytes(100, 0xff, 0xff, 0xff),
    },
  ],
  [/is in WAL mode/, { "a log beside the file": bytes(18, 2, 2) }],
  [/, no snapshot has that/, LENGTHS],
  [/records|(?:content|archive) hash/, SLICES],
  [/codes: /, CODES],
  [/codes: .* has more than/, { "a thousand windows": sql(THOUSAND) }],
  [/content hash/, { "another record under its own hash": record("rank", (json) => json.replace(/0\.\d+/, "0.99")) }],
  [/archive hash/, ARCHIVES],
  [/foreign keys/, { "records of no slice": sql("INSERT INTO record VALUES (999999, 0, '{}', NULL)") }],
  [
    /foreign keys|hash/,
    { "a slice of another hero": sql("UPDATE coverage SET hero_id = 99 WHERE dataset = 'stats' AND hero_id = 1") },
  ],
  [/is no time|started_at/, { "a start that is no time": sql("UPDATE snapshot SET started_at = 'today'") }],
  [
    /manifest: version|says another version/,
    { "another version inside": sql("UPDATE snapshot SET version = '20200101T000000Z-00000000'") },
  ],
  [/schema version/, { "another schema inside": sql("UPDATE snapshot SET schema_version = '0.9.0'") }],
];

/** The crafts that only the maker finds, who makes the tables again. */
const BY_MAKER: typeof BY_CHECK = [
  [
    /notes on texts/,
    {
      "notes that leave a name": sql(
        "UPDATE record SET texts = '[]' WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'counters')",
      ),
    },
  ],
  [/tables made again: not what the records give/, TABLES],
];

const toCrafted = (found: typeof BY_CHECK): Crafted[][] =>
  found.map(([message, crafts]) => Object.entries(crafts).map(([name, craft]) => ({ name, craft, message })));

/** The crafted files that a maker and a reader refuse, in groups of the same message. */
export const CRAFTED: Readonly<Record<VerifiedBy, readonly Crafted[][]>> = {
  reader: toCrafted(BY_CHECK),
  maker: toCrafted(BY_MAKER),
};
