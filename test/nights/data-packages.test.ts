import { hash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FORMATS } from "../../src/extra/nights/export/export.ts";
import { DEFAULT_TABLES, VIEW_NAMES } from "../../src/extra/nights/export/tables.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { VIEWS } from "../../src/snapshot/schema/views/all.ts";
import { findUnlike } from "../helpers/api-files.ts";
import { copyOf } from "../helpers/data-folder.ts";
import { openDuck } from "../helpers/exported.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

interface Resource {
  name: string;
  path: string | string[];
  title?: string;
  format: string;
  mediatype: string;
  bytes?: number;
  hash?: string;
  schema?: {
    fields: { name: string; type: string; description: string; unit?: string; constraints?: { required: true } }[];
    primaryKey?: string[];
    foreignKeys?: { fields: string[]; reference: { resource?: string; fields: string[] } }[];
  };
}

interface Package {
  $schema: string;
  name: string;
  version: string;
  created: string;
  sample: boolean;
  licenses: { name?: string; path?: string; title?: string }[];
  sources: { title: string }[];
  resources: Resource[];
}

const nights = world.nights;
const [FIRST = ""] = nights.files;
const DUCK_TYPES: Record<string, string> = {
  string: "VARCHAR",
  integer: "BIGINT",
  number: "DOUBLE",
};

const { ask, close } = await openDuck();
afterAll(close);

const readPackage = (folder: string): Package => JSON.parse(readFileSync(join(folder, "datapackage.json"), "utf8"));

async function write(out: string, ...words: string[]) {
  const ended = await runCommand("export", ["--out", out, ...words]);
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  return readPackage(out);
}

/** What lies in a folder: files with their bytes, links with their targets. */
const describeFolder = (folder: string) =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => {
    const file = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) return [file, readlinkSync(file)];
    return [file, entry.isFile() ? readFileSync(file, "base64") : "folder"];
  });

/** What the standard asks of every package (https://datapackage.org/standard). */
function expectValid(folder: string, given: Package) {
  expect(given).toMatchObject({
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: expect.stringMatching(/^[a-z0-9._/-]+$/),
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    licenses: [{ name: "other-open", title: expect.stringContaining("made up and free to use") }],
    sources: [{ title: expect.stringMatching(/\S/) }],
  });
  expect(given).not.toHaveProperty("licence");
  expect(given.resources.length).toBeGreaterThan(0);
  const names = given.resources.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, path, bytes, hash: said, schema } of given.resources) {
    expect(name).toMatch(/^[a-z0-9._/-]+$/);
    const paths = [path].flat();
    expect(paths.length, name).toBeGreaterThan(0);
    for (const one of paths) {
      expect(one).not.toMatch(/^[/~]|\.\.|\\|\/\.|^\./);
      expect(statSync(join(folder, one)).isFile()).toBe(true);
    }
    if (typeof path === "string") {
      expect(bytes).toBe(statSync(join(folder, path)).size);
      expect(said).toBe(`sha256:${hash("sha256", readFileSync(join(folder, path)))}`);
    }
    const fields = schema?.fields.map((field) => field.name) ?? [];
    expect(fields).toEqual(expect.arrayContaining(schema?.primaryKey ?? []));
    for (const { fields: own, reference } of schema?.foreignKeys ?? []) {
      expect(fields).toEqual(expect.arrayContaining(own));
      expect(own.length).toBe(reference.fields.length);
      if (reference.resource !== undefined) expect(names).toContain(reference.resource);
    }
  }
}

