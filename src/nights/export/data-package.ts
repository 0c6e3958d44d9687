import { isSample } from "../../api/sample-data.ts";
import { toListDocument } from "../../base/files.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";

/** The name of a Frictionless Data Package (https://datapackage.org/standard/data-package/). */
export const PACKAGE_NAME = "datapackage.json";

/** A file, or files that are one table, with what the standard says of it. */
export interface PackageResource {
  name: string;
  path: string | readonly string[];
  [property: string]: unknown;
}

/** With a line for each resource. */
export function toPackageText(head: SnapshotTable, what: string, resources: readonly PackageResource[]): string {
  const { version, started_at: created, licence, attribution } = head;
  const facts = {
    profile: "data-package",
    name: `metasnap-${what}`,
    version,
    created,
    sample: isSample(head),
    licence,
    sources: [{ title: attribution }],
  };
  return toListDocument(facts, { resources });
}
