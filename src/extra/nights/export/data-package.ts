import { lstatSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { EXIT, Failure } from "../../../api/failure.ts";
import { isSample } from "../../../api/sample-data.ts";
import { toListDocument } from "../../../base/files.ts";
import { isVersion, readDocument } from "../../../snapshot/published/folder.ts";
import type { SnapshotTable } from "../../../snapshot/schema/row-types.ts";

export const PACKAGE_NAME = "datapackage.json";

/** The content of a package; its name says it. */
type PackageContent = "tables" | "nights" | "api";

const nameOf = (content: PackageContent) => `metasnap-${content}`;

/** The snapshot in a package, or the newest of several. */
export type PackageHead = Pick<SnapshotTable, "version" | "started_at" | "licence" | "attribution"> & {
  sample: number | boolean;
};

/** Packages that an export of tables may replace: the index of the files of an API has the hash of theirs. */
const replaceableSchema = z.object({ name: z.enum([nameOf("tables"), nameOf("nights")]) });

const headSchema = z
  .object({
    version: z.string().refine(isVersion),
    created: z.string(),
    sample: z.boolean(),
    licenses: z.tuple([z.object({ title: z.string() })]),
    sources: z.tuple([z.object({ title: z.string() })]),
  })
  .transform(
    ({ version, created, sample, licenses: [licence], sources: [source] }): PackageHead => ({
      ...{ version, sample, started_at: created },
      ...{ licence: licence.title, attribution: source.title },
    }),
  );

// A century of nights has 250 MB.
const MAX_BYTES = 500 * 1024 * 1024;

/** Names in the standard, from https://opendefinition.org/licenses/api/. */
const LICENCES = { sample: "other-open", real: "other-closed" };

/** A file, or files that are one table, with its description by the standard. */
export interface PackageResource {
  name: string;
  path: string | readonly string[];
  [property: string]: unknown;
}

/** Writes a Data Package (https://datapackage.org/standard/data-package/), with a line for each resource. */
export function toPackageText(
  head: PackageHead,
  content: PackageContent,
  resources: readonly PackageResource[],
): string {
  const { version, started_at: created, licence, attribution } = head;
  const facts = {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: nameOf(content),
    version,
    created,
    sample: isSample(head),
    licenses: [{ name: LICENCES[isSample(head) ? "sample" : "real"], title: licence }],
    sources: [{ title: attribution }],
  };
  return toListDocument(facts, { resources });
}

/** Throws a Failure for usage if the package in a folder is not of an export of tables: somebody would lose it. */
export function refuseForeignPackage(out: string): void {
  const file = join(out, PACKAGE_NAME);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats || (stats.isFile() && replaceableSchema.safeParse(parse(file)).success)) return;
  const hint = "name another folder with --out, or move it away";
  throw new Failure(EXIT.usage, `${file}: is not of an export of tables, and would be lost`, hint);
}

/** Reads the head of the package in a folder; undefined if the folder has no package, or the package cannot be read. */
export const readPackageHead = (out: string): PackageHead | undefined =>
  headSchema.safeParse(parse(join(out, PACKAGE_NAME))).data;

function parse(file: string): unknown {
  try {
    return JSON.parse(readDocument(file, MAX_BYTES));
  } catch {
    return undefined;
  }
}