test("tables and views of a snapshot are described as the dictionary and the files have them", async () => {
  using folder = temporaryFolder();
  const [parquet, csv] = [join(folder.path, "parquet"), join(folder.path, "csv")];
  const described = await write(parquet, FIRST, "--views");
  expectValid(parquet, described);
  expect(described).toMatchObject({ name: "metasnap-tables", version: nights.versions[0], sample: true });
  expect(described.resources.map(({ name }) => name)).toEqual([...DEFAULT_TABLES, ...VIEW_NAMES]);
  const meanings = queryFile<{ meaning: string }>(
    FIRST,
    "SELECT table_name || ' ' || column_name || ' ' || description || ' ' || ifnull(unit, '') AS meaning FROM column_doc",
  ).map(({ meaning }) => meaning);
  for (const { name, path, mediatype, schema } of described.resources) {
    const columns = [...TABLES, ...VIEWS].find((one) => one.name === name)?.columns ?? {};
    expect(mediatype).toBe("application/vnd.apache.parquet");
    expect(schema?.primaryKey).toEqual(TABLES.find((table) => table.name === name)?.key);
    const fields = schema?.fields ?? [];
    for (const field of fields)
      expect(meanings).toContain(`${name} ${field.name} ${field.description} ${field.unit ?? ""}`);
    expect(fields.filter(({ constraints }) => constraints).map((field) => field.name)).toEqual(
      Object.entries(columns).flatMap(([column, { type, nullable }]) => {
        return nullable || type === "TEXT" ? [] : [column];
      }),
    );
    const types = await ask(
      `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${join(parquet, String(path))}')`,
    );
    expect(fields.map((field) => [field.name, DUCK_TYPES[field.type]])).toEqual(types);
  }
  // What it says of keys is so.
  for (const { name, schema } of described.resources.filter((one) => one.schema?.primaryKey)) {
    const from = `'${join(parquet, `${name}.parquet`)}'`;
    const keys = schema?.primaryKey?.map((column) => `"${column}"`).join();
    expect(await ask(`SELECT count(*) FROM (SELECT 1 FROM ${from} GROUP BY ${keys} HAVING count(*) > 1)`)).toEqual([
      [0n],
    ]);
    for (const { fields, reference } of schema?.foreignKeys ?? []) {
      const other = `'${join(parquet, `${reference.resource ?? name}.parquet`)}'`;
      const on = fields.map((field, at) => `a."${field}" = b."${reference.fields[at]}"`).join(" AND ");
      const isNull = fields.map((field) => `a."${field}" IS NULL`).join(" OR ");
      expect(await ask(`SELECT count(*) FROM ${from} a ANTI JOIN ${other} b ON ${on} WHERE NOT (${isNull})`)).toEqual([
        [0n],
      ]);
    }
  }

  const tables = ["hero_rate", "hero_text"];
  const part = await write(csv, "--format", "csv", "--tables", tables.join(), FIRST);
  expectValid(csv, part);
  expect(part.resources.map(({ path }) => path)).toEqual(["hero_text.csv", "hero_rate.csv"]);
  for (const { path, mediatype, schema } of part.resources) {
    expect([mediatype, schema?.foreignKeys]).toEqual(["text/csv", undefined]);
    const [head] = readFileSync(join(csv, String(path)), "utf8").split("\n", 1);
    expect(schema?.fields.map(({ name }) => name).join()).toBe(head);
  }
});

test.for(FORMATS)("parts of all nights are one table each, withdrawn ones apart (%s)", async (format) => {
  using folder = temporaryFolder();
  using data = copyOf(nights.data);
  const words = ["--data", data.path, "--format", format, "--all", "--partition", "--tables", "hero_rate,snapshot"];
  const victim = join(folder.path, "victim");
  writeFileSync(victim, "mine");
  mkdirSync(join(folder.path, `.draft-${format}`));
  symlinkSync(victim, join(folder.path, `.draft-${format}`, "text-datapackage.json"));
  const described = await write(folder.path, ...words);
  expect(readFileSync(victim, "utf8")).toBe("mine");
  expectValid(folder.path, described);
  expect(described).toMatchObject({ name: "metasnap-nights", version: nights.versions[2] });
  const partsOf = (table: string, days: number[]) =>
    days.map((day) => `table=${table}/snapshot_date=2026-08-0${day + 1}/${nights.versions[day]}.${format}`);
  expect(described.resources.map(({ path }) => path)).toEqual([
    partsOf("snapshot", [0, 1, 2]),
    partsOf("hero_rate", [0, 1, 2]),
  ]);
  expect(await write(folder.path, ...words)).toEqual(described);
  expect((await runCommand("rollback", ["--data", data.path])).code).toBe(0);
  const { code } = await runCommand("export", ["--out", folder.path, ...words]);
  expect(code).toBe(0);
  const left = readPackage(folder.path);
  expectValid(folder.path, left);
  expect(left.version).toBe(nights.versions[1]);
  expect(left.resources.map(({ path }) => path)).toEqual([partsOf("snapshot", [0, 1]), partsOf("hero_rate", [0, 1])]);
});

test("parts of named nights are described as of the newest that has some, in whatever order they are named", async () => {
  using folder = temporaryFolder();
  const [first = "", second = "", third = ""] = nights.files;
  const name = async (...words: string[]) => {
    const { version, created } = await write(folder.path, "--tables", "hero", "--partition", ...words);
    return [version, created];
  };
  const expected = nights.files.map((file) =>
    Object.values(queryFile<object>(file, "SELECT version, started_at FROM snapshot")[0] ?? {}),
  );
  expect(await name(second, first)).toEqual(expected[1]);
  expect(await name(first)).toEqual(expected[1]);
  expect(await name(third)).toEqual(expected[2]);
  expect(await name("--format", "csv", first)).toEqual(expected[0]);
  expect(await name(third, second)).toEqual(expected[2]);
  // A package whose facts somebody has changed says nothing.
  const file = join(folder.path, "datapackage.json");
  for (const changed of [
    { created: null },
    { version: "9" },
    { version: "20991231T000000Z-00000000" },
    { sources: [] },
  ]) {
    writeFileSync(file, JSON.stringify({ ...readPackage(folder.path), ...changed }));
    expect(await name(second)).toEqual(expected[1]);
  }
});

/** What a person may have under that name. */
const FOREIGN: Record<string, (file: string) => void> = {
  "a package of a person": (file) => writeFileSync(file, `{"name":"prices","resources":[]}`),
  "no object": (file) => writeFileSync(file, "null"),
  "no JSON": (file) => writeFileSync(file, `{"name":"metasnap-tables",`),
  "a link to nothing": (file) => symlinkSync("nothing", file),
  "a folder": (file) => mkdirSync(file),
};

test.for(Object.entries(FOREIGN))("a datapackage.json that is %s is kept, and nothing is written", async ([, lay]) => {
  for (const how of [[], ["--partition"]]) {
    using folder = temporaryFolder();
    lay(join(folder.path, "datapackage.json"));
    writeFileSync(join(folder.path, ".exported-parquet.json"), "mine");
    const before = describeFolder(folder.path);
    const { code, stderr } = await runCommand("export", ["--out", folder.path, "--tables", "hero", ...how, FIRST]);
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(/^[^\n]*\/datapackage\.json: is not of an export of tables[^\n]*\n$/),
    ]);
    expect(describeFolder(folder.path)).toEqual(before);
  }
});

test("tables do not replace the description of the files of an API", async () => {
  using folder = temporaryFolder();
  await write(folder.path, "--format", "api", "--datasets", "heroes", FIRST);
  const before = describeFolder(folder.path);
  const { code, stderr } = await runCommand("export", ["--out", folder.path, "--tables", "hero", FIRST]);
  expect([code, stderr]).toEqual([64, expect.stringContaining("datapackage.json: is not of an export of tables")]);
  expect(describeFolder(folder.path)).toEqual(before);
  expect(findUnlike(folder.path)).toEqual([]);
});

test("a description of tables is replaced by that of the next export", async () => {
  using folder = temporaryFolder();
  const words = ["--tables", "hero", FIRST];
  expect(await write(folder.path, ...words)).toMatchObject({ name: "metasnap-tables" });
  expect(await write(folder.path, ...words, "--partition")).toMatchObject({ name: "metasnap-nights" });
  expect(await write(folder.path, ...words)).toMatchObject({ name: "metasnap-tables" });
});

test("numbers that are real are not said to be made up", async () => {
  using folder = temporaryFolder();
  const snapshot = join(folder.path, "real.sqlite");
  copyFileSync(FIRST, snapshot);
  editFile(snapshot, "UPDATE snapshot SET sample = 0, licence = 'none', attribution = 'from x'");
  expect(await write(join(folder.path, "out"), "--tables", "hero", snapshot)).toMatchObject({
    sample: false,
    licenses: [{ name: "other-closed", title: "none" }],
    sources: [{ title: "from x" }],
  });
});

test("files of an API are described, each with its size and hash", async () => {
  using folder = temporaryFolder();
  const described = await write(
    folder.path,
    "--format",
    "api",
    "--languages",
    "ja",
    "--datasets",
    "heroes,rank,hero",
    FIRST,
  );
  expectValid(folder.path, described);
  expect(described.name).toBe("metasnap-api");
  expect(described.resources.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "api.heroes",
      "api.heroes.1",
      "api.heroes.by-name",
      "api.heroes.rank.glory.7",
      "ja.api.heroes",
      "version",
    ]),
  );
});
